/// The steps of a diagnosis, in this order.
public enum SSHDiagnosisStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The jump hosts and the ProxyCommand through which the host is reached.
    case route
    /// Resolving the host name.
    case resolve
    /// A TCP connection to each address.
    case connect
    /// The identification exchange (RFC 4253 section 4.2).
    case identification
    /// The algorithms offered and chosen (RFC 4253 section 7.1).
    case algorithms
    /// The server's host key against known_hosts.
    case hostKey
    /// The authentication methods that the server offers (RFC 4252 section 5.2).
    case methods
    /// Every key and password that is held.
    case credentials
    /// Opening a session channel (RFC 4254 section 6.1).
    case channel
    /// Running a command on it (RFC 4254 section 6.5).
    case exec
    /// The server's clock compared with the local one.
    case clock
    /// What the login shell writes before and after a command's output.
    case noise
    /// Where the login shell looks for programs when it runs a command.
    case path

    /// The step to which a failure of a stage belongs.
    ///
    /// - Parameter last: the stage that was entered last, for a local failure.
    init(of stage: SSHStage, last: SSHStage?) {
        switch stage {
        case .resolve: self = .resolve
        case .connect: self = .connect
        case .banner: self = .identification
        case .keyExchange: self = .algorithms
        case .hostKey: self = .hostKey
        case .key, .authentication: self = .credentials
        case .channel: self = .channel
        case .session, .sftp, .command: self = .exec
        case .local: self = last.flatMap { $0 == .local ? nil : SSHDiagnosisStep(of: $0, last: nil) } ?? .resolve
        }
    }
}
