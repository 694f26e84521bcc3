internal import Crypto
internal import Synchronization

/// The options of a copy.
public struct SFTPCopyOptions: Sendable {
    /// Whether directories are copied with their content. Symbolic links in them are copied as links and never followed.
    public var isRecursive: Bool
    /// Whether copies get the modes and times of their sources. Otherwise they get the modes only, as far as the umask allows.
    public var preservesAttributes: Bool
    /// Whether to continue the unfinished file of an earlier copy with this option, and to leave one if this copy fails.
    public var resumes: Bool
    /// Whether the SHA-256 of both sides are compared before a copy gets its name. A command on the server computes its side.
    /// If that is not possible, the copy is made and counted in ``SFTPCopyResult/unverifiedFiles``.
    public var verifiesChecksums: Bool
    /// Whether files are overwritten in place instead of being replaced in one step. Then hard links stay, and no second copy
    /// needs space. A copy that fails leaves a file that is neither old nor new, and ``resumes`` has no effect.
    ///
    /// Without this, a file is written in place only if its directory does not let the user replace it; a notice reports that.
    public var writesInPlace: Bool
    /// Whether parts that contain only zeros become holes in a new copy. They count as copied.
    public var isSparse: Bool
    /// The most bytes of content per second, over all files; nil for no limit. Values below 1 are refused.
    public var bytesPerSecond: Int?
    /// Whether to make the destination's missing directory and its parents. Several sources go into the destination, and so
    /// does a single source if the destination ends with `/`; otherwise the destination is the new path of a single source.
    public var createsParents: Bool
    /// Whether `*`, `?` and `[…]` in the sources of a download are replaced by the matching names at the server, as in a shell:
    /// see ``SFTPClient/paths(matching:)``.
    public var expandsWildcards: Bool
    /// Whether to copy the other files after one has failed: see ``SFTPCopyResult/failures``.
    public var continuesAfterFailure: Bool
    /// The number of files in transit at once, 1 to 1000; other values are refused. At most 4 with ``verifiesChecksums``.
    /// Default 64.
    public var concurrency: Int
    /// The initial number of bytes in flight at once, over all files: 1 to 2³⁰; other values are refused. With ``resumes`` it
    /// is also the limit for one file: a later copy goes back by that many bytes. Default 4 MiB.
    public var window: Int
    /// The most bytes in flight at once, and so the memory that they take, on a path with a long delay that can carry more: at
    /// most 2³⁰. A value not above ``window`` means no growth. Default 32 MiB.
    public var largestWindow: Int
    /// The most entries of a tree, 0 or more; other values are refused. A copy ends with `ssh.sftp.limit-exceeded` at the next
    /// entry. Default 1,000,000.
    public var maximumEntries: Int
    /// The files that earlier attempts at the same copy have finished. They are not copied again.
    public var finished: SFTPFinishedFiles?
    /// Called for every step, on no particular thread; it must return soon.
    public var progress: (@Sendable (SFTPProgress) -> Void)?
    /// Called with the result so far when the copy ends with an error, such as a cancellation or a lost connection, before the
    /// error is thrown. On no particular thread.
    public var interrupted: (@Sendable (SFTPCopyResult) -> Void)?

    /// The most bytes in flight at once for many copies that share one memory; nil to use ``window`` and ``largestWindow``.
    package var memory: Int?
    /// The pace that several copies share, in place of ``bytesPerSecond``.
    package var pace: RateLimit?
    /// Whether a download writes through a symbolic link at its target, which the user may intend for a named target. Otherwise
    /// the link is replaced.
    package var followsTarget = true

    /// The defaults, except for the given values.
    public init(
        isRecursive: Bool = false, preservesAttributes: Bool = false, resumes: Bool = false, verifiesChecksums: Bool = false,
        writesInPlace: Bool = false, isSparse: Bool = false, createsParents: Bool = false, expandsWildcards: Bool = false,
        continuesAfterFailure: Bool = false, bytesPerSecond: Int? = nil, concurrency: Int = 64, window: Int = 4 << 20,
        largestWindow: Int = 32 << 20, maximumEntries: Int = 1_000_000, finished: SFTPFinishedFiles? = nil,
        progress: (@Sendable (SFTPProgress) -> Void)? = nil, interrupted: (@Sendable (SFTPCopyResult) -> Void)? = nil
    ) {
        self.isRecursive = isRecursive
        self.preservesAttributes = preservesAttributes
        self.resumes = resumes
        self.verifiesChecksums = verifiesChecksums
        self.writesInPlace = writesInPlace
        self.isSparse = isSparse
        self.createsParents = createsParents
        self.expandsWildcards = expandsWildcards
        self.continuesAfterFailure = continuesAfterFailure
        self.bytesPerSecond = bytesPerSecond
        self.concurrency = concurrency
        self.window = window
        self.largestWindow = largestWindow
        self.maximumEntries = maximumEntries
        self.finished = finished
        self.progress = progress
        self.interrupted = interrupted
    }

