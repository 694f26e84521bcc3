import BridgeSSH
import ErrorCore
import SSHTestSupport
import Testing

/// Verdicts on a real sshd: the classifier's rules with the evidence of the real transport.
@Suite("Verdicts")
struct VerdictTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let code: SSHError.Code
        let user: SandboxUser
        let configuration: String
        let usePAM: Bool
        let command: String
        let password: String?
        let status: Int32

        init(
            _ code: SSHError.Code, _ status: Int32, _ user: SandboxUser = .alice, _ configuration: String = "", pam: Bool = false,
            password: String? = nil, _ command: String = "true"
        ) {
            self.code = code
            self.status = status
            self.user = user
            self.configuration = configuration
            usePAM = pam
            self.password = password
            self.command = command
        }

        var testDescription: String { "\(code): \(user.name) \(configuration) \(command)" }
    }

    static let cases: [Case] = [
        Case(.commandExitNonzero, 3, .alice, "", "echo oops >&2; exit 3"),
        Case(.commandNotFound, 127, .alice, "", "frobnicate --now"),
        Case(.commandNotExecutable, 126, .alice, "", "/etc/passwd"),
        Case(.commandKilledBySignal, 137, .alice, "", "kill -9 $$"),
        Case(.commandLoginShellDenied, 1, .noshell),
        Case(.commandLoginShellDenied, 1, .sftponly),
        Case(.channelSessionLimit, 198, .alice, "MaxSessions 0"),
        Case(.authKeyRejected, 197, .loosehome),
        Case(.authKeyRejected, 197, .ghostshell),
        Case(.authMethodNotOffered, 197, .alice, "PubkeyAuthentication no"),
        Case(.authPasswordRejected, 197, .alice, "PubkeyAuthentication no", password: "wrong"),
        Case(.authMoreFactorsRequired, 197, .alice, "AuthenticationMethods publickey,password"),
        Case(.authAccountDenied, 197, .gone, "", pam: true),
        Case(.authPasswordExpired, 1, .expired, "", pam: true),
        Case(.kexNoCommonKex, 195, .alice, "KexAlgorithms sntrup761x25519-sha512@openssh.com"),
        Case(.kexNoCommonCipher, 195, .alice, "Ciphers aes128-cbc"),
        Case(.kexNoCommonMAC, 195, .alice, "MACs umac-64-etm@openssh.com"),
    ]

    @Test("a real server's failures", arguments: cases)
    func realServer(test: Case) async throws {
        var options = SSHDSandbox.Options(test.configuration)
        options.usePAM = test.usePAM
        try await SSHDSandbox.run(options) { box in
            let error = try await box.failure(
                test.user,
                { configuration in
                    if let password = test.password {
                        configuration.credentials.identities = []
                        configuration.credentials.password = SSHSecret(password)
                    }
                }, running: test.command)
            #expect(error.code == test.code, "\(error.message) \(error.evidence)")
            #expect(error.exitStatus.rawValue == test.status)
        }
    }

    @Test("a cut, reset or corrupted connection is never reported as a refusal", arguments: [0, 30, 700, 1200, 1700, 2300, 2600])
    func faultyWire(bytes: Int) async throws {
        try await SSHDSandbox.run { box in
            for action in [FaultProxy.Action.finish, .reset] {
                try await FaultProxy.run(to: box.port, fault: .init(action, afterServerBytes: bytes)) { proxy in
                    let error = try await box.failure(through: proxy.port, running: "sleep 0.1; echo done")
                    let expected: Set<SSHError.Code> = [
                        .bannerClosed, .kexClosedEarly, .kexClosed, .authConnectionDropped, .sessionConnectionLost,
                    ]
                    #expect(expected.contains(error.code), "\(error.code): \(error.message)")
                    #expect(error.retry == .backoff())
                }
            }
        }
    }
}
