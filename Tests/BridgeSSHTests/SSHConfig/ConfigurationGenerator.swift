import SSHTestSupport

/// Configurations as people might write them, by chance but repeatably.
struct ConfigurationGenerator {
    static let hosts = ["web1", "db.example.com", "WEB1", "10.0.0.7", "::1", "a-b.test"]
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func text() -> String {
        var lines: [String] = []
        for _ in 0..<Int.random(in: 1...14, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: lines.append("Host " + patterns())
            case 2: lines.append("Match " + criteria())
            case 3: lines.append(pick(["", "# a comment", "   ", "\t# another"]))
            default: lines.append(directive())
            }
        }
        return lines.joined(separator: pick(["\n", "\n", "\r\n"])) + pick(["", "\n"])
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func patterns() -> String {
        let all = ["*", "web?", "!web1", "*.example.com", "db*", "10.0.0.*", "\"web1\"", "!*.test", "::1", "WEB*", "w*1"]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(all) }.joined(separator: pick([" ", "  ", "\t"]))
    }

    private mutating func criteria() -> String {
        let one = [
            "host web*", "host=*.com,!x*", "originalhost WEB1,db*", "user root", "user alice,bob", "localuser \"root\"", "final",
            "canonical", "!final", "exec true", "exec \"test %h = web1\"", "!exec \"test %p -gt 100\"", "!host web1", "!user bob",
            "exec \"test %n-%r-%u != x\"",
        ]
        if Int.random(in: 0..<5, using: &random) == 0 { return pick(["all", "final all", "canonical all", "!all", "all # end"]) }
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(one) }.joined(separator: " ")
    }

    private mutating func directive() -> String {
        let (key, values) = pick(Self.values)
        let spelled = pick([key, key.lowercased(), key.uppercased()])
        let separator = pick([" ", " ", "=", " = ", "\t", "  "])
        return pick(["", "  ", "\t"]) + spelled + separator + pick(values) + pick(["", "", " "])
    }

    private static let flags = ["yes", "no", "true", "false", "YES", "No"]

    private static let values: [(String, [String])] = [
        ("HostName", ["%h.example.com", "10.1.1.1", "Real-Host", "%%h", "127.1"]),
        ("Port", ["22", "2222", "65535", "ssh", "\"99\""]),
        ("User", ["alice", "bob", "\"with space\"", "a\\\"b"]), ("IdentitiesOnly", flags), ("BatchMode", flags),
        ("IdentityFile", ["~/.ssh/a", "~/.ssh/%r@%h", "/k/${CONFIG_TEST_NAME}", "none", "\"~/my key\""]),
        ("CertificateFile", ["~/.ssh/a-cert.pub", "/c/%n"]),
        ("AddKeysToAgent", ["yes", "ask", "confirm 5m", "1h", "no", "confirm"]),
        ("IdentityAgent", ["none", "SSH_AUTH_SOCK", "$CONFIG_TEST_SOCKET", "${CONFIG_TEST_SOCKET}", "~/a-%u-%i", "/x/%C"]),
        (
            "UserKnownHostsFile",
            ["~/.ssh/known_%h", "/a /b", "none", "\"/a b\" /c", "~root/x", "${CONFIG_TEST_NAME}/%k", "/dev/null"]
        ),
        ("GlobalKnownHostsFile", ["/etc/k1 /etc/k2", "none", "/k/%h"]), ("HostKeyAlias", ["Alias", "other.example"]),
        ("StrictHostKeyChecking", ["yes", "no", "ask", "accept-new", "off", "TRUE"]), ("HashKnownHosts", flags),
        ("CheckHostIP", flags), ("UpdateHostKeys", ["yes", "no", "ask"]), ("KnownHostsCommand", ["/bin/cat %H # all", "none"]),
        ("HostKeyAlgorithms", ["ssh-ed25519", "+ssh-rsa", "-ecdsa*", "^rsa-sha2-256", "ssh-*,rsa*", "-*cert*,ssh-ed25519"]),
        ("KexAlgorithms", ["curve25519-sha256", "+diffie-hellman-group14-sha1", "-*nist*", "^ecdh-sha2-nistp256"]),
        ("Ciphers", ["aes128-ctr,aes256-ctr,aes128-ctr", "+aes128-cbc", "-chacha*,aes1*", "^aes256-gcm@openssh.com"]),
        ("MACs", ["hmac-sha2-256", "+hmac-md5", "-umac*,*etm*", "^hmac-sha1"]),
        ("PubkeyAcceptedAlgorithms", ["+ssh-rsa", "ssh-ed25519"]), ("PubkeyAcceptedKeyTypes", ["rsa-sha2-512"]),
        ("PreferredAuthentications", ["publickey,password", "password"]),
        ("PubkeyAuthentication", ["yes", "no", "unbound", "host-bound"]),
        ("PasswordAuthentication", flags), ("KbdInteractiveAuthentication", flags), ("ChallengeResponseAuthentication", flags),
        ("NumberOfPasswordPrompts", ["1", "0", "7", "+2"]), ("ConnectTimeout", ["10", "1m30s", "none", "0", "2H"]),
        ("ConnectionAttempts", ["1", "3"]), ("ServerAliveInterval", ["15", "1m", "none", "0"]),
        ("ServerAliveCountMax", ["2", "10"]),
        ("TCPKeepAlive", flags), ("AddressFamily", ["inet", "inet6", "any"]), ("BindAddress", ["127.0.0.1"]),
        ("BindInterface", ["lo"]), ("Compression", ["yes", "no"]), ("SendEnv", ["LANG LC_*", "FOO", "-LC_*", "-*", "A B C"]),
        ("SetEnv", ["A=1 B=2", "\"A=x y\"", "C=", "A=1 A=2"]), ("RequestTTY", ["yes", "no", "force", "auto"]),
        ("RemoteCommand", ["echo \"%h %n\" # all", "none", "= ls %d"]), ("EscapeChar", ["none", "~", "^c", "\\\\"]),
        ("LogLevel", ["QUIET", "debug2", "VERBOSE", "debug"]),
        ("ProxyJump", ["a", "u@a:22,b", "none", "ssh://u@h:2/,[::1]:2", "10.0.0.1"]),
        ("ProxyCommand", ["nc %h %p", "none", "ssh -W %h:%p jump # x"]),
        ("ForwardAgent", ["yes", "no", "$CONFIG_TEST_SOCKET", "/s/%h"]),
        ("CanonicalizeMaxDots", ["0", "3"]), ("ControlMaster", ["auto", "no", "autoask"]),
        ("ControlPath", ["~/.ssh/%C", "none", "/x/%r@%h:%p"]),
        ("ControlPersist", ["yes", "10m", "0"]), ("RekeyLimit", ["1G", "default none", "500M 1h"]),
        ("IPQoS", ["af21 cs1", "0x10", "none"]),
        ("LocalForward", ["8080 localhost:80", "[::1]:90 db:5432"]), ("RemoteForward", ["0 a:1", "1080"]),
        ("DynamicForward", ["1080", "localhost:1081"]), ("LocalCommand", ["echo %h"]), ("SyslogFacility", ["AUTH", "local3"]),
        ("Tunnel", ["yes", "ethernet"]), ("TunnelDevice", ["1:2", "any"]), ("VerifyHostKeyDNS", ["yes", "ask"]),
        ("FingerprintHash", ["md5", "sha256"]), ("StreamLocalBindMask", ["0117"]), ("GSSAPIAuthentication", flags),
        ("ForwardX11", flags), ("VisualHostKey", flags), ("Protocol", ["2,1"]), ("UseRoaming", ["no"]),
        ("ExitOnForwardFailure", flags),
        ("IgnoreUnknown", ["UseKeychain,Foo*"]), ("RequiredRSASize", ["2048"]), ("SessionType", ["none", "default"]),
        ("PermitRemoteOpen", ["any", "a:1 b:*"]), ("LogVerbose", ["kex.c:*:1000"]), ("ClearAllForwardings", flags),
    ]
}
