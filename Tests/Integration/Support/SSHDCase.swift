import BridgeSSH
import SSHTestSupport
import Testing

/// A fault, or a feature that must work, on a real sshd: a row of the matrix.
struct SSHDCase: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Expected
    let user: SandboxUser
    var options: SSHDSandbox.Options
    let command: String
    let arrange: @Sendable (SSHDSandbox, inout TestRun) async throws -> Void

    init(
        _ name: String, _ expected: Expected, as user: SandboxUser = .alice, server configuration: String = "", pam: Bool = false,
        _ command: String = "true", options change: (inout SSHDSandbox.Options) -> Void,
        arrange: @escaping @Sendable (SSHDSandbox, inout TestRun) async throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.expected = expected
        self.user = user
        self.command = command
        self.arrange = arrange
        options = SSHDSandbox.Options(configuration)
        options.usePAM = pam
        change(&options)
    }

    init(
        _ name: String, _ expected: Expected, as user: SandboxUser = .alice, server configuration: String = "", pam: Bool = false,
        _ command: String = "true", arrange: @escaping @Sendable (SSHDSandbox, inout TestRun) async throws -> Void = { _, _ in }
    ) {
        self.init(
            name, expected, as: user, server: configuration, pam: pam, command, options: { _ in }, arrange: arrange)
    }

    var testDescription: String { name }

    func check(location: SourceLocation = #_sourceLocation) async throws {
        try await TestWay.$name.withValue(name) { try await checkNamed(location) }
    }

    private func checkNamed(_ location: SourceLocation) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(options) { box in
                var testRun = try await box.testRun(user, command)
                try await arrange(box, &testRun)
                try await testRun.check(expected, location: location)
            }
        }
    }
}

extension TestRun {
    /// Only this password.
    mutating func use(password: String) {
        identities = []
        self.password = password
    }

    /// Only this agent.
    mutating func use(agent: String) {
        identities = []
        self.agent = agent
    }
}
