internal import Synchronization

/// The files that attempts at a copy have finished, so that the next attempt leaves them out. For attempts at one copy only: the
/// files are known by the paths of their sources.
public final class SFTPFinishedFiles: Sendable {
    private let sizes = Mutex([String: UInt64]())

    /// None yet.
    public init() {}

    /// How many there are.
    public var count: Int { sizes.withLock { $0.count } }

    func add(_ path: String, size: UInt64) { sizes.withLock { $0[path] = size } }

    /// Nil for a file that is not finished.
    func size(of path: String) -> UInt64? { sizes.withLock { $0[path] } }
}
