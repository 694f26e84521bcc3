/// The failure codes by name, for `SSHError.Code` and, in a `catch`, for `SSHError`.
public protocol SSHFailureCodes {}

/// ``SSHFailureCodes``.
@available(*, deprecated, renamed: "SSHFailureCodes")
public typealias FailureCodes = SSHFailureCodes
