/// What runs on a session channel (RFC 4254 section 6.5).
enum ChannelProgram: Sendable {
    case command(String)
    case subsystem(String)

    var text: String {
        switch self {
        case .command(let text), .subsystem(let text): text
        }
    }

    var field: String {
        switch self {
        case .command: "command"
        case .subsystem: "subsystem"
        }
    }
}

extension Session {
    /// - Parameter sent: called right before the request is sent.
    func start(_ id: ChannelID, _ program: ChannelProgram, sent: @escaping @Sendable () -> Void) async throws(Fault) {
        switch program {
        case .command(let text): try await execute(id, text, sent: sent)
        case .subsystem(let name): try await startSubsystem(id, name, sent: sent)
        }
    }
}