    /// The problem with an invalid number; nil if all are valid.
    package var problem: (field: String, text: String)? {
        let most = 1 << 30
        if !(1...1000).contains(concurrency) { return ("concurrency", "\(concurrency) is not from 1 to 1000") }
        if !(1...most).contains(window) { return ("window", "\(window) is not from 1 to \(most)") }
        if largestWindow > most { return ("largestWindow", "\(largestWindow) is more than \(most)") }
        if let bytesPerSecond, bytesPerSecond < 1 { return ("bytesPerSecond", "\(bytesPerSecond) is less than 1") }
        if maximumEntries < 0 { return ("maximumEntries", "\(maximumEntries) is less than 0") }
        return nil
    }

    /// The distance that parts of a file may be ahead of the first missing byte: twice the limit of bytes in flight, so that
    /// some parts are waiting if the path can carry more.
    func reach(_ budget: ByteBudget) -> Int { resumes ? window : min(max(window, largestWindow), 2 * budget.limit) }

    /// The options with their effects on each other applied.
    var consistent: Self {
        var options = self
        // Each comparison runs a command, and sshd allows ten channels on a connection (MaxSessions).
        if verifiesChecksums { options.concurrency = min(options.concurrency, 4) }
        if writesInPlace { options.resumes = false }
        return options
    }
}

/// The name of a copy until it is complete, in its final directory.
package enum PartialName {
    static let suffix = ".bridge-partial"
    /// Why a copy cannot be given its name.
    static let isGone = "its partial copy is gone: another copy of the same file has finished it, or something has removed it"
    /// NAME_MAX of nearly every file system.
    private static let maximumLength = 255

    /// The name for a copy of a source.
    static func of(_ name: String, _ source: any FileSource, _ options: SFTPCopyOptions) -> String {
        guard options.resumes else { return unique(for: name) }
        let attributes = source.attributes
        return resumable(
            for: name, from: source.identity, size: attributes.size ?? 0, modification: attributes.times?.modification ?? 0,
            window: options.window)
    }

    /// A name that no other copy uses.
    static func unique(for name: String) -> String {
        make(name, mark: String(UInt64.random(in: 0...UInt64.max), radix: 36))
    }

    /// A name that a later copy of the same source finds again. It depends on the source's identity, size and time: two copies at
    /// once of different files must not write the same one. It depends on the copy's window too, because another window would
    /// leave gaps at unknown positions.
    ///
    /// - Parameter source: the identity of the source: see `FileSource.identity`.
    package static func resumable(
        for name: String, from source: String, size: UInt64, modification: UInt32, window: Int
    ) -> String {
        let digest = SHA256.hash(data: Array(source.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let parts = [size, UInt64(modification), UInt64(max(0, window)), digest]
        return make(name, mark: parts.map { String($0, radix: 36) }.joined(separator: "-"))
    }

    private static func make(_ name: String, mark: String) -> String {
        let whole = ".\(name).\(mark)\(suffix)"
        guard PathText.count(whole) > maximumLength else { return whole }
        let digest = SHA256.hash(data: Array(name.utf8)).prefix(12).map { String($0, radix: 36) }.joined(separator: "-")
        return ".\(digest).\(mark)\(suffix)"
    }

    /// Where a resumed copy continues. Parts are written in any order. In an interrupted copy the missing parts lie within one
    /// window, or one part if that is more, of the end; everything before that is complete.
    static func resumption(found: UInt64, size: UInt64, window: Int, part: Int) -> UInt64 {
        let reach = UInt64(max(0, window, part))
        return found <= size && found > reach ? found - reach : 0
    }
}

/// The progress of a copy.
public struct SFTPProgress: Sendable, Hashable {
    /// Bytes that are done, including those that an earlier copy had moved.
    public var bytes: UInt64 = 0
    /// The part of ``bytes`` that an earlier copy had moved.
    public var resumedBytes: UInt64 = 0
    /// Total bytes, as far as they are known.
    public var totalBytes: UInt64 = 0
    /// Files that are complete.
    public var files = 0
    /// Total files, as far as they are known.
    public var totalFiles = 0
    /// Whether the totals are complete. A directory is copied while it is listed.
    public var isTotalKnown = false
    /// The file that was started last.
    public var path = ""

    /// Nothing yet.
    public init() {}
}

/// The files that attempts at a copy have finished, so that the next attempt skips them. Use it for attempts at one copy only:
/// files are identified by the paths of their sources.
public final class SFTPFinishedFiles: Sendable {
    private let sizes: Mutex<[String: UInt64]>
    /// The entry at the destination before the first attempt, once that is known.
    private let destinationBefore = Mutex<SFTPFileKind??>(nil)
    /// The greatest number of remembered files, and whether to remember files of this process.
    private let limit: Int
    private let remembers: Bool

    private let added: @Sendable (_ path: String, _ size: UInt64) -> Void

    /// None yet.
    public convenience init() { self.init(limit: .max) }

    /// The files finished by attempts of another process.
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

    /// The number of files.
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
        destinationBefore.withLock { first in
            if let first { return first }
            first = .some(kind)
            return kind
        }
    }
}
