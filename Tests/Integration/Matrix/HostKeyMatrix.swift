import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Known hosts, and hosts that are not known as they should be.
@Suite("Matrix: host keys") struct HostKeyMatrix {
    static let scenes: [Scene] = [
        Scene("hashed", .success) { $1.knownHosts = [try await $0.knownHosts(hashed: true)] },
        Scene("by its ECDSA key only", .success) { $1.knownHosts = [try await $0.knownHosts(kinds: [.ecdsa])] },
        Scene("by its RSA key only", InstalledLibrary.is111 ? .success : .failure(.hostKeyOtherTypeKnown)) {
            $1.knownHosts = [try await $0.knownHosts(kinds: [.rsa])]
        },
        Scene(
            "by a key that the server no longer offers", .failure(.hostKeyOtherTypeKnown), options: { $0.hostKeys = [.ed25519] }
        ) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(.ecdsa, name: "other").publicKey])]
        },
        Scene("the server prefers RSA", .success, options: { $0.hostKeys = [.rsa, .ecdsa, .ed25519] }) {
            $1.knownHosts = [try await $0.knownHosts(kinds: [.ed25519])]
        },
        Scene("P-384 host key", .success, options: { $0.hostKeys = [.ecdsa384] }),
        Scene("P-521 host key", .success, options: { $0.hostKeys = [.ecdsa521] }),
        Scene("in the second file", .success) { $1.knownHosts = ["/dev/null"] + $1.knownHosts },
        Scene("by a pattern, CRLF, comments and broken lines about it", .success) { box, visit in
            let key = box.hostKeys[0].publicKey
            visit.knownHosts = [
                try box.directory.write(
                    "# comment\r\n\r\nnonsense\r\n[127.0.0.1]:1 ssh-ed25519 !!!!\r\n[127.*]:* \(key) a comment\r\n",
                    to: "patterns")
            ]
        },
        Scene("unknown", .failure(.hostKeyUnknown)) { $1.knownHosts = ["/dev/null"] },
        Scene("known on another port only", .failure(.hostKeyUnknown)) { $1.knownHosts = [try await $0.knownHosts(port: 1)] },
        Scene("excluded by a negation", .failure(.hostKeyUnknown)) { box, visit in
            let key = box.hostKeys[0].publicKey
            visit.knownHosts = [
                try box.directory.write("[127.0.0.1]:*,![127.0.0.1]:\(box.port) \(key)\n", to: "negated")
            ]
        },
        Scene("changed", .failure(.hostKeyChanged, saying: "SHA256:", ":1")) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey])]
        },
        Scene("changed, accept-new", .failure(.hostKeyChanged)) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey])]
            $1.policy = .acceptNew
        },
        Scene("changed, hashed", .failure(.hostKeyChanged)) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey], hashed: true)]
        },
        Scene("changed in one file, right in another", .success) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey])] + $1.knownHosts
        },
        Scene("revoked", .failure(.hostKeyRevoked)) {
            $1.knownHosts.append(try await $0.knownHosts(marker: "@revoked"))
        },
        Scene("certificate authority only", .failure(.hostKeyUnknown)) {
            $1.knownHosts = [try await $0.knownHosts(marker: "@cert-authority")]
        },
        Scene("missing file", .failure(.hostKeyKnownHostsUnreadable)) { $1.knownHosts = [$0.directory.path("missing")] },
        Scene("directory in place of the file", .failure(.hostKeyKnownHostsUnreadable)) {
            $1.knownHosts = [$0.directory.url.path]
        },
    ]

    @Test("a host key", arguments: scenes)
    func scene(_ scene: Scene) async throws { try await scene.play() }

    @Test("an unknown host is remembered under accept-new, in a file that did not exist")
    func acceptNew() async throws {
        let box = try await Ground.plain.box()
        var visit = try await box.visit()
        visit.policy = .acceptNew
        visit.knownHosts = [box.directory.path("new-known-hosts")]
        let result = try await visit.byExecutable(["--json"])
        #expect(result.termination == .exited(0), "\(result.output) \(result.errorOutput)")
        #expect(result.errorOutput.contains("is now known"))
        visit.policy = .strict
        try await visit.check(.success)
    }
}
