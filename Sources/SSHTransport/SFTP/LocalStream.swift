#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open file that is written in order and never replaced: standard output, a pipe, a terminal, a device.
package final class LocalStream: Sendable {
    private let descriptor: Int32
    package let path: String
    /// The most bytes of one call.
    private let part: Int

    /// - Throws: the failure; nothing can be written to a named pipe while it has no reader (ENXIO).
    package init(_ path: String) throws(LocalFault) {
        self.path = path
        if let number = LocalPath.descriptor(namedBy: path) {
            // Another descriptor of the same open file, so that a redirected file is continued where the shell stands in it.
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
            // As much as a pipe takes without blocking once it takes anything.
            part = Int(PIPE_BUF)
        } else {
            descriptor = PathText.withCString(path) { open($0, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            part = Int.max
        }
        guard descriptor >= 0 else { throw LocalFault("write", path) }
    }

    deinit { close(descriptor) }

    /// Writes the beginning of what is left of `bytes`.
    ///
    /// - Returns: how many bytes were taken: 0 if the reader was not ready for any within a tenth of a second.
    package func write(_ bytes: FileBytes, from start: Int) throws(LocalFault) -> Int {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 100) > 0 else { return 0 }
        let count = bytes.withUnsafeBytes { source in
            let rest = UnsafeRawBufferPointer(rebasing: source[start...].prefix(part))
            #if canImport(Darwin)
                return Darwin.write(descriptor, rest.baseAddress, rest.count)
            #elseif canImport(Musl)
                return Musl.write(descriptor, rest.baseAddress, rest.count)
            #else
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
        }
        if count < 0 {
            guard errno == EAGAIN || errno == EINTR else { throw LocalFault("write", path) }
            return 0
        }
        return count
    }
}

extension LocalFault {
    /// Whether it is a named pipe that nothing reads yet.
    package var lacksReader: Bool { number == ENXIO }
    /// Whether the directory does not let this user make or rename an entry, whatever the file itself allows.
    package var isRefusal: Bool { [EACCES, EPERM, EROFS].contains(number) }
}
