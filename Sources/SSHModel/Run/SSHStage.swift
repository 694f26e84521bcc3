/// The part of a run in which something was seen. The names are those of docs/json-schema.json.
public enum SSHStage: String, Sendable, Hashable, Codable, CaseIterable {
    /// Turning a host name into addresses.
    case resolve
    /// Opening a TCP connection.
    case connect
    /// The identification exchange (RFC 4253 section 4.2).
    case banner
    /// Key exchange (RFC 4253 section 7), up to the new keys.
    case keyExchange
    /// Comparing the server's host key with the known ones.
    case hostKey
    /// Reading a local private key.
    case key
    /// User authentication (RFC 4252), including the agent.
    case authentication
    /// Opening a session channel and starting the command on it (RFC 4254 sections 5 and 6).
    case channel
    /// An established session.
    case session
    /// File transfer over SFTP: the protocol, and the files of both sides.
    case sftp
    /// The remote command itself.
    case command
    /// The local side: usage, configuration, cancellation.
    case local
}
