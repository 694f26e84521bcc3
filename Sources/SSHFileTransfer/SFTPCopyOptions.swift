/// How files are copied.
public struct SFTPCopyOptions: Sendable {
    /// Whether directories are copied, with all that is in them. Symbolic links in them are copied as links and never followed.
    public var isRecursive: Bool
    /// Whether modes and times become those of the source; otherwise modes do as far as the umask allows.
    public var preservesAttributes: Bool
    /// Whether to resume the partial copy of an earlier copy with this option, and to leave one when this copy fails.
    public var resumes: Bool
    /// Whether the SHA-256 of both sides are compared before a copy gets its name. The server's comes from a command there; where
    /// that is not possible the copy is made, and counted in ``SFTPCopyResult/unverifiedFiles``.
    public var verifiesChecksums: Bool
    /// Whether files are overwritten where they are, so that hard links stay and no second copy needs space, instead of being
    /// replaced in one step. A copy that fails then leaves a file that is neither old nor new; ``resumes`` has no effect.
    ///
    /// Without this, a file is written in place only where its directory does not let the user replace it; a notice says so.
    public var writesInPlace = false
    /// Whether parts of a file that hold nothing but zeros are left out of a new copy, as holes. They count as copied.
    public var isSparse = false
    /// The most bytes of content a second, over all files; nil for as many as the connection carries; 1 or more, or the copy is
    /// refused.
    public var bytesPerSecond: Int?
    /// Whether the destination's directory is made where there is none, with all above it. Several sources, or a destination that
    /// ends with `/`, go into it; of a single source the destination is the new path.
    public var createsParents: Bool
    /// Whether `*`, `?` and `[…]` in the sources of a download stand for the names at the server that match, as in a shell: see
    /// ``SFTPClient/paths(matching:)``.
    public var expandsWildcards = false
    /// Whether the other files are copied after one has failed: see ``SFTPCopyResult/failures``.
    public var continuesAfterFailure: Bool
    /// How many files are in transit at once, 1 to 1000, or the copy is refused; at most 4 with ``verifiesChecksums``.
    public var concurrency = 64
    /// How many bytes are in flight at once, over all files, to begin with: 1 to 2³⁰, or the copy is refused. With
    /// ``resumes`` it is also the limit for one file: a later copy goes back by that much.
    public var window = 4 << 20
    /// How many bytes may be in flight at once where the path has a long delay and can carry more, and how much memory may be
    /// held then, at most 2³⁰. No growth if it is not above ``window``.
    public var largestWindow = 32 << 20
    /// The most entries of a tree that are copied, 0 or more, or the copy is refused; it ends with `ssh.sftp.limit-exceeded` at the next one.
    public var maximumEntries = 1_000_000
    /// What earlier attempts at the same copy have finished: those files are not copied again.
    public var finished: SFTPFinishedFiles?
    /// Called for every step, on no particular thread; it must return soon.
    public var progress: (@Sendable (SFTPProgress) -> Void)?
    /// Called with what was copied and what had failed so far when the copy ends with an error, before that is thrown: it was
    /// cancelled, or the connection was lost. On no particular thread.
    public var interrupted: (@Sendable (SFTPCopyResult) -> Void)?

    /// The most bytes in flight at once where many copies share one memory; nil for what ``window`` and ``largestWindow`` say.
    package var memory: Int?
    /// The pace that several copies share, in place of ``bytesPerSecond``.
    package var pace: RateLimit?
    /// Whether a download writes to what a symbolic link in the place of its target leads to: the user may mean that where the target
    /// has been named. Otherwise the link is replaced.
    package var followsTarget = true

    /// The defaults, but for what is given.
    public init(
        isRecursive: Bool = false, preservesAttributes: Bool = false, resumes: Bool = false, verifiesChecksums: Bool = false,
        createsParents: Bool = false, continuesAfterFailure: Bool = false, bytesPerSecond: Int? = nil,
        progress: (@Sendable (SFTPProgress) -> Void)? = nil
    ) {
        self.isRecursive = isRecursive
        self.preservesAttributes = preservesAttributes
        self.resumes = resumes
        self.verifiesChecksums = verifiesChecksums
        self.createsParents = createsParents
        self.continuesAfterFailure = continuesAfterFailure
        self.bytesPerSecond = bytesPerSecond
        self.progress = progress
    }

    /// What of a number makes no sense; nil if they all do.
    package var problem: (field: String, text: String)? {
        let most = 1 << 30
        if !(1...1000).contains(concurrency) { return ("concurrency", "\(concurrency) is not from 1 to 1000") }
        if !(1...most).contains(window) { return ("window", "\(window) is not from 1 to \(most)") }
        if largestWindow > most { return ("largestWindow", "\(largestWindow) is more than \(most)") }
        if let bytesPerSecond, bytesPerSecond < 1 { return ("bytesPerSecond", "\(bytesPerSecond) is less than 1") }
        if maximumEntries < 0 { return ("maximumEntries", "\(maximumEntries) is less than 0") }
        return nil
    }

    /// How far parts of a file may be ahead of the first that is missing: twice what may be under way, so that some wait where the
    /// path would take more.
    func reach(_ budget: ByteBudget) -> Int { resumes ? window : min(max(window, largestWindow), 2 * budget.limit) }

    /// With what one option means for the others.
    var consistent: Self {
        var options = self
        // Each comparison is a command of its own, and sshd allows ten channels on a connection (MaxSessions).
        if verifiesChecksums { options.concurrency = min(options.concurrency, 4) }
        if writesInPlace { options.resumes = false }
        return options
    }
}
