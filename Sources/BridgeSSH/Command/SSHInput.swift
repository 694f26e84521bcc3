public import NIOCore
internal import Synchronization

/// The standard input of a running command, or the outgoing direction of a stream. It is valid only inside the closure that
/// receives it. Only one task may write at a time: a second one gets an error.
///
/// A write returns when all its data has been handed to the connection, so a slow reader at the other end slows the writer down.
public final class SSHInput: Sendable {
    private let target: any InputTarget
    private let state = Mutex(State())

    private struct State {
        var isWriting = false
        var hasEnded = false
    }

    package init(_ target: any InputTarget) { self.target = target }

    /// Writes bytes.
    ///
    /// - Returns: false if the other end no longer reads. In that case the data was not written, or only in part.
    /// - Throws: ``SSHError``: `ssh.local.usage` after ``finish()`` or while another task writes; any failure that ended the
    ///   connection. `CancellationError`.
    @discardableResult
    public func write(_ bytes: [UInt8]) async throws -> Bool { try await write(InputPiece.bytes(bytes)) }

    /// Writes text as UTF-8; otherwise like the variant for bytes.
    @discardableResult
    public func write(_ text: String) async throws -> Bool { try await write(InputPiece.bytes(Array(text.utf8))) }

    /// Writes a buffer's readable bytes without copying; otherwise like the variant for bytes.
    @discardableResult
    public func write(_ buffer: ByteBuffer) async throws -> Bool { try await write(InputPiece.buffer(buffer)) }

    /// Ends the input: the command reads end-of-file. It is called automatically when the closure returns.
    ///
    /// - Throws: as ``write(_:)-([UInt8])``; nothing if the input has already ended.
    public func finish() async throws {
        if state.withLock({ $0.hasEnded }) { return }
        try await exclusively(ends: true) { () async throws(Fault) in try await target.endInput() }
    }

    private func write(_ piece: InputPiece) async throws -> Bool {
        try await exclusively { () async throws(Fault) in try await target.send(piece) } ?? false
    }

    /// - Returns: nil if the channel has been closed.
    @discardableResult
    private func exclusively<Value>(ends: Bool = false, _ work: () async throws(Fault) -> Value) async throws -> Value? {
        let problem: String? = state.withLock { state in
            if state.hasEnded { return "it has been finished; nothing more can be written" }
            if state.isWriting { return "another task is writing; there is one writer at a time" }
            state.isWriting = true
            if ends { state.hasEnded = true }
            return nil
        }
        if let problem {
            throw await target.failure(Fault(.usage(field: "standard input", problem: problem), stage: .local))
        }
        defer { state.withLock { $0.isWriting = false } }
        do {
            return try await work()
        } catch {
            if Task.isCancelled, case .cancelled = error.event { throw CancellationError() }
            if target.isInterrupted { return nil }
            throw await target.failure(error)
        }
    }
}

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A local file as a command's standard input, read by one task.
actor LocalInputFile {
    private static let pieceLength: UInt64 = 1 << 16

    private let file: LocalFile
    private var offset: UInt64 = 0

    /// Opens a regular file.
    ///
    /// - Throws: `Fault`: a usage error with the reason; `CancellationError`.
    static func open(_ path: String) async throws -> LocalInputFile {
        do {
            return try await Disk.run {
                let file = try LocalFile(path, O_RDONLY)
                guard try file.status().kind == .regular else {
                    throw LocalFault("read", path, detail: "it is not a regular file; read it as a sequence")
                }
                return LocalInputFile(file)
            }
        } catch let fault as LocalFault {
            throw Self.fault(fault)
        }
    }

    private init(_ file: LocalFile) { self.file = file }

    func next() async throws -> InputPiece? {
        let (file, range) = (file, offset..<offset + Self.pieceLength)
        do {
            let bytes = try await Disk.run { try file.read(range) }
            offset += UInt64(bytes.count)
            return bytes.count == 0 ? nil : bytes.piece
        } catch let fault as LocalFault {
            throw Self.fault(fault)
        }
    }

    private static func fault(_ fault: LocalFault) -> Fault {
        let reason = fault.detail.isEmpty ? SystemError.text(fault.number) : fault.detail
        return Fault(.usage(field: "standard input", problem: "\(fault.path) cannot be read: \(reason)"), stage: .local)
    }
}
