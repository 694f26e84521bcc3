import BridgeSSH
import SSHTestSupport
import Testing

/// One thing that a scripted server does, because no real one does it when asked to: a row of the matrix.
struct ScriptedScene: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Expected
    let script: ServerScript
    let arrange: @Sendable (ScratchDirectory, inout Visit) async throws -> Void

    init(
        _ name: String, _ expected: Expected, _ script: ServerScript = ServerScript(),
        arrange: @escaping @Sendable (ScratchDirectory, inout Visit) async throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.expected = expected
        self.script = script
        self.arrange = arrange
    }

    var testDescription: String { name }

    func play(location: SourceLocation = #_sourceLocation) async throws {
        try await Gate.shared.pass {
            try await ScriptedServer.run(script) { server in
                try await ScratchDirectory.with { scratch in
                    var visit = server.visit()
                    try await arrange(scratch, &visit)
                    try await visit.check(expected, location: location)
                }
            }
        }
    }
}

extension ScriptedServer {
    /// A run that succeeds where everybody is let in.
    func visit() -> Visit {
        var visit = Visit(host: host, port: port, user: "alice")
        visit.knownHosts = [knownHosts]
        return visit
    }
}
