import BridgeSSH
import SSHTestSupport
import Testing

/// A server that leaves out the leading zeros of its host key's RSA signature.
@Suite("A short RSA signature") struct ShortSignatureTests {
    static let algorithms = InstalledLibrary.is111 ? ["ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"] : ["ssh-rsa"]

    private func run(_ algorithm: String, isSpoilt: Bool) async throws {
        var script = ServerScript()
        script.shortRSASignature = algorithm
        script.spoilsHostKeySignature = isSpoilt
        try await ScriptedServer.run(script) { server in
            var configuration = server.testRun().configuration
            configuration.algorithms.hostKey = [algorithm]
            let endpoint = SSHEndpoint(unchecked: server.host, port: server.port, user: "alice")
            let result = try await SSHClient.withConnection(to: endpoint, configuration: configuration) {
                try await $0.run("true")
            }
            #expect(result.termination == .exited(0))
        }
    }

    @Test("it is accepted, as by ssh", arguments: algorithms) func taken(_ algorithm: String) async throws {
        try await run(algorithm, isSpoilt: false)
    }

    @Test("it is verified", arguments: algorithms) func verified(_ algorithm: String) async throws {
        let error = try #require(await #expect(throws: SSHError.self) { try await run(algorithm, isSpoilt: true) })
        #expect(error.code == .kexHostKeySignatureInvalid)
    }
}
