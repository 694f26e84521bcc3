/// The allowed outcomes of a run that a hostile server has disturbed, or has tried to.
public struct AttackOutcomes: OptionSet, Sendable {
    /// One bit a way.
    public let rawValue: Int
    /// From the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The command's output and its status arrived all the same.
    static let success = AttackOutcomes(rawValue: 1 << 0)
    /// The server does not speak SSH properly.
    static let protocolError = AttackOutcomes(rawValue: 1 << 1)
    /// The connection was lost.
    static let lost = AttackOutcomes(rawValue: 1 << 2)
    /// The server sent SSH_MSG_DISCONNECT.
    static let disconnected = AttackOutcomes(rawValue: 1 << 3)
    /// A deadline passed.
    static let timedOut = AttackOutcomes(rawValue: 1 << 4)
    /// The server did not authenticate the user.
    static let denied = AttackOutcomes(rawValue: 1 << 5)
    /// The server refused the channel, or a request on it.
    static let channelRefused = AttackOutcomes(rawValue: 1 << 6)
    /// The command ended otherwise than by status 42, or how it ended is unknown.
    static let commandFailed = AttackOutcomes(rawValue: 1 << 7)
    /// The host key is not the known one, or does not sign.
    static let hostKeyRefused = AttackOutcomes(rawValue: 1 << 8)
    /// No algorithm is common to both.
    static let noCommonAlgorithm = AttackOutcomes(rawValue: 1 << 9)
    /// The received bytes are no identification.
    static let notSSH = AttackOutcomes(rawValue: 1 << 10)

    /// The outcome for an error of this code; empty where no server can be the reason.
    init(code: String) {
        let parts = code.split(separator: ".").dropFirst()
        let (stage, cause) = (parts.first ?? "", parts.dropFirst().first ?? "")
        switch (stage, cause) {
        case (_, "protocol-error"): self = .protocolError
        case (_, "closed"), (_, "closed-early"), (_, "connection-lost"), (_, "connection-dropped"): self = .lost
        case (_, "disconnected"): self = .disconnected
        case (_, "timed-out"), (_, "idle-timed-out"): self = .timedOut
        case ("host-key", _), ("kex", "host-key-signature-invalid"): self = .hostKeyRefused
        case ("kex", _): self = .noCommonAlgorithm
        case ("banner", _): self = .notSSH
        case ("auth", _): self = .denied
        case ("channel", _): self = .channelRefused
        case ("command", _): self = .commandFailed
        default: self = []
        }
    }
}
