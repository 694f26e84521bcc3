internal import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Shares the content of files that are in use, so that connections that are opened together read each file once.
///
/// The cache holds weak references. When the last user releases a content, it is freed, and a secret in it is overwritten. A
/// file that has changed since is read again. A file whose stamp would not show a change is not shared.
package final class SharedFileCache<Content: AnyObject & Sendable>: Sendable {
    private struct CachedFile {
        weak var content: Content?
        var stamps: [FileStamp?]
    }

    private let cachedFiles = Mutex<[String: CachedFile]>([:])
    private let now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64 = FileStamp.now) { self.now = now }

    /// - Parameters:
    ///   - path: the file. If it does not exist, nothing is shared.
    ///   - beside: other files that are read with it, if they exist.
    package func content<Failure: Error>(
        of path: String, beside: [String] = [], _ read: () throws(Failure) -> Content
    ) throws(Failure) -> Content {
        let stamps = Self.stamps(path, beside)
        if let known = cachedFiles.withLock({ $0[path] }), known.stamps == stamps, let content = known.content { return content }
        let time = now()
        let content = try read()
        let isSettled = stamps[0] != nil && stamps.allSatisfy { $0?.isSettled(at: time) ?? true }
        if isSettled, Self.stamps(path, beside) == stamps {
            cachedFiles.withLock { cachedFiles in
                cachedFiles = cachedFiles.filter { $0.value.content != nil }
                cachedFiles[path] = CachedFile(content: content, stamps: stamps)
            }
        }
        return content
    }

    private static func stamps(_ path: String, _ beside: [String]) -> [FileStamp?] {
        [FileStamp(path: path)] + beside.map { FileStamp(path: $0) }
    }
}

/// Identifies the state of a file, to detect that it was changed or replaced since it was read.
package struct FileStamp: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// Nanoseconds since 1970.
    private let modified: Int64
    /// The inode's change time. It covers mode and owner too, and a program cannot set it back with the modification time.
    private let changed: Int64

    /// A file system may count time in steps of two seconds (FAT). A second change within one step does not change the times.
    private static let step: Int64 = 2_000_000_000

    /// - Returns: nil if the path does not lead to a regular file, or cannot be examined.
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

    /// Whether any change after `now` would give the file another stamp.
    func isSettled(at now: Int64) -> Bool { max(modified, changed) < now - Self.step }

    /// Nanoseconds since 1970, by the clock that file systems use.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// Later times, from 2255 on, all count as this one, in seconds. No file is then settled, and each is read again.
    private static let latest: Int64 = 9_000_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let seconds = Int64(time.tv_sec)
        guard abs(seconds) < latest else { return (seconds < 0 ? -latest : latest) * 1_000_000_000 }
        return seconds * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
