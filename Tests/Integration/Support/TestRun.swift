import BridgeSSH
import SSHTestSupport

/// One run, which both the library and the executable can make.
struct TestRun: Sendable {
    var host: String
    var port: Int
    var user: String
    var identities: [String] = []
    var identitiesOnly = false
    var agent: String?
    var password: String?
    var passphrase: String?
    var knownHosts: [String] = []
    var policy = SSHHostKeyPolicy.strict
    var family = SSHAddressFamily.any
    /// Long, so that only a case that would wait without end reaches it, even on a busy machine.
    var connectTimeout = 60.0
    var timeout: Double?
    var idleTimeout: Double?
    var drain: Double?
    var keepalive: Double?
    var tty = false
    var outputLimit: Int?
    var command = "true"
    var input: [UInt8] = []

    /// Texts that must not appear in any output.
    var secrets: [String] { [password, passphrase].compactMap { $0 } }
}

extension SSHDSandbox {
    /// A run that succeeds: the client key, the server's own host keys, `true`.
    func testRun(
        _ user: SandboxUser = .alice, _ command: String = "true", through port: Int? = nil
    ) async throws -> TestRun {
        var testRun = TestRun(host: host, port: port ?? self.port, user: user.name, command: command)
        testRun.identities = [clientKeyFile]
        testRun.knownHosts = [try await knownHosts(port: port)]
        return testRun
    }
}

extension FaultServer {
    /// A run with a password against a broken server, which never gets as far as asking for it.
    func testRun(connectTimeout: Double = 60) -> TestRun {
        var testRun = TestRun(host: host, port: port, user: "alice")
        testRun.password = "never-sent-pw"
        testRun.connectTimeout = connectTimeout
        testRun.knownHosts = ["/dev/null"]
        return testRun
    }
}
