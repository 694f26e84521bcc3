/// The failure codes by name, for `SSHError.Code` and, in a `catch`, for `SSHError`.
public protocol FailureCodes {}
