import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHKeys
@testable import SSHTransport

/// Reading certificates, and the order in which they are offered.
@Suite("Certificates") struct CertificateTests {
    private let directory: KeyDirectory

    init() throws { directory = try KeyDirectory() }

    /// Signs `NAME.pub`, which makes `NAME-cert.pub`.
    private func certify(_ name: String, _ options: String...) async throws -> SSHPublicKey {
        let authority = directory.path("ca")
        if !Self.exists(authority) { _ = try await KeyKind.ed25519.generate(in: directory, name: "ca") }
        try await Program.run("ssh-keygen", ["-q", "-s", authority, "-I", "test"] + options + [directory.path(name + ".pub")])
        return try #require(KeyFileReading.publicKey(in: directory.path(name + "-cert.pub"), orCertificate: true))
    }

    private static func exists(_ path: String) -> Bool { (try? KeyFileReading.read(path: path)) != nil }

    @Test("ssh-keygen's certificates are read", arguments: KeyKind.all) func read(kind: KeyKind) async throws {
        try await kind.generate(in: directory)
        let key = try await certify("id", "-n", "alice,bob", "-V", "20300101000000Z:20400101000000Z")
        let certificate = try #require(Certificate(key))
        #expect(certificate.subject == KeyFileReading.publicKey(beside: directory.path("id")))
        #expect(certificate.isForUsers && certificate.principals == ["alice", "bob"])
        #expect(certificate.validAfter == 1_893_456_000 && certificate.validBefore == 2_208_988_800)
        let endless = try #require(Certificate(try await certify("id", "-h")))
        #expect(!endless.isForUsers && endless.principals == [] && endless.validBefore == .max)
    }

    @Test("a damaged certificate is refused") func damaged() async throws {
        try await KeyKind.ed25519.generate(in: directory)
        let key = try await certify("id", "-n", "alice")
        for count in 36..<key.blob.count {
            guard let part = try? SSHPublicKey(blob: key.blob.prefix(count)) else { continue }
            #expect(Certificate(part) == nil, "\(count)")
        }
        #expect(Certificate(try SSHPublicKey(blob: key.blob + [0])) == nil)
        #expect(Certificate(try #require(KeyFileReading.publicKey(beside: directory.path("id")))) == nil)
    }

