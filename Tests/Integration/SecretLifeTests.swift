import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHModel

@Suite("Secrets: their life") struct SecretLifeTests {
    private struct Held {
        weak var bytes: SecretBytes?
    }

    @Test("an open connection keeps neither its password nor its passphrase in memory")
    func connected() async throws {
        try await SSHDSandbox.run { box in
            var (password, passphrase) = (Held(), Held())
            let connection = try await open(box, &password, &passphrase)
            // The event loop releases its remaining references in its next turns.
            for _ in 0..<6000 where password.bytes != nil || passphrase.bytes != nil {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(password.bytes == nil)
            #expect(passphrase.bytes == nil)
            _ = try await connection.run("true", check: true)
            await connection.close()
        }
    }

    private func open(_ box: SSHDSandbox, _ password: inout Held, _ passphrase: inout Held) async throws -> SSHConnection {
        var configuration = try await box.configuration()
        let secrets = (SSHSecret("not asked for"), SSHSecret("correct horse"))
        configuration.credentials.password = secrets.0
        configuration.credentials.passphrase = secrets.1
        (password.bytes, passphrase.bytes) = (secrets.0.storage, secrets.1.storage)
        return try await SSHClient.connect(to: box.endpoint(), configuration: configuration)
    }
}
