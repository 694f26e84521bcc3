internal import Synchronization

/// What was read of files and is in use, so that connections that are opened at once read the same file once.
///
/// Nothing is kept for its own sake: with its last user it is gone, and a secret in it is overwritten. A file that has changed
/// since is read again, and one that may have changed without a sign is not shared.
package final class SharedReading<Content: AnyObject & Sendable>: Sendable {
    private struct Reading {
        weak var content: Content?
        var stamps: [FileStamp?]
    }

    private let readings = Mutex<[String: Reading]>([:])
    private let now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64 = FileStamp.now) { self.now = now }

    /// - Parameters:
    ///   - path: the file; without it nothing is shared.
    ///   - beside: other files that are read with it, where they are there.
    package func content<Failure: Error>(
        of path: String, beside: [String] = [], _ read: () throws(Failure) -> Content
    ) throws(Failure) -> Content {
        let stamps = Self.stamps(path, beside)
        if let known = readings.withLock({ $0[path] }), known.stamps == stamps, let content = known.content { return content }
        let time = now()
        let content = try read()
        let isSettled = stamps[0] != nil && stamps.allSatisfy { $0?.isSettled(at: time) ?? true }
        if isSettled, Self.stamps(path, beside) == stamps {
            readings.withLock { readings in
                readings = readings.filter { $0.value.content != nil }
                readings[path] = Reading(content: content, stamps: stamps)
            }
        }
        return content
    }

    private static func stamps(_ path: String, _ beside: [String]) -> [FileStamp?] {
        [FileStamp(path: path)] + beside.map { FileStamp(path: $0) }
    }
}
