/// What runs on a session channel (RFC 4254 section 6.5).
package enum ChannelProgram: Sendable {
    case command(String)
    case subsystem(String)

    /// The most bytes that libssh2 sends as a command.
    package static var mostBytes: Int { Session.longestCommand }

    package var text: String {
        switch self {
        case .command(let text), .subsystem(let text): text
        }
    }

    /// The request that starts it.
    var request: SSHEvidence.ChannelRequest {
        switch self {
        case .command: .exec
        case .subsystem: .subsystem
        }
    }

    /// What a log says of its start.
    var opening: String {
        switch self {
        case .command: "opening a session channel"
        case .subsystem(let name): "starting the \(name) subsystem"
        }
    }

    /// What a log says of its run.
    var running: String {
        switch self {
        case .command: "running the command"
        case .subsystem(let name): "the \(name) subsystem runs"
        }
    }

    var field: String {
        switch self {
        case .command: "command"
        case .subsystem: "subsystem"
        }
    }
}
