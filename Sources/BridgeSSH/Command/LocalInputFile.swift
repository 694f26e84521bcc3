#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A local file as the source of a command's standard input, read by one task.
actor LocalInputFile {
    private static let pieceLength: UInt64 = 1 << 16

    private let file: LocalFile
    private var offset: UInt64 = 0

    /// Opens a regular file.
    ///
    /// - Throws: `Fault`, a usage error with the reason; `CancellationError`.
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
