public import ErrorCore

/// Why a remote command failed, derived from its exit status and standard error. It is advice: a program can print anything.
public struct SSHRemoteCause: Sendable, Hashable, Codable {
    /// The app-wide case for the cause.
    public var appError: AppError
    /// A stable code, such as `remote.file-not-found`.
    public var code: String
    /// One sentence for a person.
    public var message: String
    /// Its certainty.
    public var confidence: SSHError.Confidence
    /// The cause behind this cause: for example, the name that could not be resolved when a clone failed.
    public var reason: SSHRemoteCause? {
        get { reasons.first }
        set { reasons = newValue.map { [$0] } ?? [] }
    }
    /// At most one. The type is an array because a struct cannot contain itself.
    private var reasons: [SSHRemoteCause] = []

    /// A cause.
    public init(appError: AppError, code: String, message: String, confidence: SSHError.Confidence) {
        self.appError = appError
        self.code = code
        self.message = message
        self.confidence = confidence
    }
}
