internal import BridgeSSH
internal import Crypto
internal import Synchronization

/// One standard input for all hosts of a run. Each attempt reads it from the beginning, at its own pace.
///
/// A stream is read once. Its first bytes are kept in memory and the rest in an unnamed file, up to a limit; a longer stream
/// fails. It is read ahead of the hosts as far as it fits into memory, and after that only as fast as the fastest host reads,
/// which slows down the program that writes to the pipe. A file is read in place.
package final class SharedInput: Sendable {
    package struct Limits: Sendable {
        /// The most bytes kept in memory.
        package var memory = 4 << 20
        /// The most bytes kept in all.
        package var total: UInt64 = 1 << 30
        package var directory = "/tmp"

        package init() {}
    }

    /// An open regular file, read from an offset on.
    package struct File: Sendable {
        /// Stays open as long as this value exists, because ``owner`` holds it.
        package let descriptor: Int32
        package let offset: UInt64
        package let count: UInt64
        private let owner: (any Sendable)?

        package init(descriptor: Int32, offset: UInt64, count: UInt64, owner: (any Sendable)?) {
            (self.descriptor, self.offset, self.count, self.owner) = (descriptor, offset, count, owner)
        }
    }

    /// The end of the input.
    package enum End: Sendable, Equatable {
        /// All of it was read: its SHA-256 and its length.
        case whole(digest: [UInt8], count: UInt64)
        case failed(reason: String)
        /// The run ended first.
        case closed
    }

    private enum Source {
        case stream(FleetInput.Reader)
        case file(File)
    }

    private struct State {
        var store: InputStore
        var hash = SHA256()
        var end: End?
        var reading: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextID = 0
        var ended: (@Sendable (End) async -> Void)?
        /// The most recently read blocks of the file, by offset.
        var recent: [(offset: UInt64, bytes: [UInt8])] = []
    }

    /// Its name for a person: `-` or the path of a file.
    package let name: String
    private let source: Source
    private let limits: Limits
    private let state: Mutex<State>

    /// The number of blocks that are kept for hosts that read at nearly the same position.
    private static let maximumRecentPieces = 16

    private init(_ name: String, _ source: Source, _ limits: Limits) {
        (self.name, self.source, self.limits) = (name, source, limits)
        state = Mutex(State(store: InputStore(memory: limits.memory, directory: limits.directory)))
    }

    /// - Parameter next: the next piece; nil at the end, and after its task was cancelled.
    package convenience init(_ name: String, limits: Limits = Limits(), stream next: @escaping FleetInput.Reader) {
        self.init(name, .stream(next), limits)
    }

    package convenience init(_ name: String, file: File) { self.init(name, .file(file), Limits()) }

    deinit { state.withLock { $0.reading }?.cancel() }

    /// Whether it can be read only once, so its length is not known in advance.
    package var isStream: Bool {
        if case .stream = source { true } else { false }
    }

    /// The number of bytes; for a stream, those read so far.
    package var count: UInt64 {
        if case .file(let file) = source { file.count } else { state.withLock { $0.store.count } }
    }

    /// How it ended; nil while more may come.
    package var end: End? { state.withLock { $0.end } }

    /// Whether hosts wait for a stream that has not produced a byte yet.
    package var isAwaited: Bool {
        state.withLock { $0.end == nil && $0.store.count == 0 && !$0.waiting.isEmpty }
    }

    /// Starts to read a stream ahead.
    ///
    /// - Parameter ended: called once, when the stream has ended or failed.
    package func begin(_ ended: (@Sendable (End) async -> Void)? = nil) {
        guard isStream else { return }
        let known = state.withLock { state in
            if state.end == nil { state.ended = ended }
            return state.end
        }
        if let known, let ended { Task { await ended(known) } } else { readOn() }
    }

    /// Reads all of it.
    ///
    /// - Returns: how it ended.
    package func whole() async -> End {
        do {
            if case .file(let file) = source { return try await Self.whole(file) }
            var offset: UInt64 = 0
            while let piece = try await piece(at: offset) { offset += UInt64(piece.count) }
            return end ?? .closed
        } catch {
            return end ?? .failed(reason: "\(error)")
        }
    }

    private static func whole(_ file: File) async throws -> End {
        var (hash, offset) = (SHA256(), UInt64(0))
        while offset < file.count {
            let bytes = try await block(of: file, at: offset)
            hash.update(data: bytes)
            offset += UInt64(bytes.count)
        }
        return .whole(digest: Array(hash.finalize()), count: offset)
    }

    /// Stops reading. Hosts that wait for more see the end of the input.
    package func close() {
        let reading = state.withLock { state in
            if state.end == nil { state.end = .closed }
            state.ended = nil
            return state.reading.take()
        }
        reading?.cancel()
        wakeAll()
    }

    // MARK: The hosts

    /// A reader that starts at the beginning.
    func reader() -> FleetInput.Reader {
        let offset = Mutex(UInt64(0))
        return { [self] in
            guard let piece = try await piece(at: offset.withLock { $0 }) else { return nil }
            offset.withLock { $0 += UInt64(piece.count) }
            return piece
        }
    }

    /// - Throws: `Fault` if the input cannot be read.
    private func piece(at offset: UInt64) async throws -> [UInt8]? {
        if case .file(let file) = source {
            do {
                return offset < file.count ? try await Self.block(of: file, at: offset) : nil
            } catch let failure as PositionedFile.Failure {
                throw Self.fault(name, failure.description)
            }
        }
        while true {
            try Task.checkCancellation()
            let (place, end) = state.withLock { ($0.store.place(of: offset), $0.end) }
            switch (place, end) {
            case (.memory(let bytes)?, _): return bytes
            case (.file(let file, let start, let count)?, _): return try await read(file, count, at: start, of: offset)
            case (nil, .failed(let reason)?): throw Self.fault(name, reason)
            case (nil, _?): return nil
            case (nil, nil): await waitForMore(than: offset)
            }
        }
    }

    private static func fault(_ name: String, _ reason: String) -> Fault {
        Fault(.usage(field: name == "-" ? "standard input" : name, problem: reason), stage: .local)
    }

    private static func block(of file: File, at offset: UInt64) async throws -> [UInt8] {
        let count = Int(min(UInt64(InputStore.blockLength), file.count - offset))
        guard let bytes = try await Disk.run({ try PositionedFile(file.descriptor).read(count, at: file.offset + offset) }) else {
            throw fault("the file", "it has become shorter since the run began")
        }
        return bytes
    }

    private func read(_ file: UnnamedFile, _ count: Int, at start: UInt64, of offset: UInt64) async throws -> [UInt8] {
        if let known = state.withLock({ state in state.recent.last { $0.offset == offset && $0.bytes.count == count } }) {
            return known.bytes
        }
        let bytes: [UInt8]
        do {
            bytes = try await Disk.run { try file.read(count, at: start) }
        } catch let failure as PositionedFile.Failure {
            throw Self.fault(name, failure.description)
        }
        state.withLock { state in
            if state.recent.count == Self.maximumRecentPieces { state.recent.removeFirst() }
            state.recent.append((offset, bytes))
        }
        return bytes
    }

    private func waitForMore(than offset: UInt64) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.end == nil, state.store.count <= offset, !Task.isCancelled else { return false }
                    state.waiting[id] = continuation
                    return true
                }
                if mustWait { readOn() } else { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func wakeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    // MARK: The stream

    /// Continues reading, unless a read is in progress.
    private func readOn() {
        guard case .stream(let next) = source else { return }
        state.withLock { state in
            guard state.reading == nil, state.end == nil else { return }
            // `close` and the end of this object cancel this task.
            state.reading = Task { [weak self] in
                while let piece = await Self.next(next), await self?.take(piece) ?? false {}
            }
        }
    }

    private static func next(_ next: FleetInput.Reader) async -> Result<[UInt8]?, any Error>? {
        do { return .success(try await next()) } catch { return .failure(error) }
    }

    /// - Returns: whether to read on.
    private func take(_ piece: Result<[UInt8]?, any Error>) async -> Bool {
        switch piece {
        case .success(let bytes?):
            do {
                try await keep(bytes)
            } catch {
                await finish(.failed(reason: "\(error)"))
                return false
            }
            wakeAll()
            return state.withLock { state in
                // Hosts that want more will wait again.
                let readsOn = state.end == nil && (state.store.count < UInt64(limits.memory) || !state.waiting.isEmpty)
                if !readsOn { state.reading = nil }
                return readsOn
            }
        case .success(nil):
            let (digest, count) = state.withLock { (Array($0.hash.finalize()), $0.store.count) }
            await finish(Task.isCancelled ? .closed : .whole(digest: digest, count: count))
        case .failure(let error):
            await finish(.failed(reason: (error as? Fault)?.usageProblem ?? "it cannot be read: \(error)"))
        }
        return false
    }

    private struct TooLong: Error, CustomStringConvertible {
        let limit: UInt64
        var description: String {
            "it is longer than the \(Formatted.bytes(Int(clamping: limit))) that are kept of it for all hosts; "
                + "name a file with --stdin, which is read directly, or raise --stdin-limit"
        }
    }

    private func keep(_ piece: [UInt8]) async throws {
        let spill = try state.withLock { state in
            guard state.store.count + UInt64(piece.count) <= limits.total else { throw TooLong(limit: limits.total) }
            state.hash.update(data: piece)
            return try state.store.add(piece)
        }
        guard let (file, bytes, offset) = spill else { return }
        try await Disk.run { try file.write(bytes, at: offset) }
        state.withLock { $0.store.confirm(bytes.count) }
    }

    private func finish(_ end: End) async {
        let ended = state.withLock { state in
            if state.end == nil { state.end = end }
            state.reading = nil
            return state.ended.take()
        }
        wakeAll()
        await ended?(end)
    }
}

extension Fault {
    /// The problem of a usage fault; nil for any other fault.
    fileprivate var usageProblem: String? {
        if case .usage(_, let problem) = event { problem } else { nil }
    }
}
