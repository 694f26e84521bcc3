/// The progress of a copy.
public struct SFTPProgress: Sendable, Hashable {
    /// Bytes that are done, including those that an earlier copy had moved.
    public var bytes: UInt64 = 0
    /// Of ``bytes``, those that an earlier copy had moved.
    public var resumedBytes: UInt64 = 0
    /// Bytes in all, as far as they are known.
    public var totalBytes: UInt64 = 0
    /// Files that are complete.
    public var files = 0
    /// Files in all, as far as they are known.
    public var totalFiles = 0
    /// Whether the totals are complete: a directory is copied while it is listed.
    public var isTotalKnown = false
    /// The file that was started last.
    public var path = ""

    /// Nothing yet.
    public init() {}
}
