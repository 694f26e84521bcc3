import BridgeSSH
import Foundation
import SSHTestSupport

/// Key files, agents and logins.
extension RemedyTable {
    private static let phrase = "the-passphrase"
    private static let typedPhrase = Remedy.Answer("passphrase", phrase)

    /// The key that the server accepts, under this name in the home directory.
    @discardableResult
    private static func accepted(_ fixture: RemedyFixture, as name: String, mode: Int = 0o600) throws -> String {
        let key = try String(contentsOfFile: fixture.box.clientKeyFile, encoding: .utf8)
        return try fixture.home.write(key, to: name, mode: mode)
    }

    /// The same, encrypted, in ssh-add(1)'s default file.
    private static func encryptedDefault(_ fixture: RemedyFixture) async throws {
        let path = try accepted(fixture, as: ".ssh/id_ed25519")
        try await ProcessRun.check("ssh-keygen", ["-q", "-p", "-P", "", "-N", phrase, "-f", path])
    }

    /// Makes a key to replace one that cannot be used.
    private static func newKey(_ code: SSHError.Code, _ write: @escaping @Sendable (String) async throws -> Void) -> Remedy {
        Remedy(
            code, .command("ssh-keygen -t ed25519"),
            [.init("Enter file", "NEW"), .init("passphrase", ""), .init("again", "")], then: .failure(.authKeyRejected),
            act: { set("-i", $0.home.path("new"), in: &$1) }
        ) { fixture, testRun in
            testRun.identities = [fixture.home.path("old")]
            try await write(testRun.identities[0])
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: testRun.identities[0])
        }
    }

    static let keyFiles: [Remedy] = [
        Remedy(
            .keyNotFound, .command("ssh-keygen -t ed25519"), [.init("passphrase", ""), .init("again", "")],
            then: .failure(.authKeyRejected)
        ) { $1.identities = [$0.home.path("new")] },
        Remedy(.keyUnreadable, .shows("ls ", words: "id_deploy"), act: { set("-i", $0.home.path("keys/id_deploy"), in: &$1) }) {
            try FileManager.default.createDirectory(atPath: $0.home.path("keys"), withIntermediateDirectories: true)
            try accepted($0, as: "keys/id_deploy")
            $1.identities = [$0.home.path("keys")]
        },
        Remedy(
            .keyUnreadable, .shows("ls -l", words: "->"), name: "a link that leads nowhere",
            act: { set("-i", $0.box.clientKeyFile, in: &$1) }
        ) {
            try FileManager.default.createSymbolicLink(atPath: $0.home.path("loop"), withDestinationPath: "loop")
            $1.identities = [$0.home.path("loop")]
        },
        newKey(.keyFormatUnsupported) {
            try "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n".write(toFile: $0, atomically: true, encoding: .utf8)
        },
        newKey(.keyTypeUnsupported) {
            try await ProcessRun.check("openssl", ["dsaparam", "-genkey", "-noout", "-out", $0, "1024"])
        },
        Remedy(
            .keyFormatInvalid, .shows("head -1", words: "this is not a key"),
            act: { fixture, _ in try accepted(fixture, as: "id") }
        ) { $1.identities = [try $0.home.write("this is not a key\n", to: "id")] },
        Remedy(.keyPermissionsTooOpen, .command("chmod 600")) { $1.identities = [try accepted($0, as: "open", mode: 0o644)] },
        Remedy(.keyPublicKeyMismatch, .command("ssh-keygen -y"), [typedPhrase], then: .failure(.authKeyRejected)) {
            let path = try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")
            try $0.home.write(try await TestKey.make(name: "other").publicKey + "\n", to: "id.pub", mode: 0o644)
            ($1.identities, $1.passphrase) = ([path], phrase)
        },
        Remedy(.keyPassphraseRequired, .command("ssh-add"), [typedPhrase], then: .failure(.authKeyRejected)) {
            $1.identities = [try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")]
            $1.agent = $0.agent.socket
        },
        Remedy(
            .keyPassphraseRequired, .options("--passphrase-file FILE"), name: "in a file", then: .failure(.authKeyRejected)
        ) {
            try $0.home.write(phrase + "\n", to: "FILE")
            $1.identities = [try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")]
        },
        Remedy(
            .keyPassphraseWrong, .shows("ssh-keygen -y -f", words: "ssh-ed25519"), [typedPhrase],
            then: .failure(.authKeyRejected),
            act: { fixture, _ in try fixture.home.write(phrase + "\n", to: "passphrase") }
        ) {
            $1.identities = [try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")]
            $1.passphrase = "wr0ng-phrase"
        },
        Remedy(
            .keyCipherUnsupported, .command("ssh-keygen -p"),
            [.init("Enter old passphrase", phrase), .init("new passphrase", phrase), .init("again", phrase)],
            then: .failure(.authKeyRejected)
        ) {
            let path = try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")
            let cipher = ["-Z", "chacha20-poly1305@openssh.com"]
            try await ProcessRun.check("ssh-keygen", ["-q", "-p"] + cipher + ["-P", phrase, "-N", phrase, "-f", path])
            ($1.identities, $1.passphrase) = ([path], phrase)
        },
    ]

    static let agents: [Remedy] = [
        Remedy(
            .agentUnavailable, .shell("eval"), [typedPhrase],
            act: { fixture, words in
                // The variable of the dead agent is removed, so the shell's own agent counts.
                if let place = words.firstIndex(of: "--agent") { words.removeSubrange(place...place + 1) }
            }
        ) {
            try await encryptedDefault($0)
            ($1.identities, $1.agent) = ([], $0.home.path("no-socket"))
        },
        Remedy(.agentEmpty, .command("ssh-add"), [typedPhrase]) {
            try await encryptedDefault($0)
            ($1.identities, $1.agent) = ([], $0.agent.socket)
        },
        Remedy(.agentEmpty, .command("ssh-add -X"), [.init("password: ", "lock-phrase")], name: "locked") {
            try await $0.agent.add($0.box.clientKey)
            try await $0.agent.lock("lock-phrase")
            ($1.identities, $1.agent) = ([], $0.agent.socket)
        },
    ]

    static let logins: [Remedy] = [
        Remedy(.authKeyRejected, .command("ssh-copy-id"), [.init("password: ", "alice-pw")]) {
            $1.identities = [try await TestKey.make(name: "stranger").write(to: $0.home, as: "id")]
        },
        Remedy(.authKeyRejected, .command("ssh-keygen -y"), [.init("password: ", "alice-pw")], name: "without its public half") {
            $1.identities = [try $0.home.write(try await TestKey.make(name: "stranger").privateKey, to: "id")]
        },
        Remedy(
            .authTooManyAttempts, .options("--identity FILE --identities-only"), server: sandbox("MaxAuthTries 2\n")
        ) { fixture, testRun in
            for number in 0..<4 { try await fixture.agent.add(try await TestKey.make(name: "agent\(number)")) }
            try accepted(fixture, as: "FILE")
            (testRun.identities, testRun.agent) = ([], fixture.agent.socket)
        },
        Remedy(.authMethodNotOffered, .options("--password-file FILE"), server: sandbox("PubkeyAuthentication no\n")) {
            fixture, _ in try fixture.home.write("alice-pw\n", to: "FILE")
        },
        Remedy(.authNoCredentials, .options("--identity FILE")) {
            try accepted($0, as: "FILE")
            $1.identities = []
        },
        Remedy(.authNoCredentials, .options("--password-file FILE"), name: "a password") {
            try $0.home.write("alice-pw\n", to: "FILE")
            $1.identities = []
        },
        Remedy(
            .authNoCredentials, .command("ssh-add"), [typedPhrase], name: "an agent",
            act: { set("--agent", $0.agent.socket, in: &$1) }
        ) {
            try await encryptedDefault($0)
            $1.identities = []
        },
        Remedy(
            .authMoreFactorsRequired, .options("--password-file FILE"),
            server: sandbox("AuthenticationMethods publickey,password\n")
        ) { fixture, _ in try fixture.home.write("alice-pw\n", to: "FILE") },
        Remedy(
            .authLoginsClosed, .options("--wait 5m"),
            act: { fixture, _ in try FileManager.default.removeItem(at: fixture.box.url(of: "/etc/nologin")) }
        ) { fixture, _ in try fixture.box.put("System is booting up.\n", at: "/etc/nologin") },
        Remedy(
            .authTimedOut, .raised("--connect-timeout", "60"),
            server: sandbox(
                """
                AuthorizedKeysFile none
                AuthorizedKeysCommand /etc/ssh/slow-keys
                AuthorizedKeysCommandUser alice

                """
            ) {
                $0.files["/etc/ssh/slow-keys"] = SandboxFile(
                    "#!/bin/sh\nsleep 10\nexec cat /home/alice/.ssh/authorized_keys\n", mode: 0o755)
            }
        ) { _, testRun in testRun.connectTimeout = 8 },
        Remedy(
            .authAccountDenied, .shows("chage -l", on: .server, words: "Account expires"), as: .gone,
            server: sandbox { $0.usePAM = true },
            act: { fixture, _ in
                // The administrator's remedy, chage -E -1.
                let shadow = try String(contentsOf: fixture.box.url(of: "/etc/shadow"), encoding: .utf8)
                let lines = shadow.split(separator: "\n").map { line in
                    var fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
                    if fields[0] == SandboxUser.gone.name { fields[7] = "" }
                    return fields.joined(separator: ":") + "\n"
                }
                try fixture.box.put(lines.joined(), at: "/etc/shadow")
            }
        ) { _, _ in },
        Remedy(
            .authPasswordExpired, .command("ssh "),
            [
                .init("Password: ", "expired-pw"), .init("urrent password: ", "expired-pw"),
                .init("New password: ", "An0ther-longer-one"), .init("Retype new password: ", "An0ther-longer-one"),
                .init("$ ", "exit"),
            ], as: .expired, server: sandbox("PasswordAuthentication no\n") { $0.usePAM = true },
            act: { fixture, _ in try fixture.home.write("An0ther-longer-one\n", to: "password") }
        ) { _, testRun in testRun.use(password: "expired-pw") },
    ]
}
