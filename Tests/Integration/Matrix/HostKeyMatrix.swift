import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Known hosts, and hosts whose known_hosts entries are missing or wrong.
@Suite("Matrix: host keys") struct HostKeyMatrix {
    static let cases: [SSHDCase] = [
        SSHDCase("hashed", .success) { $1.knownHosts = [try await $0.knownHosts(hashed: true)] },
        SSHDCase("by its ECDSA key only", .success) { $1.knownHosts = [try await $0.knownHosts(kinds: [.ecdsa])] },
        SSHDCase("by its RSA key only", InstalledLibrary.is111 ? .success : .failure(.hostKeyOtherTypeKnown)) {
            $1.knownHosts = [try await $0.knownHosts(kinds: [.rsa])]
        },
        SSHDCase(
            "by a key that the server no longer offers", .failure(.hostKeyOtherTypeKnown), options: { $0.hostKeys = [.ed25519] }
        ) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(.ecdsa, name: "other").publicKey])]
        },
        SSHDCase("the server prefers RSA", .success, options: { $0.hostKeys = [.rsa, .ecdsa, .ed25519] }) {
            $1.knownHosts = [try await $0.knownHosts(kinds: [.ed25519])]
        },
        SSHDCase("P-384 host key", .success, options: { $0.hostKeys = [.ecdsa384] }),
        SSHDCase("P-521 host key", .success, options: { $0.hostKeys = [.ecdsa521] }),
        SSHDCase("in the second file", .success) { $1.knownHosts = ["/dev/null"] + $1.knownHosts },
        SSHDCase("by a pattern, CRLF, comments and broken lines about it", .success) { box, testRun in
            let key = box.hostKeys[0].publicKey
            testRun.knownHosts = [
                try box.directory.write(
                    "# comment\r\n\r\nnonsense\r\n[127.0.0.1]:1 ssh-ed25519 !!!!\r\n[127.*]:* \(key) a comment\r\n",
                    to: "patterns")
            ]
        },
        SSHDCase("unknown", .failure(.hostKeyUnknown)) { $1.knownHosts = ["/dev/null"] },
        SSHDCase("known on another port only", .failure(.hostKeyUnknown)) { $1.knownHosts = [try await $0.knownHosts(port: 1)] },
        SSHDCase("excluded by a negation", .failure(.hostKeyUnknown)) { box, testRun in
            let key = box.hostKeys[0].publicKey
            testRun.knownHosts = [
                try box.directory.write("[127.0.0.1]:*,![127.0.0.1]:\(box.port) \(key)\n", to: "negated")
            ]
        },
        SSHDCase("changed", .failure(.hostKeyChanged, saying: "SHA256:", ":1")) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey])]
        },
        SSHDCase("changed, accept-new", .failure(.hostKeyChanged)) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey])]
            $1.policy = .acceptNew
        },
        SSHDCase("changed, hashed", .failure(.hostKeyChanged)) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey], hashed: true)]
        },
        SSHDCase("changed in one file, right in another", .success) {
            $1.knownHosts = [try await $0.knownHosts(keys: [TestKey.make(name: "other").publicKey])] + $1.knownHosts
        },
        SSHDCase("revoked", .failure(.hostKeyRevoked)) {
            $1.knownHosts.append(try await $0.knownHosts(marker: "@revoked"))
        },
        SSHDCase("certificate authority only", .failure(.hostKeyUnknown)) {
            $1.knownHosts = [try await $0.knownHosts(marker: "@cert-authority")]
        },
        SSHDCase("missing file", .failure(.hostKeyKnownHostsUnreadable)) { $1.knownHosts = [$0.directory.path("missing")] },
        SSHDCase(
            "unknown, accept-new, and no file can be created", .failure(.hostKeyKnownHostsUnwritable, saying: "missing/known")
        ) {
            $1.knownHosts = [$0.directory.path("missing/known")]
            $1.policy = .acceptNew
        },
        SSHDCase("directory in place of the file", .failure(.hostKeyKnownHostsUnreadable)) {
            $1.knownHosts = [$0.directory.url.path]
        },
    ]

    @Test("verdicts on host keys", arguments: cases)
    func check(_ test: SSHDCase) async throws { try await test.check() }

    @Test("a name that known_hosts cannot hold is named as the reason, and nothing is written")
    func unwritableName() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun()
        testRun.policy = .acceptNew
        testRun.knownHosts = [box.directory.path("no-known-hosts")]
        let result = try await testRun.byExecutable(["-o", "HostKeyAlias=a*b"])
        let words = result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(result.termination == .exited(199) && words.contains("ssh.local.usage"), "\(words)")
        #expect(words.contains("The host's name cannot be written to"), "\(words)")
        #expect(!FileManager.default.fileExists(atPath: box.directory.path("no-known-hosts")))
    }

    @Test("an unknown host is remembered under accept-new, in a file that did not exist")
    func acceptNew() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun()
        testRun.policy = .acceptNew
        testRun.knownHosts = [box.directory.path("new-known-hosts")]
        let result = try await testRun.byExecutable(["--json"])
        #expect(result.termination == .exited(0), "\(result.output) \(result.errorOutput)")
        #expect(result.errorOutput.contains("is now known"))
        testRun.policy = .strict
        try await testRun.check(.success)
    }
}
