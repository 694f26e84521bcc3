internal import Synchronization

/// The files that attempts at a copy have finished, so that the next attempt skips them. Use it for attempts at one copy only:
/// files are identified by the paths of their sources.
public final class SFTPFinishedFiles: Sendable {
    private let sizes: Mutex<[String: UInt64]>
    /// What was at the destination before the first attempt, once that is known.
    private let first = Mutex<SFTPFileKind??>(nil)
    /// How many are remembered at most, and whether what this process adds is.
    private let limit: Int
    private let remembers: Bool

    private let added: @Sendable (_ path: String, _ size: UInt64) -> Void

    /// None yet.
    public convenience init() { self.init(limit: .max) }

    /// Those of attempts by another process.
    ///
    /// - Parameters:
    ///   - limit: the most files that are remembered; those beyond are copied again.
    ///   - remembers: whether files that are finished from now on are remembered too.
    ///   - known: the sizes of finished files, by their paths.
    ///   - added: called with each file that is finished.
    package init(
        limit: Int, remembers: Bool = true, known: [String: UInt64] = [:],
        added: @escaping @Sendable (_ path: String, _ size: UInt64) -> Void = { _, _ in }
    ) {
        self.limit = limit
        self.remembers = remembers
        sizes = Mutex(known)
        self.added = added
    }

    /// How many there are.
    public var count: Int { sizes.withLock { $0.count } }

    func add(_ path: String, size: UInt64) {
        if remembers { sizes.withLock { if $0.count < limit { $0[path] = size } } }
        added(path, size)
    }

    /// Nil for a file that is not finished.
    func size(of path: String) -> UInt64? { sizes.withLock { $0[path] } }

    /// What was at the destination before the first attempt, which decides the targets as with cp(1). An attempt that finds the
    /// directory that an earlier one has made must not copy into it.
    func destination(found kind: SFTPFileKind?) -> SFTPFileKind? {
        first.withLock { first in
            if let first { return first }
            first = .some(kind)
            return kind
        }
    }
}
