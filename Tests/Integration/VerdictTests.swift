import BridgeSSH
import ErrorCore
import SSHTestSupport
import Testing

/// What a real sshd does, judged: the classifier's rows against the evidence of the real transport.
@Suite("Verdicts")
struct VerdictTests {
    struct Scene: Sendable, CustomTestStringConvertible {
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

    static let scenes: [Scene] = [
        Scene(.commandExitNonzero, 3, .alice, "", "echo oops >&2; exit 3"),
        Scene(.commandNotFound, 127, .alice, "", "frobnicate --now"),
        Scene(.commandNotExecutable, 126, .alice, "", "/etc/passwd"),
        Scene(.commandKilledBySignal, 137, .alice, "", "kill -9 $$"),
        Scene(.commandLoginShellDenied, 1, .noshell),
        Scene(.commandLoginShellDenied, 1, .sftponly),
        Scene(.channelSessionLimit, 198, .alice, "MaxSessions 0"),
        Scene(.authKeyRejected, 197, .loosehome),
        Scene(.authKeyRejected, 197, .ghostshell),
        Scene(.authMethodNotOffered, 197, .alice, "PubkeyAuthentication no"),
        Scene(.authPasswordRejected, 197, .alice, "PubkeyAuthentication no", password: "wrong"),
        Scene(.authMoreFactorsRequired, 197, .alice, "AuthenticationMethods publickey,password"),
        Scene(.authAccountDenied, 197, .gone, "", pam: true),
        Scene(.authPasswordExpired, 1, .expired, "", pam: true),
        Scene(.kexNoCommonKex, 195, .alice, "KexAlgorithms sntrup761x25519-sha512@openssh.com"),
        Scene(.kexNoCommonCipher, 195, .alice, "Ciphers aes128-cbc"),
        Scene(.kexNoCommonMAC, 195, .alice, "MACs umac-64-etm@openssh.com"),
    ]

    @Test("a real server's failures", arguments: scenes)
    func realServer(scene: Scene) async throws {
        var options = SSHDSandbox.Options(scene.configuration)
        options.usePAM = scene.usePAM
        try await SSHDSandbox.run(options) { box in
            let error = try await box.failure(
                scene.user,
                { configuration in
                    if let password = scene.password {
                        configuration.credentials.identities = []
                        configuration.credentials.password = Secret(password)
                    }
                }, running: scene.command)
            #expect(error.code == scene.code, "\(error.message) \(error.evidence)")
            #expect(error.exitStatus.rawValue == scene.status)
        }
    }

    @Test("a cut, reset or corrupted connection is never anybody's refusal", arguments: [0, 30, 700, 1200, 1700, 2300, 2600])
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
