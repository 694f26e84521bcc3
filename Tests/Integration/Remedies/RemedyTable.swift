import BridgeSSH
import Foundation
import SSHTestSupport

/// The remedies that are followed to the end.
enum RemedyTable {
    static let rows: [Remedy] = hostKeys + keyFiles + logins + commands

    private static func sandbox(_ lines: String = "", _ change: (inout SSHDSandbox.Options) -> Void = { _ in })
        -> SSHDSandbox.Options
    {
        var options = SSHDSandbox.Options(lines)
        change(&options)
        return options
    }

    private static let yes = [Remedy.Answer("fingerprint: ", "yes")]

    /// Knows another key of the server's type.
    private static func anotherKey(_ ground: RemedyGround, _ visit: inout Visit) async throws {
        visit.knownHosts = [try await ground.box.knownHosts(keys: [TestKey.make(name: "other").publicKey])]
    }

    private static let hostKeys: [Remedy] = [
        Remedy(.hostKeyUnknown, .options("--host-key-policy accept-new")) { ground, visit in
            visit.knownHosts = [ground.home.path("known")]
            try ground.home.write("", to: "known")
        },
        Remedy(.hostKeyChanged, .command("bridge-ssh trust --update"), yes, name: "replaced") { try await anotherKey($0, &$1) },
        Remedy(.hostKeyChanged, .command("ssh-keygen -R"), name: "removed", then: .failure(.hostKeyUnknown)) {
            try await anotherKey($0, &$1)
        },
        Remedy(.hostKeyChanged, .command("bridge-ssh trust --update"), yes, name: "in the second file") { ground, visit in
            try await anotherKey(ground, &visit)
            visit.knownHosts.insert(try ground.home.write("", to: "first"), at: 0)
        },
        Remedy(
            .hostKeyOtherTypeKnown, .command("bridge-ssh trust"), yes, server: sandbox { $0.hostKeys = [.ed25519] }
        ) { ground, visit in
            visit.knownHosts = [try await ground.box.knownHosts(keys: [TestKey.make(.ecdsa, name: "other").publicKey])]
        },
    ]

    private static let phrase = "the-passphrase"

    private static let keyFiles: [Remedy] = [
        Remedy(
            .keyNotFound, .command("ssh-keygen -t ed25519"), [.init("passphrase", ""), .init("again", "")],
            then: .failure(.authKeyRejected)
        ) { $1.identities = [$0.home.path("new")] },
        Remedy(.keyPermissionsTooOpen, .command("chmod 600")) { ground, visit in
            let key = try String(contentsOfFile: ground.box.clientKeyFile, encoding: .utf8)
            visit.identities = [try ground.home.write(key, to: "open", mode: 0o644)]
        },
        Remedy(.keyPublicKeyMismatch, .command("ssh-keygen -y"), [.init("passphrase", phrase)], then: .failure(.authKeyRejected))
        {
            let path = try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")
            try $0.home.write(try await TestKey.make(name: "other").publicKey + "\n", to: "id.pub", mode: 0o644)
            ($1.identities, $1.passphrase) = ([path], phrase)
        },
        Remedy(.keyPassphraseRequired, .command("ssh-add"), [.init("passphrase", phrase)], then: .failure(.authKeyRejected)) {
            $1.identities = [try await TestKey.make(passphrase: phrase).write(to: $0.home, as: "id")]
            $1.agent = $0.agent.socket
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

    private static let logins: [Remedy] = [
        Remedy(
            .authKeyRejected, .command("ssh-copy-id"), [.init("password: ", "alice-pw")]
        ) {
            $1.identities = [try await TestKey.make(name: "stranger").write(to: $0.home, as: "id")]
        },
        Remedy(
            .authTooManyAttempts, .options("--identity FILE --identities-only"), server: sandbox("MaxAuthTries 2\n")
        ) { ground, visit in
            for number in 0..<4 { try await ground.agent.add(try await TestKey.make(name: "agent\(number)")) }
            let key = try String(contentsOfFile: ground.box.clientKeyFile, encoding: .utf8)
            try ground.home.write(key, to: "FILE")
            (visit.identities, visit.agent) = ([], ground.agent.socket)
        },
        Remedy(.authMethodNotOffered, .options("--password-file FILE"), server: sandbox("PubkeyAuthentication no\n")) {
            try $0.home.write("alice-pw\n", to: "FILE")
            _ = $1
        },
        Remedy(.authNoCredentials, .options("--identity FILE")) { ground, visit in
            let key = try String(contentsOfFile: ground.box.clientKeyFile, encoding: .utf8)
            try ground.home.write(key, to: "FILE")
            visit.identities = []
        },
    ]

    private static let commands: [Remedy] = [
        Remedy(
            .localConfigInvalid, .options("--config none"),
            extra: { ["-F", try $0.home.write("Host *\nNonsense yes\n", to: "config")] }
        ) { _, _ in },
        Remedy(.channelPTYDenied, .without(["--tty"]), server: sandbox("PermitTTY no\n")) { _, visit in visit.tty = true }
    ]

    /// Remedies whose command only shows something, is for the server, or sets a limit that nothing here can know: following them
    /// changes nothing here.
    static let looks: [SSHError.Code: String] = [
        .resolveHostNotFound: "getent shows what this machine knows of the name",
        .connectRefused: "ss shows what listens at the server",
        .connectNetworkUnreachable: "ip shows this machine's routes",
        .connectBlockedLocally: "nft shows this machine's firewall",
        .connectLocalResources: "ulimit is the shell's",
        .keyUnreadable: "ls shows whose the file is",
        .keyFormatUnsupported: "a new key is another one",
        .keyPassphraseWrong: "ssh-keygen tells whether a passphrase is right",
        .agentUnavailable: "the agent that it starts outlives the shell",
        .agentEmpty: "which key to load is not known",
        .agentRefused: "an agent asks by itself",
        .authAccountDenied: "chage shows the account at the server",
        .authInteractionRequired: "the file is the person's",
        .authTimedOut: "how slow the server is, is not known",
        .channelSubsystemMissing: "the setting is the server's",
        .commandExitNonzero: "--json shows the cause",
        .commandNotExecutable: "ls and file show what it is",
        .commandKilledBySignal: "journalctl shows who killed it",
        .commandTimedOut: "how long the command takes is not known",
        .commandIdleTimedOut: "how long the command is silent is not known",
        .commandLoginShellDenied: "the account is the server's",
        .commandOutputLimitExceeded: "how much the command prints is not known",
        .localUsage: "--help shows the usage",
        .localLibraryFailure: "it is reported",
        .sftpPermissionDenied: "ls shows the permissions at the server",
        .sftpDiskFull: "df shows the server's disk",
        .sftpIsADirectory: "copy's",
        .sftpLimitExceeded: "copy's",
        .sftpChecksumMismatch: "copy's",
        .sftpConnectionLost: "copy's",
        .sftpLocalNoSuchFile: "ls shows what there is",
        .sftpLocalPermissionDenied: "ls shows the permissions",
        .sftpLocalDiskFull: "df shows the disk",
    ]
}
