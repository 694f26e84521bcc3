#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// Opens the files that a caller names, and reads whole text files up to a limit. It opens no devices, which may be endless or
/// wait.
package enum WholeFile {
    /// The largest size that is read, in bytes.
    package static let largest = 64 << 20

    /// The system call that failed.
    package struct Failure: Error, Equatable {
        package let operation: String
        /// The errno; EFBIG for a file that is longer than ``largest``.
        package let errno: Int32
    }

    /// The errno for a named pipe, a socket or a device.
    package static let irregular = EINVAL
    /// The text for ``irregular``.
    package static let irregularText = "it is not a regular file"

    /// Opens a file for reading, without blocking: a named pipe without a writer would block the thread.
    ///
    /// A pipe is accepted only as an open descriptor of this process, so that `<(…)` of a shell works, and of all devices only
    /// /dev/null, which stands for an empty file.
    ///
    /// - Returns: the descriptor and its status. It is a directory, a regular file of at most ``largest`` bytes, an open pipe, or
    ///   /dev/null.
    package static func opened(_ path: String) throws(Failure) -> (descriptor: Int32, status: stat) {
        // The C library would take the part before the NUL for the path.
        guard !path.utf8.contains(0) else { throw Failure(operation: "open", errno: ENOENT) }
        let descriptor = try call("open") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw Failure(operation: "fstat", errno: number)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size > largest:
            close(descriptor)
            throw Failure(operation: "open", errno: EFBIG)
        case S_IFREG, S_IFDIR: break
        case S_IFCHR where isNull(status): break
        case S_IFIFO where path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") || path == "/dev/stdin":
            _ = fcntl(descriptor, F_SETFL, 0)
        default:
            close(descriptor)
            throw Failure(operation: "open", errno: irregular)
        }
        return (descriptor, status)
    }

    private static func isNull(_ status: stat) -> Bool {
        var null = stat()
        return stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev
    }

    /// Opens a file as ``opened(_:)`` does, and reads it to its end.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = try opened(path).descriptor
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Reads from the descriptor's position to the end.
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

    /// Makes a system call, and repeats it if a signal interrupts it.
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
