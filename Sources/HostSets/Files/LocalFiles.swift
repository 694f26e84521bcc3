#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files of this machine.
public struct LocalFiles: HostFiles {
    /// The largest file that is read: 256 MiB.
    private static let maximumSize = 256 << 20

    /// The files of this machine.
    public init() {}

    /// The kind of file at a path.
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

    /// Reads a descriptor to its end, for standard input.
    public static func read(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return result }
            if count < 0 {
                switch errno {
                case EINTR: break
                case EAGAIN:
                    // Another program that has the same pipe does not want to wait for it.
                    var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&readable, 1, -1)
                default: throw problem(path)
                }
                continue
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

/// The lines of a text as Python's `splitlines` finds them: not only line feeds end a line.
struct SourceLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var start = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> ArraySlice<UInt8>? {
        guard start < bytes.count else { return nil }
        var end = start
        var length = 0
        while end < bytes.count {
            // Most bytes are neither control characters nor part of a character that ends a line.
            let byte = bytes[end]
            if byte < 32 || byte == 0xC2 || byte == 0xE2 { length = lengthOfEnd(at: end) }
            if length > 0 { break }
            end += 1
        }
        defer { start = end + length }
        return bytes[start..<end]
    }

    /// The length in bytes of the line ending at the index; 0 if there is none.
    private func lengthOfEnd(at index: Int) -> Int {
        func byte(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }
        switch bytes[index] {
        case 13: return byte(1) == 10 ? 2 : 1
        case 10, 11, 12, 28, 29, 30: return 1
        // U+0085, U+2028 and U+2029.
        case 0xC2: return byte(1) == 0x85 ? 2 : 0
        case 0xE2: return byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9) ? 3 : 0
        default: return 0
        }
    }

    /// A line without surrounding blanks, including Unicode blanks.
    static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let byte = line.first, isBlank(byte) { line = line.dropFirst() }
        while let byte = line.last, isBlank(byte) { line = line.dropLast() }
        guard let first = line.first, let last = line.last, first >= 0x80 || last >= 0x80 else { return line }
        return Array(String(decoding: line, as: UTF8.self)[...].trimmingBlanks().utf8)[...]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) || (28...31).contains(byte) }
}
