import BridgeSSH
import Crypto
import Foundation
import SSHTestSupport
import Testing

/// Certificates and security keys in an agent: those that libssh2 can offer log in, and the error for the others says why not.
@Suite("Kinds of keys in an agent")
struct AgentKindsTests {
    /// An agent that holds a certificate for alice, and with `isAlone` not its plain key; the server trusts its certificate
    /// authority.
    private func certified(
        _ kind: TestKeyKind, isAlone: Bool, _ expected: Expected, change: (inout TestRun, ScratchDirectory) -> Void = { _, _ in }
    ) async throws {
        let authority = try await TestKey.make(name: "authority")
        let key = try await TestKey.make(kind, name: "certified")
        var options = SSHDSandbox.Options()
        options.authorizedKeys["alice"] = ["cert-authority \(authority.publicKey)"]
        try await Gate.shared.pass {
            try await SSHDSandbox.run(options) { box in
                try await ScratchDirectory.with { scratch in
                    let signer = try authority.write(to: scratch, as: "ca")
                    let path = try key.write(to: scratch, as: "id")
                    let plain = try scratch.write(key.publicKey + "\n", to: "plain.pub")
                    try await ProcessRun.check(
                        "ssh-keygen", ["-q", "-s", signer, "-I", "alice's", "-n", "alice", path + ".pub"])
                    try await AgentProcess.run { agent in
                        let environment = ProcessEnvironment.exactly(["PATH": "/usr/bin", "SSH_AUTH_SOCK": agent.socket])
                        try await ProcessRun.check("ssh-add", ["-q", path], environment: environment)
                        if isAlone { try await ProcessRun.check("ssh-add", ["-q", "-d", plain], environment: environment) }
                        var testRun = try await box.testRun()
                        testRun.use(agent: agent.socket)
                        change(&testRun, scratch)
                        try await testRun.check(expected)
                    }
                }
            }
        }
    }

    @Test("an ECDSA certificate logs in", arguments: [TestKeyKind.ecdsa, .ecdsa384, .ecdsa521], [true, false])
    func ecdsaCertificate(_ kind: TestKeyKind, isAlone: Bool) async throws {
        try await certified(kind, isAlone: isAlone, .success)
    }

    @Test("the named certificate of an agent is the one that is offered")
    func namedCertificate() async throws {
        try await certified(.ecdsa, isAlone: false, .success) { testRun, scratch in
            testRun.identities = [scratch.path("id-cert.pub")]
            testRun.identitiesOnly = true
        }
    }

    @Test("an Ed25519 certificate logs in with libssh2 1.11; with 1.10 the error says that it cannot be offered")
    func ed25519Certificate() async throws {
        let unsupported = Expected.failure(.keyTypeUnsupported, saying: "ED25519-CERT", "libssh2 1.11 can")
        try await certified(.ed25519, isAlone: true, InstalledLibrary.is111 ? .success : unsupported)
    }

    @Test("an RSA certificate logs in with libssh2 1.11.1; before, it is reported if nothing else can be offered")
    func rsaCertificate() async throws {
        let isOffered = Library.isAtLeast(1, 11, 1)
        let unsupported = Expected.failure(.keyTypeUnsupported, saying: "RSA-CERT", "libssh2 1.11.1 can")
        try await certified(.rsa, isAlone: true, isOffered ? .success : unsupported)
        try await certified(.rsa, isAlone: false, isOffered ? .success : .failure(.authKeyRejected))
    }

    @Test("of an agent's many keys, the one with the given public half comes first", arguments: ["id", "id.pub"])
    func publicHalf(_ name: String) async throws {
        var keys: [TestKey] = []
        for number in 0..<6 { keys.append(try await TestKey.make(name: "extra\(number)")) }
        let last = keys[5]
        try await AgentProcess.run(keys: keys) { agent in
            try await ScratchDirectory.with { scratch in
                // The private half is nowhere but in the agent.
                try scratch.write(last.publicKey + "\n", to: "id.pub")
                let test = SSHDCase(
                    "public half", .success, server: "MaxAuthTries 2", options: { $0.authorize(last, for: .alice) }
                ) {
                    $1.identities = [scratch.path(name)]
                    $1.agent = agent.socket
                }
                try await test.check()
            }
        }
    }

    // MARK: Security keys

    @Test("a security key signs by the agent with libssh2 1.11; with 1.10 the error says that it cannot be offered")
    func securityKey() async throws {
        let token = SecurityKey()
        let unsupported = Expected.failure(.keyTypeUnsupported, saying: "ED25519-SK", "libssh2 1.11 can")
        let expected = InstalledLibrary.is111 ? Expected.success : unsupported
        try await FakeAgent.run(replies: token.reply) { agent in
            let test = SSHDCase("sk", expected, options: { $0.authorizedKeys["alice"] = [token.line] }) {
                $1.use(agent: agent.socket)
            }
            try await test.check()
            // With a password there is something else to offer.
            try await SSHDCase("sk and password", .success) {
                $1.use(password: "alice-pw")
                $1.agent = agent.socket
            }.check()
        }
    }
}

/// A FIDO token in software: an agent's answers for an `sk-ssh-ed25519@openssh.com` key (OpenSSH PROTOCOL.u2f).
private struct SecurityKey: Sendable {
    private static let algorithm = "sk-ssh-ed25519@openssh.com"
    private static let application = "ssh:"
    private let key = Curve25519.Signing.PrivateKey()

    private var blob: [UInt8] {
        Self.string(Self.algorithm) + Self.string(Array(key.publicKey.rawRepresentation)) + Self.string(Self.application)
    }

    /// For authorized_keys.
    var line: String { "\(Self.algorithm) \(Data(blob).base64EncodedString())" }

    @Sendable func reply(_ request: FakeAgent.Request) -> FakeAgent.Reply {
        if request.asksForIdentities { return .message([12] + Self.uint32(1) + Self.string(blob) + Self.string("token")) }
        // The data to be signed follows the key.
        let rest = request.payload.dropFirst(1 + 4 + blob.count)
        let data = Array(rest.dropFirst(4).dropLast(4))
        let tail: [UInt8] = [1] + Self.uint32(7)
        let message = Array(SHA256.hash(data: Array(Self.application.utf8))) + tail + Array(SHA256.hash(data: data))
        guard let signature = try? key.signature(for: message) else { return .refuse }
        let answer = Self.string(Self.algorithm) + Self.string(Array(signature)) + tail
        return .message([14] + Self.string(answer))
    }

    private static func uint32(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) } }
    private static func string(_ bytes: [UInt8]) -> [UInt8] { uint32(bytes.count) + bytes }
    private static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }
}
