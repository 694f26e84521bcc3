#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Distinguishes a file that was changed, or replaced by another, from the one that was read.
package struct FileStamp: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// Nanoseconds since 1970.
    private let modified: Int64
    /// The inode's change time: it covers mode and owner as well, and cannot be set back with the modification time.
    private let changed: Int64

    /// A file system may count time in steps of two seconds (FAT): within one, a second change shows in none of the times.
    private static let step: Int64 = 2_000_000_000

    /// - Returns: nil for what is no regular file, or is not there, or may not be looked at.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            (modified, changed) = (Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec))
        #else
            (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
        #endif
    }

    /// Whether a change from `now` on would give the file another stamp.
    func isSettled(at now: Int64) -> Bool { max(modified, changed) < now - Self.step }

    /// Nanoseconds since 1970, by the clock that file systems use.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// From 2255 on all times are one: then no file counts as settled, and each is read anew.
    private static let latest: Int64 = 9_000_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let seconds = Int64(time.tv_sec)
        guard abs(seconds) < latest else { return (seconds < 0 ? -latest : latest) * 1_000_000_000 }
        return seconds * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
