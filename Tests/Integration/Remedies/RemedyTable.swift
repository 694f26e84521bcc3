import BridgeSSH
import Foundation
import SSHTestSupport

/// The remedies that are followed to the end.
enum RemedyTable {
    static let rows: [Remedy] = reach + hostKeys + keyFiles + agents + logins + commands + files

    /// Remedies that name a command or an option and are not followed here, each with the reason.
    static let exceptions: [SSHError.Code: String] = [
        .channelExecDenied: "an sshd that gives a shell refuses no command; `--shell` is typed after a device's message",
        .bannerTimedOut: "the command is the person's own ProxyCommand; that of ssh.connect.proxy-failed is run",
        .bannerLibraryLimit: "no sshd sends such a line; `--via ssh` is typed for ssh.kex.no-common-kex",
        .kexNoCommonHostKeyAlgorithm: "it depends on the installed libssh2; `--via ssh` is typed for ssh.kex.no-common-kex",
    ]

    /// Whether a code's remedy is followed, or it is known why not.
    static func isFollowed(_ code: SSHError.Code) -> Bool { rows.contains { $0.code == code } || exceptions[code] != nil }

    static func sandbox(_ lines: String = "", _ change: (inout SSHDSandbox.Options) -> Void = { _ in }) -> SSHDSandbox.Options {
        var options = SSHDSandbox.Options(lines)
        change(&options)
        return options
    }

    /// The host among the arguments of a run.
    static func host(_ host: String, in words: inout [String]) { words[words.count - 3] = host }

    /// Replaces the value of the last option of this name.
    static func set(_ option: String, _ value: String, in words: inout [String]) {
        if let place = words.lastIndex(of: option) { words[place + 1] = value }
    }

    // MARK: Reaching the host

    private static let reach: [Remedy] = [
        Remedy(
            .resolveHostNotFound, .shows("getent hosts", status: 2, words: ""), act: { _, words in host("127.0.0.1", in: &words) }
        ) { _, testRun in testRun.host = "nosuch.invalid" },
        Remedy(
            .connectRefused, .shows("ss -ltn", on: .server, words: "127.0.0.1:PORT"),
            act: { fixture, words in set("-p", "\(fixture.box.port)", in: &words) }
        ) { _, testRun in testRun.port = 1 },
        Remedy(
            .connectProxyFailed, .shows("sh -c", status: 3, words: "broken"),
            extra: { _ in ["-o", "ProxyCommand=sh -c 'echo broken >&2; exit 3'"] },
            act: { _, words in set("-o", "ProxyCommand=none", in: &words) }
        ) { _, _ in },
        Remedy(
            .kexNoCommonKex, .serverLine("KexAlgorithms +"), server: sandbox("KexAlgorithms sntrup761x25519-sha512@openssh.com\n")
        ) { _, _ in },
        Remedy(
            .kexNoCommonKex, .options("--via ssh"), name: "by OpenSSH's ssh",
            server: sandbox("KexAlgorithms sntrup761x25519-sha512@openssh.com\n")
        ) { _, _ in },
        Remedy(
            .kexNoCommonMAC, .options("--via ssh"), name: "by OpenSSH's ssh", server: sandbox("MACs umac-64-etm@openssh.com\n")
        ) { _, _ in },
        Remedy(
            .localUnsupported, .options("--via ssh"), name: "algorithms that libssh2 does not have",
            extra: { _ in ["-o", "KexAlgorithms=sntrup761x25519-sha512@openssh.com"] }
        ) { _, _ in },
        Remedy(.localUsage, .options("--via ssh"), name: "a command that is too long for libssh2") { _, testRun in
            testRun.command = "true #" + String(repeating: "x", count: 40_000)
        },
        Remedy(.kexNoCommonCipher, .serverLine("Ciphers +"), server: sandbox("Ciphers aes128-cbc\n")) { _, _ in },
        Remedy(.kexNoCommonMAC, .serverLine("MACs +"), server: sandbox("MACs umac-64-etm@openssh.com\n")) { _, _ in },
    ]

    // MARK: Host keys

    private static let yes = [Remedy.Answer("fingerprint: ", "yes")]

    /// Knows another key of the server's type.
    private static func anotherKey(_ fixture: RemedyFixture, _ testRun: inout TestRun) async throws {
        testRun.knownHosts = [try await fixture.box.knownHosts(keys: [TestKey.make(name: "other").publicKey])]
    }

    /// Knows no host.
    private static func unknown(_ fixture: RemedyFixture, _ testRun: inout TestRun) async throws {
        testRun.knownHosts = [try fixture.home.write("", to: "known")]
    }

    private static let hostKeys: [Remedy] = [
        Remedy(.hostKeyUnknown, .options("--host-key-policy accept-new")) { try await unknown($0, &$1) },
        Remedy(.hostKeyUnknown, .command("bridge-ssh trust"), yes, name: "remembered") { try await unknown($0, &$1) },
        Remedy(
            .hostKeyUnknown, .shows("ssh-keygen -lf", on: .server, words: "FINGERPRINT"), name: "compared on the server",
            act: { _, words in set("--host-key-policy", "accept-new", in: &words) }
        ) { try await unknown($0, &$1) },
        Remedy(.hostKeyChanged, .command("bridge-ssh trust --update"), yes, name: "replaced") { try await anotherKey($0, &$1) },
        Remedy(.hostKeyChanged, .command("ssh-keygen -R"), name: "removed", then: .failure(.hostKeyUnknown)) {
            try await anotherKey($0, &$1)
        },
        Remedy(.hostKeyChanged, .command("bridge-ssh trust --update"), yes, name: "in the second file") { fixture, testRun in
            try await anotherKey(fixture, &testRun)
            testRun.knownHosts.insert(try fixture.home.write("", to: "first"), at: 0)
        },
        Remedy(
            .hostKeyOtherTypeKnown, .command("bridge-ssh trust"), yes, server: sandbox { $0.hostKeys = [.ed25519] }
        ) { fixture, testRun in
            testRun.knownHosts = [try await fixture.box.knownHosts(keys: [TestKey.make(.ecdsa, name: "other").publicKey])]
        },
        Remedy(
            .hostKeyKnownHostsUnreadable, .shows("ls -l", status: 2, words: "No such file"),
            act: { fixture, _ in
                let known = try await fixture.box.knownHosts()
                try FileManager.default.copyItem(atPath: known, toPath: fixture.home.path("missing"))
            }
        ) { $1.knownHosts = [$0.home.path("missing")] },
    ]
}
