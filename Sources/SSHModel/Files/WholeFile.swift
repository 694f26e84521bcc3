#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Reads whole files of text, up to a limit: a path may lead to a device without end.
package enum WholeFile {
    /// In bytes.
    package static let largest = 64 << 20

    /// The system call that failed.
    package struct Failure: Error, Equatable {
        package let operation: String
        /// EFBIG for a file that is longer than ``largest``.
        package let errno: Int32
    }

    /// Opens a file and reads it to its end.
    ///
    /// A pipe is read to its end, so that `<(…)` of a shell works.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = try call("open") { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Reads from where the descriptor stands to the end.
    package static func read(_ descriptor: Int32) throws(Failure) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = try call("read") { buffer.withUnsafeMutableBytes { systemRead(descriptor, $0) } }
            guard count > 0 else { return contents }
            contents += buffer[..<count]
            guard contents.count <= largest else { throw Failure(operation: "read", errno: EFBIG) }
        }
    }

    /// Makes a system call, again if a signal interrupts it.
    package static func call<Result: SignedInteger>(_ operation: String, _ body: () -> Result) throws(Failure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw Failure(operation: operation, errno: number) }
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
