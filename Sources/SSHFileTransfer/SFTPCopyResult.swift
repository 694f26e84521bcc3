/// The result of a copy.
public struct SFTPCopyResult: Sendable, Equatable {
    /// Files that are complete.
    public var files = 0
    /// Directories, including those that existed already.
    public var directories = 0
    /// Symbolic links.
    public var symbolicLinks = 0
    /// Bytes that were moved.
    public var bytes: UInt64 = 0
    /// Bytes that an earlier copy had moved.
    public var resumedBytes: UInt64 = 0
    /// Files whose checksums were compared and found equal.
    public var verifiedFiles = 0
    /// Files whose checksums were to be compared and could not be; a notice gives the reason.
    public var unverifiedFiles = 0
    /// Entries of directories that were left out, because they are no file, directory or link, or links that lead elsewhere.
    public var leftOut = 0
    /// What was left out, could not be verified, or was done in another way: the first 1,000, and then one that gives the number of
    /// the others.
    public var notices: [String] = []
    /// What went wrong with single files, where the others were copied all the same: the first 1,000; a notice gives the number
    /// of the others.
    public var failures: [SSHError] = []
    /// How many there were, those included that are not in ``failures``.
    public var failureCount = 0
    /// Partial copies that are left: with ``SFTPCopyOptions/resumes`` a later copy goes on with them, otherwise they could not be
    /// removed. In no particular order, and at most 1,000; a notice gives the number of the others.
    public var partialFiles: [String] = []

    /// Nothing yet.
    public init() {}
}
