/// What has a ``ErrorRecord/place``: `source` was a string at first, and an optional one later. Both are read.
@available(*, deprecated, renamed: "ErrorRecord")
public protocol OldErrorRecord {
    /// ``ErrorRecord/place``.
    var place: String? { get }
}

@available(*, deprecated, renamed: "ErrorRecord")
extension OldErrorRecord {
    /// ``ErrorRecord/place``.
    @available(*, deprecated, renamed: "place")
    public var source: String? { place }
}

@available(*, deprecated)
extension ErrorRecord: OldErrorRecord {}
