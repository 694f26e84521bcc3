#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The system calls that reading and writing a known_hosts file take, each failure with its name and errno.
enum KnownHostsIO {
    /// More than this is no known_hosts file, but perhaps an endless device.
    private static let sizeLimit = 64 << 20

    /// The whole file.
    ///
    /// A pipe is read to its end, so that `<(…)` of a shell works.
    static func read(path: String) throws(KnownHostsProblem) -> [UInt8] {
        let descriptor = try call(.unreadable, "open", path) { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        return try read(descriptor, code: .unreadable, path: path)
    }

    static func read(
        _ descriptor: Int32, code: KnownHostsProblem.Code, path: String
    ) throws(KnownHostsProblem) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = try call(code, "read", path) {
                buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            }
            guard count > 0 else { return contents }
            contents += buffer[..<count]
            guard contents.count <= sizeLimit else {
                throw KnownHostsProblem(code: code, path: path, operation: "read", errno: EFBIG)
            }
        }
    }

    static func write(_ contents: some Collection<UInt8>, to descriptor: Int32, path: String) throws(KnownHostsProblem) {
        var rest = Array(contents)[...]
        while !rest.isEmpty {
            let count = try call(.unwritable, "write", path) {
                rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    static func status(of descriptor: Int32, path: String) throws(KnownHostsProblem) -> stat {
        var status = stat()
        _ = try call(.unwritable, "fstat", path) { fstat(descriptor, &status) }
        return status
    }

    /// Whether the group or everybody may change a file, and so whom its owner trusts; false where that cannot be told.
    static func isWritableByOthers(path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o022 != 0
    }

    /// Makes a system call, again if a signal interrupts it.
    @discardableResult
    static func call<Result: SignedInteger>(
        _ code: KnownHostsProblem.Code, _ operation: String, _ path: String, _ body: () -> Result
    ) throws(KnownHostsProblem) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw KnownHostsProblem(code: code, path: path, operation: operation, errno: number) }
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
