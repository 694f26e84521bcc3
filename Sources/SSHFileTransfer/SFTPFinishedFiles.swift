internal import Synchronization

/// The files that attempts at a copy have finished, so that the next attempt leaves them out. For attempts at one copy only: the
/// files are known by the paths of their sources.
public final class SFTPFinishedFiles: Sendable {
    private let sizes = Mutex([String: UInt64]())
    /// What stood at the destination before the first attempt, once that has looked.
    private let first = Mutex<SFTPFileKind??>(nil)
    /// How many are remembered at most.
    private let limit: Int

    /// None yet.
    public init() { limit = .max }

    /// None yet.
    ///
    /// - Parameter limit: how many are remembered; those beyond are copied again.
    package init(limit: Int) { self.limit = limit }

    /// How many there are.
    public var count: Int { sizes.withLock { $0.count } }

    func add(_ path: String, size: UInt64) {
        sizes.withLock { if $0.count < limit { $0[path] = size } }
    }

    /// Nil for a file that is not finished.
    func size(of path: String) -> UInt64? { sizes.withLock { $0[path] } }

    /// What decides where the copy goes, as cp(1) has it: what stood at the destination before the first attempt. An attempt that
    /// finds the directory that an earlier one has made must not copy into it.
    func destination(found kind: SFTPFileKind?) -> SFTPFileKind? {
        first.withLock { first in
            if let first { return first }
            first = .some(kind)
            return kind
        }
    }
}
