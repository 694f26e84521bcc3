#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A system call that failed.
package struct SystemCallFailure: Error, Hashable {
    /// The function, such as `open`.
    package let operation: String
    package let errno: Int32
}

/// Reads files that others wrote, as a whole.
package enum WholeFile {
    /// A larger one is none of the files that are read here, but perhaps an endless device.
    private static let sizeLimit = 64 << 20

    /// - Throws: `SystemCallFailure`, with EFBIG for more than 64 MiB. A pipe is read to its end.
    package static func read(path: String) throws(SystemCallFailure) -> [UInt8] {
        let descriptor = try retrying("open") { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// The rest of an open file.
    package static func read(_ descriptor: Int32) throws(SystemCallFailure) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = try retrying("read") {
                buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            }
            guard count > 0 else { return contents }
            contents += buffer[..<count]
            guard contents.count <= sizeLimit else { throw SystemCallFailure(operation: "read", errno: EFBIG) }
        }
    }

    /// Makes a system call, again if a signal interrupts it.
    @discardableResult
    package static func retrying<Result: SignedInteger>(
        _ operation: String, _ body: () -> Result
    ) throws(SystemCallFailure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw SystemCallFailure(operation: operation, errno: number) }
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
