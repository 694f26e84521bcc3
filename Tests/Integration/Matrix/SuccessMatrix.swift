import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// What must succeed, however unusual the server or the way to it.
@Suite("Matrix: success") struct SuccessMatrix {
    static let logins: [Scene] = [
        Scene("password", .success) { $1.use(password: "alice-pw") },
        Scene("password, PAM", .success, pam: true) { $1.use(password: "alice-pw") },
        Scene("keyboard-interactive by the password", .success, server: "PasswordAuthentication no", pam: true) {
            $1.use(password: "alice-pw")
        },
        Scene("key and password", .success, server: "AuthenticationMethods publickey,password") { $1.password = "alice-pw" },
        Scene(
            "key and keyboard-interactive", .success, server: "AuthenticationMethods publickey,keyboard-interactive", pam: true
        ) { $1.password = "alice-pw" },
        Scene("password and key", .success, server: "AuthenticationMethods password,publickey") { $1.password = "alice-pw" },
        Scene(
            "password and keyboard-interactive", .success, server: "AuthenticationMethods password,keyboard-interactive",
            pam: true
        ) { $1.use(password: "alice-pw") },
        Scene(
            "keyboard-interactive and key", .success, server: "AuthenticationMethods keyboard-interactive,publickey", pam: true
        ) { $1.password = "alice-pw" },
        Scene("two keys", .success, server: "AuthenticationMethods publickey,publickey") { box, visit in
            let second = try await TestKey.make(.ecdsa, name: "second")
            try box.put("\(box.clientKey.publicKey)\n\(second.publicKey)\n", at: "/home/alice/.ssh/authorized_keys")
            visit.identities.append(try box.identityFile(second))
        },
        Scene("either of two lists", .success, server: "AuthenticationMethods password,publickey publickey"),
        Scene("no authentication at all", .success, server: "PermitEmptyPasswords yes") { box, visit in
            try box.emptyPassword(of: .bob)
            visit.user = "bob"
            visit.identities = []
        },
        Scene("one try", .success, server: "MaxAuthTries 1"),
        Scene("one try, password", .success, server: "MaxAuthTries 1") { $1.use(password: "alice-pw") },
        Scene("a login banner", .success, server: "Banner /etc/issue.net") { box, _ in
            try box.put("Authorised use only.\nYour password has expired? Call us.\n", at: "/etc/issue.net")
        },
        Scene("a noisy shell", .success("noise\nout\n"), "echo out") { box, _ in
            try box.put("echo noise\necho 'Permission denied' >&2\n", at: "/home/alice/.bashrc")
        },
        Scene("forced by the key", .success("uptime\n"), "uptime") { box, _ in
            try box.authorize(keyOptions: "command=\"echo $SSH_ORIGINAL_COMMAND\",restrict")
        },
        Scene("no PAM", .success, server: "UsePAM no"),
        Scene("PAM", .success, pam: true),
        Scene("compression refused", .success, server: "Compression no"),
        Scene("keys renewed at once", .success("3145728\n"), server: "RekeyLimit 64K", "head -c 3M /dev/zero | wc -c"),
    ]

    @Test("a login", arguments: logins)
    func login(_ scene: Scene) async throws { try await scene.play() }

    static let algorithms: [String] = [
        "KexAlgorithms curve25519-sha256", "KexAlgorithms ecdh-sha2-nistp256", "KexAlgorithms ecdh-sha2-nistp384",
        "KexAlgorithms ecdh-sha2-nistp521", "KexAlgorithms diffie-hellman-group14-sha256",
        "KexAlgorithms diffie-hellman-group16-sha512", "KexAlgorithms diffie-hellman-group18-sha512",
        "Ciphers aes128-ctr", "Ciphers aes192-ctr", "Ciphers aes256-ctr", "MACs hmac-sha2-256", "MACs hmac-sha2-512",
        "MACs hmac-sha1",
    ]

    @Test("a server with one algorithm of a kind", arguments: algorithms)
    func algorithm(_ configuration: String) async throws {
        let command = "head -c 200000 /dev/zero | tr '\\0' x"
        let output = String(repeating: "x", count: 200_000)
        try await Scene(configuration, .success(output), server: configuration, command).play()
    }

    @Test("by IPv6") func ipv6() async throws {
        try await Scene("IPv6", .success, options: { $0.listenAddress = "::1" }).play()
    }

    @Test("a name that is looked up") func name() async throws {
        try await Scene("localhost", .success) { box, visit in
            visit.host = "localhost"
            let keys = box.hostKeys.map { "[localhost]:\(box.port) \($0.publicKey)\n" }
            visit.knownHosts = [try box.directory.write(keys.joined(), to: "known")]
        }.play()
    }

    @Test("a link with a delay of 100 ms", arguments: ["", "RekeyLimit 256K"]) func delay(configuration: String) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options(configuration)) { box in
                try await FaultProxy.run(to: box.port, delay: .milliseconds(100)) { proxy in
                    let visit = try await box.visit(.alice, "head -c 1M /dev/zero | wc -c", through: proxy.port)
                    try await visit.check(.success("1048576\n"))
                }
            }
        }
    }

    @Test(
        "lines before the identification",
        arguments: ["Welcome\r\n", "One\r\nTwo\nThree\r\n", "Blank\r\n\r\nlines\r\n\r\n", "\r\n", "Grüße\r\n"])
    func greeting(lines: String) async throws {
        try await Gate.shared.pass {
            let box = try await Ground.plain.box()
            try await Greeter.run(lines, to: box.port) { port in
                try await box.visit(through: port).check(.success)
            }
        }
    }

    @Test("the default identity of the home directory") func defaultIdentity() async throws {
        let box = try await Ground.plain.box()
        try await ScratchDirectory.with { home in
            try FileManager.default.createDirectory(atPath: home.path(".ssh"), withIntermediateDirectories: false)
            try box.clientKey.write(to: home, as: ".ssh/id_ed25519")
            try FileManager.default.copyItem(atPath: try await box.knownHosts(), toPath: home.path(".ssh/known_hosts"))
            var visit = try await box.visit(.alice, "echo in")
            visit.identities = []
            visit.knownHosts = []
            let result = try await visit.byExecutable(home: home)
            #expect(result.output == "in\n", "\(result.errorOutput)")
            #expect(result.termination == .exited(0))
        }
    }
}

extension SSHDSandbox {
    /// Takes the password of an account away, so that anybody may use it.
    func emptyPassword(of user: SandboxUser) throws {
        let shadow = try String(contentsOf: url(of: "/etc/shadow"), encoding: .utf8).split(separator: "\n").map { line in
            guard line.hasPrefix("\(user.name):") else { return String(line) }
            var fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            fields[1] = ""
            return fields.joined(separator: ":")
        }
        try put(shadow.joined(separator: "\n") + "\n", at: "/etc/shadow")
    }
}
