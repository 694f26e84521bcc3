import ErrorCore

extension AppError {
    /// The name of the case, such as `sshTimeout`: what `case` in the JSON says.
    package var caseName: String {
        switch self {
        case .networkUnavailable: "networkUnavailable"
        case .cancelled: "cancelled"
        case .timeout: "timeout"
        case .sslError: "sslError"
        case .dnsError: "dnsError"
        case .permissionDenied: "permissionDenied"
        case .sshConnectionFailed: "sshConnectionFailed"
        case .sshAuthenticationFailed: "sshAuthenticationFailed"
        case .sshCommandFailed: "sshCommandFailed"
        case .sshTimeout: "sshTimeout"
        case .sshKeyInvalid: "sshKeyInvalid"
        case .sshHostKeyMismatch: "sshHostKeyMismatch"
        case .fileNotFound: "fileNotFound"
        case .fileReadError: "fileReadError"
        case .fileWriteError: "fileWriteError"
        case .insufficientDiskSpace: "insufficientDiskSpace"
        case .filePermissionDenied: "filePermissionDenied"
        case .validationError: "validationError"
        case .projectCloneFailed: "projectCloneFailed"
        case .internalError: "internalError"
        default: reflectedName
        }
    }

    /// The cases that no SSH failure becomes, so that nobody minds that this is slow.
    private var reflectedName: String {
        let mirror = Mirror(reflecting: self)
        return mirror.children.first?.label ?? "\(self)"
    }
}
