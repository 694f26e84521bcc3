#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files of this machine.
public struct LocalFiles: HostFiles {
    /// The largest file that is read: 256 MiB.
    private static let maximumSize = 256 << 20

    /// The files of this machine.
    public init() {}

    /// What stands at a path.
    public func kind(of path: String) -> HostFileKind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(isExecutable: access(path, X_OK) == 0)
        default: return .special
        }
    }

    /// The bytes of a file.
    public func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.problem(path) }
        defer { close(descriptor) }
        return try Self.read(descriptor, path)
    }

    /// The bytes of a descriptor up to its end, for standard input.
    public static func read(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return result }
            if count < 0 {
                if errno == EINTR { continue }
                throw problem(path)
            }
            result.append(contentsOf: buffer[..<count])
            if result.count > maximumSize {
                throw HostSetProblem(
                    .unreadable, "The file is larger than \(maximumSize >> 20) MiB.", location: .init(file: path))
            }
        }
    }

    /// The names in a directory.
    public func names(in directory: String) throws -> [String] {
        guard let stream = opendir(directory) else { throw Self.problem(directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func problem(_ path: String) -> HostSetProblem {
        let reason = String(cString: strerror(errno))
        return HostSetProblem(.unreadable, "The file cannot be read: \(reason).", location: .init(file: path))
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
