import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Certificates from files, at a server that trusts who signed them and knows no key.
@Suite("Certificates from files")
struct CertificateLoginTests {
    /// A user's key, with a certificate next to it.
    private struct Certified: Sendable {
        let box: SSHDSandbox
        let scratch: ScratchDirectory
        let identity: String
        var certificate: String { identity + "-cert.pub" }

        func testRun() async throws -> TestRun {
            var testRun = try await box.testRun()
            testRun.identities = [identity]
            return testRun
        }
    }

    private func with(
        _ kind: TestKeyKind = .ecdsa, _ options: [String] = ["-n", "alice"], passphrase: String? = nil,
        _ body: @escaping @Sendable (Certified) async throws -> Void
    ) async throws {
        let authority = try await TestKey.make(name: "authority")
        let key = try await TestKey.make(kind, passphrase: passphrase, name: "certified")
        var server = SSHDSandbox.Options("TrustedUserCAKeys /etc/ssh/user-ca.pub\nMaxAuthTries 20")
        server.files["/etc/ssh/user-ca.pub"] = SandboxFile(authority.publicKey + "\n")
        server.authorizedKeys["alice"] = ["# empty"]
        try await Gate.shared.pass { [server] in
            try await SSHDSandbox.run(server) { box in
                try await ScratchDirectory.with { scratch in
                    let signer = try authority.write(to: scratch, as: "ca")
                    let identity = try key.write(to: scratch, as: "id")
                    try await ProcessRun.check("ssh-keygen", ["-q", "-s", signer, "-I", "test"] + options + [identity + ".pub"])
                    try await body(Certified(box: box, scratch: scratch, identity: identity))
                }
            }
        }
    }

    private func failure(_ certified: Certified) async throws -> SSHError {
        try await certified.box.failure { $0.credentials.identities = [SSHIdentity(path: certified.identity)] }
    }

    @Test("a certificate next to an identity logs in", arguments: [TestKeyKind.ecdsa, .ecdsa384, .ecdsa521])
    func beside(kind: TestKeyKind) async throws {
        try await with(kind) { try await $0.testRun().check(.success) }
    }

    @Test("a certificate next to an encrypted identity logs in") func encrypted() async throws {
        try await with(.ecdsa, passphrase: "open sesame") {
            var testRun = try await $0.testRun()
            testRun.passphrase = "open sesame"
            try await testRun.check(.success)
        }
    }

