/// The program of a session channel (RFC 4254 section 6.5).
package enum ChannelProgram: Sendable {
    case command(String)
    case subsystem(String)
    /// A shell that the command is typed into.
    case shell(String)

    /// The greatest length of a command that libssh2 sends, in bytes.
    package static var maximumBytes: Int { Session.maximumCommandLength }

    package var text: String {
        switch self {
        case .command(let text), .subsystem(let text), .shell(let text): text
        }
    }

    /// The request that starts the program.
    var request: SSHEvidence.ChannelRequest {
        switch self {
        case .command: .exec
        case .subsystem: .subsystem
        case .shell: .shell
        }
    }

    /// The request's argument; a shell has none.
    var argument: String {
        if case .shell = self { return "" }
        return text
    }

    var isShell: Bool { request == .shell }

    /// The log text for its start.
    var opening: String {
        switch self {
        case .command: "opening a session channel"
        case .subsystem(let name): "starting the \(name) subsystem"
        case .shell: "starting a shell"
        }
    }

    /// The log text for its run.
    var running: String {
        switch self {
        case .command: "running the command"
        case .subsystem(let name): "the \(name) subsystem runs"
        case .shell: "waiting for the shell's prompt"
        }
    }

    var field: String {
        switch self {
        case .command, .shell: "command"
        case .subsystem: "subsystem"
        }
    }
}
