import BridgeSSH
import SSHTestSupport
import Testing

/// One behaviour that no real server shows on demand, from a scripted server: a row of the matrix.
struct ScriptedCase: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Expected
    let script: ServerScript
    let arrange: @Sendable (ScratchDirectory, inout TestRun) async throws -> Void

    init(
        _ name: String, _ expected: Expected, _ script: ServerScript = ServerScript(),
        arrange: @escaping @Sendable (ScratchDirectory, inout TestRun) async throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.expected = expected
        self.script = script
        self.arrange = arrange
    }

    var testDescription: String { name }

    func check(location: SourceLocation = #_sourceLocation) async throws {
        try await TestWay.$name.withValue(name) { try await checkNamed(location) }
    }

    private func checkNamed(_ location: SourceLocation) async throws {
        try await Gate.shared.pass {
            try await ScriptedServer.run(script) { server in
                try await ScratchDirectory.with { scratch in
                    var testRun = server.testRun()
                    try await arrange(scratch, &testRun)
                    try await testRun.check(expected, location: location)
                }
            }
        }
    }
}

extension ScriptedServer {
    /// A run that succeeds if every login is accepted.
    func testRun() -> TestRun {
        var testRun = TestRun(host: host, port: port, user: "alice")
        testRun.knownHosts = [knownHosts]
        return testRun
    }
}