    @Test("defects of a certificate") func defects() async throws {
        try await KeyKind.ed25519.generate(in: directory)
        let certificate = try #require(
            Certificate(try await certify("id", "-n", "alice,bob", "-V", "20300101000000Z:20400101000000Z")))
        #expect(certificate.defect(for: "bob", at: 1_893_456_000) == nil)
        #expect(
            certificate.defect(for: "bob", at: 1_893_455_999)
                == SSHCertificateDefect(reason: .notYetValid, detail: "it is not valid before 2030-01-01T00:00:00Z"))
        #expect(
            certificate.defect(for: "bob", at: 2_208_988_800)
                == SSHCertificateDefect(reason: .expired, detail: "it was valid until 2040-01-01T00:00:00Z"))
        #expect(
            certificate.defect(for: "carol", at: 2_000_000_000)
                == SSHCertificateDefect(reason: .otherPrincipals, detail: "it is for alice and bob, and not for carol"))
        let nobodys = try #require(Certificate(try await certify("id")))
        #expect(nobodys.defect(for: "alice", at: 2_000_000_000)?.detail == "it is for no user, and not for alice")
    }

    // MARK: The order

    private func load(_ change: (inout SSHCredentials) -> Void) async throws -> PublicKeyCandidates {
        var credentials = SSHCredentials()
        change(&credentials)
        let loader = CandidateLoader(
            credentials: credentials, interaction: nil, promptPause: PromptPause(deadline: PausableDeadline(seconds: 60)))
        return try await loader.load(AgentKeys())
    }

    /// ECDSA certificates, which every libssh2 can offer.
    private func makeTwo() async throws -> [SSHIdentity] {
        for name in ["a", "b"] {
            try await KeyKind(type: "ecdsa", bits: 256).generate(in: directory, name: name)
            _ = try await certify(name, "-n", "alice")
        }
        return ["a", "b"].map { SSHIdentity(path: directory.path($0)) }
    }

    private func names(_ candidates: PublicKeyCandidates) -> [String] {
        candidates.candidates.map { String($0.label.dropFirst(directory.path("").count)).replacing("/", with: "") }
    }

    @Test("a certificate next to an identity is offered after it, a named one before all others") func order() async throws {
        let identities = try await makeTwo()
        #expect(names(try await load { $0.identities = identities }) == ["a", "a-cert.pub", "b", "b-cert.pub"])
        let named = try await load {
            $0.identities = identities
            $0.certificates = [directory.path("b-cert.pub")]
        }
        #expect(names(named) == ["b-cert.pub", "a", "b"])
    }

    @Test("only keys and certificates of accepted algorithms are offered; a key is a problem only if no algorithm remains")
    func accepted() async throws {
        let identities = try await makeTwo()
        let certificate = "ecdsa-sha2-nistp256-cert-v01@openssh.com"
        func load(_ algorithms: [String]?) async throws -> PublicKeyCandidates {
            try await self.load {
                $0.identities = identities
                $0.acceptedAlgorithms = algorithms
            }
        }
        let plain = try await load(["ecdsa-sha2-nistp256", "ssh-ed25519"])
        #expect(names(plain) == ["a", "b"] && plain.keyProblems.isEmpty)
        #expect(plain.leftOut.map(\.use) == [.notAccepted, .notAccepted])
        #expect(names(try await load([certificate])) == ["a-cert.pub", "b-cert.pub"])
        #expect(names(try await load(nil)).count == 4)
        let none = try await load(["ssh-ed25519"])
        #expect(none.candidates.isEmpty && none.explicitProblem == nil)
        #expect(none.keyProblems.count == 4 && none.keyProblems.allSatisfy(\.isNotAccepted))
    }

    @Test("a key that a setting excludes is recognised by a value, not by its text; the value survives coding")
    func notAccepted() throws {
        let problem = SSHKeyProblem.notAccepted("/k", "ssh-rsa")
        let likeIt = SSHKeyProblem(reason: problem.reason, path: problem.path, detail: problem.detail)
        #expect(problem.isNotAccepted && !likeIt.isNotAccepted && problem != likeIt)
        for one in [problem, likeIt] {
            #expect(try JSONDecoder().decode(SSHKeyProblem.self, from: JSONEncoder().encode(one)) == one)
        }
    }

    @Test("an RSA key is accepted under each name of its algorithms", arguments: ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"])
    func acceptedRSA(_ algorithm: String) async throws {
        try await KeyKind(type: "rsa", bits: 2048).generate(in: directory)
        let loaded = try await load {
            $0.identities = [SSHIdentity(path: directory.path("id"))]
            $0.acceptedAlgorithms = [algorithm]
        }
        let key = try #require(loaded.candidates.first?.key)
        let offers = PublicKeyOffer.all(for: key, server: "OpenSSH_9.2", accepted: [algorithm])
        // libssh2 names the algorithm itself, if it knows those of RFC 8332.
        #expect(offers.map(\.algorithm) == [Library.knowsRSASHA2 ? nil : algorithm])
    }

    @Test("ssh-rsa is offered if a setting allows it and the server is too old for the others")
    func oldServers() async throws {
        try await KeyKind(type: "rsa", bits: 2048).generate(in: directory)
        let key = try #require(KeyFileReading.publicKey(beside: directory.path("id")))
        func offers(_ server: String, _ accepted: [String]?) -> [String?] {
            PublicKeyOffer.all(for: key, server: server, accepted: accepted).map(\.algorithm)
        }
        let all = ["ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"]
        guard !Library.knowsRSASHA2 else { return #expect(offers("OpenSSH_6.6", all) == [nil]) }
        #expect(offers("OpenSSH_6.6", all) == ["rsa-sha2-512", "ssh-rsa"])
        #expect(offers("OpenSSH_9.2", all) == ["rsa-sha2-512"] && offers("OpenSSH_6.6", nil) == ["rsa-sha2-512"])
        #expect(offers("dropbear", nil) == ["rsa-sha2-512", "ssh-rsa"])
        #expect(offers("dropbear", ["rsa-sha2-512"]) == ["rsa-sha2-512"])
    }

    @Test("an unusable certificate is reported, and the keys are still offered") func unusable() async throws {
        let identities = try await makeTwo()
        try directory.write("nothing\n".utf8, to: "empty")
        try await KeyKind.ed25519.generate(in: directory, name: "host")
        _ = try await certify("host", "-h")
        let paths = [
            directory.path("missing"), directory.path("empty"), directory.path("host-cert.pub"), directory.path("b-cert.pub"),
        ]
        let loaded = try await load {
            $0.identities = [identities[0]]
            $0.certificates = paths
        }
        #expect(names(loaded) == ["a"])
        #expect(loaded.keyProblems.map(\.path) == paths)
        #expect(loaded.keyProblems.map(\.reason) == [.notFound, .formatInvalid, .typeUnsupported, .publicKeyMismatch])
        #expect(loaded.keyProblems[2].detail.contains("of a host") && loaded.keyProblems[3].detail.contains("IdentityFile"))
        #expect(loaded.explicitProblem == nil)
    }

    @Test("a certificate that this libssh2 cannot offer is reported with its version") func notOfferable() async throws {
        try await KeyKind.ed25519.generate(in: directory)
        _ = try await certify("id", "-n", "alice")
        let loaded = try await load { $0.identities = [SSHIdentity(path: directory.path("id"))] }
        guard !OfferableKey.isOfferable("ssh-ed25519-cert-v01@openssh.com") else {
            #expect(names(loaded) == ["id", "id-cert.pub"])
            return
        }
        #expect(names(loaded) == ["id"])
        #expect(loaded.keyProblems.map(\.reason) == [.typeUnsupported])
        #expect(loaded.keyProblems[0].detail.contains("libssh2 1.11 can."))
    }
}
