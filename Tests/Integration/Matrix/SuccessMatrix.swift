import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Sessions that must succeed, however unusual the server or its route.
@Suite("Matrix: success") struct SuccessMatrix {
    static let logins: [SSHDCase] = [
        SSHDCase("password", .success) { $1.use(password: "alice-pw") },
        SSHDCase("password, PAM", .success, pam: true) { $1.use(password: "alice-pw") },
        SSHDCase("keyboard-interactive by the password", .success, server: "PasswordAuthentication no", pam: true) {
            $1.use(password: "alice-pw")
        },
        SSHDCase("key and password", .success, server: "AuthenticationMethods publickey,password") { $1.password = "alice-pw" },
        SSHDCase(
            "key and keyboard-interactive", .success, server: "AuthenticationMethods publickey,keyboard-interactive", pam: true
        ) { $1.password = "alice-pw" },
        SSHDCase("password and key", .success, server: "AuthenticationMethods password,publickey") { $1.password = "alice-pw" },
        SSHDCase(
            "password and keyboard-interactive", .success, server: "AuthenticationMethods password,keyboard-interactive",
            pam: true
        ) { $1.use(password: "alice-pw") },
        SSHDCase(
            "keyboard-interactive and key", .success, server: "AuthenticationMethods keyboard-interactive,publickey", pam: true
        ) { $1.password = "alice-pw" },
        SSHDCase("two keys", .success, server: "AuthenticationMethods publickey,publickey") { box, testRun in
            let second = try await TestKey.make(.ecdsa, name: "second")
            try box.put("\(box.clientKey.publicKey)\n\(second.publicKey)\n", at: "/home/alice/.ssh/authorized_keys")
            testRun.identities.append(try box.identityFile(second))
        },
        SSHDCase("either of two lists", .success, server: "AuthenticationMethods password,publickey publickey"),
        SSHDCase("no authentication at all", .success, server: "PermitEmptyPasswords yes") { box, testRun in
            try box.emptyPassword(of: .bob)
            testRun.user = "bob"
            testRun.identities = []
        },
        SSHDCase("one try", .success, server: "MaxAuthTries 1"),
        SSHDCase("one try, password", .success, server: "MaxAuthTries 1") { $1.use(password: "alice-pw") },
        SSHDCase("a login banner", .success, server: "Banner /etc/issue.net") { box, _ in
            try box.put("Authorised use only.\nYour password has expired? Call us.\n", at: "/etc/issue.net")
        },
        SSHDCase("a noisy shell", .success("noise\nout\n"), "echo out") { box, _ in
            try box.put("echo noise\necho 'Permission denied' >&2\n", at: "/home/alice/.bashrc")
        },
        SSHDCase("forced by the key", .success("uptime\n"), "uptime") { box, _ in
            try box.authorize(keyOptions: "command=\"echo $SSH_ORIGINAL_COMMAND\",restrict")
        },
        SSHDCase("no PAM", .success, server: "UsePAM no"),
        SSHDCase("PAM", .success, pam: true),
        SSHDCase("compression refused", .success, server: "Compression no"),
        SSHDCase("keys renewed at once", .success("3145728\n"), server: "RekeyLimit 64K", "head -c 3M /dev/zero | wc -c"),
    ]

    @Test("a login", arguments: logins)
    func login(_ test: SSHDCase) async throws { try await test.check() }

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
        try await SSHDCase(configuration, .success(output), server: configuration, command).check()
    }

    @Test("over IPv6") func ipv6() async throws {
        try await SSHDCase("IPv6", .success, options: { $0.listenAddress = "::1" }).check()
    }

    @Test("a name that is looked up") func name() async throws {
        try await SSHDCase("localhost", .success) { box, testRun in
            testRun.host = "localhost"
            let keys = box.hostKeys.map { "[localhost]:\(box.port) \($0.publicKey)\n" }
            testRun.knownHosts = [try box.directory.write(keys.joined(), to: "known")]
        }.check()
    }

    @Test("a link with a delay of 100 ms", arguments: ["", "RekeyLimit 256K"]) func delay(configuration: String) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options(configuration)) { box in
                try await FaultProxy.run(to: box.port, delay: .milliseconds(100)) { proxy in
                    let testRun = try await box.testRun(.alice, "head -c 1M /dev/zero | wc -c", through: proxy.port)
                    try await testRun.check(.success("1048576\n"))
                }
            }
        }
    }

    @Test(
        "lines before the identification line",
        arguments: ["Welcome\r\n", "One\r\nTwo\nThree\r\n", "Blank\r\n\r\nlines\r\n\r\n", "\r\n", "Grüße\r\n"])
    func greeting(lines: String) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await GreetingBastion.run(lines, to: box.port) { port in
                try await box.testRun(through: port).check(.success)
            }
        }
    }

    @Test("the default identity of the home directory") func defaultIdentity() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { home in
            try FileManager.default.createDirectory(atPath: home.path(".ssh"), withIntermediateDirectories: false)
            try box.clientKey.write(to: home, as: ".ssh/id_ed25519")
            try FileManager.default.copyItem(atPath: try await box.knownHosts(), toPath: home.path(".ssh/known_hosts"))
            var testRun = try await box.testRun(.alice, "echo in")
            testRun.identities = []
            testRun.knownHosts = []
            let result = try await testRun.byExecutable(home: home)
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