    @Test(
        "an Ed25519 certificate logs in with libssh2 1.11, an RSA one with 1.11.1; else the error says that it could not be offered",
        arguments: [TestKeyKind.ed25519, .rsa])
    func byVersion(kind: TestKeyKind) async throws {
        let isOffered = Library.isAtLeast(1, 11, kind == .rsa ? 1 : 0)
        try await with(kind) { certified in
            if isOffered { return try await certified.testRun().check(.success) }
            let error = try await failure(certified)
            #expect(error.code == .authKeyRejected)
            let reported = error.alternatives.first ?? ""
            #expect(
                reported.contains("\(certified.certificate) could not be offered: libssh2 \(Library.version) cannot"),
                "\(reported)")
            #expect(reported.contains("libssh2 1.11\(kind == .rsa ? ".1" : "") can."), "\(reported)")
        }
    }

    @Test("a CertificateFile logs in with its identity", arguments: [false, true])
    func named(isJumpHost: Bool) async throws {
        try await with { certified in
            let elsewhere = certified.scratch.path("elsewhere.pub")
            try FileManager.default.moveItem(atPath: certified.certificate, toPath: elsewhere)
            #expect(try await failure(certified).code == .authKeyRejected)
            var configuration = try await certified.box.configuration()
            configuration.credentials.identities = [SSHIdentity(path: certified.identity)]
            configuration.credentials.certificates = [elsewhere]
            let result = try await SSHClient.withConnection(to: certified.box.endpoint(), configuration: configuration) {
                try await $0.run("echo in")
            }
            #expect(result.standardOutputText == "in\n")
            // A jump host has its own, in its own Host block.
            let settings = """
                  HostName \(certified.box.host)
                  Port \(certified.box.port)
                  User alice
                  UserKnownHostsFile \(try await certified.box.knownHosts())
                  IdentityFile \(certified.identity)
                  IdentityAgent none
                  CertificateFile \(elsewhere)

                """
            let file = try certified.scratch.write("Host gate\n\(settings)Host web1\n\(settings)", to: "config")
            let jump = isJumpHost ? ["-J", "gate"] : []
            let words = jump + ["-F", file, "web1", "echo in"]
            let ours = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), ["run", "--batch", "--connect-timeout", "60"] + words,
                environment: .exactly(["PATH": "/usr/bin", "HOME": certified.scratch.url.path]))
            #expect(ours.output == "in\n" && ours.errorOutput.isEmpty, "\(ours.errorOutput)")
            let theirs = try await ProcessRun.run("/usr/bin/ssh", ["-o", "BatchMode=yes"] + words)
            #expect(theirs.output == "in\n", "\(theirs.errorOutput)")
        }
    }

    @Test("the agent signs for the certificate next to a public key file") func agent() async throws {
        try await with { certified in
            try await AgentProcess.run { agent in
                let environment = ProcessEnvironment.exactly(["PATH": "/usr/bin", "SSH_AUTH_SOCK": agent.socket])
                let bare = certified.scratch.path("bare")
                try FileManager.default.copyItem(atPath: certified.identity, toPath: bare)
                // A copy without a certificate beside it, because ssh-add would load that too.
                try await ProcessRun.check("ssh-add", ["-q", bare], environment: environment)
                try FileManager.default.removeItem(atPath: certified.identity)
                var testRun = try await certified.testRun()
                testRun.agent = agent.socket
                testRun.identitiesOnly = true
                try await testRun.check(.success)
            }
        }
    }

    // MARK: Refusals

    static let defects: [([String], SSHCertificateDefect.Reason, String)] = [
        (["-n", "alice", "-V", "20200101000000Z:20200102000000Z"], .expired, "it was valid until 2020-01-02T00:00:00Z"),
        (["-n", "alice", "-V", "20900101000000Z:20900102000000Z"], .notYetValid, "it is not valid before 2090-01-01T00:00:00Z"),
        (["-n", "bob,carol"], .otherPrincipals, "it is for bob and carol, and not for alice"),
        ([], .otherPrincipals, "it is for no user, and not for alice"),
    ]

    @Test("a refused certificate is reported with its own data", arguments: defects.indices)
    func refused(index: Int) async throws {
        let (options, reason, words) = Self.defects[index]
        try await with(.ecdsa, options) { certified in
            let error = try await failure(certified)
            #expect(error.code == .authKeyRejected && error.confidence == .likely)
            #expect(error.message.contains("the certificate \(certified.certificate)"), "\(error.message)")
            #expect(error.message.hasSuffix("for alice: \(words)."), "\(error.message)")
            #expect(error.evidence.authentication?.attempts.last?.certificateDefect?.reason == reason)
            try await certified.testRun().check(.failure(.authKeyRejected, saying: words))
        }
    }

    @Test("for a valid certificate that is refused, the hint says where to look") func untrusted() async throws {
        try await with { certified in
            let stranger = try await TestKey.make(name: "another authority").write(to: certified.scratch, as: "other-ca")
            try await ProcessRun.check(
                "ssh-keygen", ["-q", "-s", stranger, "-I", "test", "-n", "alice", certified.identity + ".pub"])
            let error = try await failure(certified)
            #expect(error.code == .authKeyRejected && error.hint.contains("TrustedUserCAKeys"), "\(error.hint)")
            #expect(error.message.contains("the last of 2 keys"), "\(error.message)")
            try await certified.testRun().check(.failure(.authKeyRejected, saying: "TrustedUserCAKeys"))
        }
    }

    // MARK: The order

    @Test("keys and certificates are offered in ssh's order", arguments: [[], ["id2"], ["id2", "id"]])
    func order(named: [String]) async throws {
        try await with(.ecdsa, ["-n", "bob"]) { certified in
            let second = try await TestKey.make(.ecdsa384, name: "second").write(to: certified.scratch, as: "id2")
            let signer = certified.scratch.path("ca")
            try await ProcessRun.check("ssh-keygen", ["-q", "-s", signer, "-I", "test", "-n", "bob", second + ".pub"])
            let certificates = named.map { certified.scratch.path($0 + "-cert.pub") }
            let error = try await certified.box.failure {
                $0.credentials.identities = [certified.identity, second].map { SSHIdentity(path: $0) }
                $0.credentials.certificates = certificates
            }
            let ours = (error.evidence.authentication?.attempts ?? []).filter { $0.method == "publickey" }.map {
                Self.place($0.credential, isCertificate: $0.keyType?.contains("-cert-") == true)
            }
            let options = certificates.flatMap { ["-o", "CertificateFile=\($0)"] }
            let theirs = try await ProcessRun.run(
                "/usr/bin/ssh",
                [
                    "-v", "-F", "none", "-o", "BatchMode=yes", "-o", "IdentityAgent=none", "-o",
                    "UserKnownHostsFile=\(try await certified.box.knownHosts())", "-p", "\(certified.box.port)", "-i",
                    certified.identity, "-i", second,
                ] + options + ["alice@\(certified.box.host)", "true"])
            let offered = theirs.errorOutput.split(whereSeparator: \.isNewline).filter { $0.contains("Offering public key: ") }
                .map { line in
                    let words = line.split(whereSeparator: \.isWhitespace)
                    return Self.place(String(words[4]), isCertificate: words[5].hasSuffix("-CERT"))
                }
            #expect(ours == offered && ours.count == 4 - named.count % 2, "\(theirs.errorOutput)")
        }
    }

    private static func place(_ path: String, isCertificate: Bool) -> String {
        let name = path.split(separator: "/").last.map { String($0).replacing("-cert.pub", with: "") } ?? ""
        return name + (isCertificate ? " certificate" : "")
    }
}
