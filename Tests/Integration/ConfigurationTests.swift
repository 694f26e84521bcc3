import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh run` with a configuration file, on a real sshd, compared with `ssh` and the same file.
@Suite struct ConfigurationFileTests {
    private func run(_ program: String, _ arguments: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(
            program, arguments, environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_TEST": "sent"]))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The configuration of a successful login, under the name `web1`.
    private func file(_ box: SSHDSandbox, _ more: String = "", known: String? = nil) async throws -> String {
        let knownHosts: String
        if let known { knownHosts = known } else { knownHosts = try await box.knownHosts() }
        return try box.directory.write(
            """
            Host web1
              HostName \(box.host)
              Port \(box.port)
              User alice
              IdentityFile \(box.clientKeyFile)
              IdentityAgent none
              UserKnownHostsFile \(knownHosts)
              GlobalKnownHostsFile none
              StrictHostKeyChecking yes
              BatchMode yes
            \(more)

            """, to: "config." + String(UInt64.random(in: 0..<(1 << 40)), radix: 36))
    }

    @Test("hosts that ssh reaches are reached") func worksWhereSSHWorks() async throws {
        var options = SSHDSandbox.Options()
        options.acceptedEnvironment = ["LC_*", "GREETING"]
        try await SSHDSandbox.run(options) { box in
            let bridge = try BuiltExecutable.path("bridge-ssh")
            let config = try await file(box, "  SendEnv LC_*\n  SetEnv GREETING=\"hello there\"")
            let command = "id -un; echo \"$LC_TEST/$GREETING\""
            let theirs = try await run("ssh", ["-F", config, "web1", command])
            let ours = try await run(bridge, ["run", "-F", config, "web1", command])
            #expect(text(theirs.standardOutput) == "alice\nsent/hello there\n")
            #expect(ours.standardOutput == theirs.standardOutput, "\(text(ours.standardError))")
            #expect(ours.termination == .exited(0))
            let other = try await run(bridge, ["run", "-F", config, "-o", "SetEnv GREETING=mine", "web1", "echo $GREETING"])
            #expect(text(other.standardOutput) == "mine\n")
            let asBob = try await run(bridge, ["run", "-F", config, "-l", "bob", "web1", "id -un"])
            #expect(text(asBob.standardOutput) == "bob\n")
        }
    }

    @Test("RemoteCommand and RequestTTY") func remoteCommandAndTerminal() async throws {
        try await SSHDSandbox.run { box in
            let config = try await file(box, "  RemoteCommand echo %n; tty\n  RequestTTY force")
            let ours = try await run(try BuiltExecutable.path("bridge-ssh"), ["run", "-F", config, "web1"])
            #expect(text(ours.standardOutput).hasPrefix("web1\r\n/dev/pts/"), "\(text(ours.standardError))")
        }
    }

    @Test("known_hosts is searched by HostKeyAlias") func hostKeyAliasIsWhatKnownHostsKnows() async throws {
        try await SSHDSandbox.run { box in
            let bridge = try BuiltExecutable.path("bridge-ssh")
            let known = try box.directory.write("the-alias \(box.hostKeys[0].publicKey)\n", to: "alias_hosts")
            let config = try await file(box, "  HostKeyAlias The-Alias", known: known)
            #expect(try await run("ssh", ["-F", config, "web1", "true"]).termination == .exited(0))
            let ours = try await run(bridge, ["run", "-F", config, "web1", "true"])
            #expect(ours.termination == .exited(0), "\(text(ours.standardError))")
            let without = try await run(bridge, ["run", "-F", config, "-o", "HostKeyAlias=another", "web1", "true"])
            #expect(without.termination == .exited(196))
            // It is remembered without the port, as ssh looks for it.
            let fresh = box.directory.path("fresh_hosts")
            let options = ["-o", "UserKnownHostsFile=\(fresh)", "-o", "StrictHostKeyChecking=accept-new"]
            let remembered = try await run(bridge, ["run", "-F", config] + options + ["web1", "true"])
            #expect(remembered.termination == .exited(0), "\(text(remembered.standardError))")
            #expect(try String(contentsOfFile: fresh, encoding: .utf8).hasPrefix("the-alias "))
        }
    }

    @Test("hashed names are written") func hashedNamesAreWritten() async throws {
        try await SSHDSandbox.run { box in
            let known = box.directory.path("new_hosts")
            let config = try await file(box, "  HashKnownHosts yes", known: known)
            let ours = try await run(
                try BuiltExecutable.path("bridge-ssh"),
                ["run", "-F", config, "-o", "StrictHostKeyChecking=accept-new", "web1", "true"])
            #expect(ours.termination == .exited(0), "\(text(ours.standardError))")
            #expect(try String(contentsOfFile: known, encoding: .utf8).hasPrefix("|1|"))
            #expect(try await run("ssh", ["-F", config, "web1", "true"]).termination == .exited(0))
        }
    }

    /// The method that a configuration forbids is not tried, although it would succeed.
    @Test("forbidden methods", arguments: ["PubkeyAuthentication no", "PreferredAuthentications password"])
    func forbiddenMethods(line: String) async throws {
        try await SSHDSandbox.run { box in
            let config = try await file(box, "  \(line)")
            let theirs = try await run("ssh", ["-F", config, "web1", "true"])
            let ours = try await run(try BuiltExecutable.path("bridge-ssh"), ["run", "-F", config, "web1", "true"])
            #expect(theirs.termination == .exited(255))
            #expect(ours.termination == .exited(197), "\(text(ours.standardError))")
        }
    }

    @Test("algorithms are followed") func algorithmsAreFollowed() async throws {
        try await SSHDSandbox.run { box in
            let bridge = try BuiltExecutable.path("bridge-ssh")
            let config = try await file(box, "  Ciphers aes256-ctr\n  MACs hmac-sha2-512\n  KexAlgorithms ecdh-sha2-nistp384")
            #expect(try await run(bridge, ["run", "-F", config, "web1", "true"]).termination == .exited(0))
            let none = try await run(bridge, ["run", "--json", "-F", config, "-o", "Ciphers=3des-cbc", "web1", "true"])
            #expect(text(none.standardOutput).contains("ssh.kex.no-common-cipher"), "\(text(none.standardOutput))")
        }
    }

    @Test("settings that libssh2 cannot follow are reported, with their place and a remedy")
    func beyondLibssh2() async throws {
        try await SSHDSandbox.run { box in
            let bridge = try BuiltExecutable.path("bridge-ssh")
            func report(_ line: String, _ options: [String] = []) async throws -> (JSON, String) {
                let config = try await file(box, "  \(line)")
                let result = try await run(bridge, ["run", "--json", "-F", config] + options + ["web1", "true"])
                return (try JSON(parsing: Data(result.standardOutput)), config)
            }
            let kex = "sntrup761x25519-sha512@openssh.com"
            let (list, config) = try await report("KexAlgorithms \(kex)")
            #expect(list["error"]?["code"]?.text == "ssh.local.unsupported", "\(list)")
            #expect(list["error"]?["message"]?.text?.hasPrefix("\(config):") == true, "\(list)")
            #expect(list["error"]?["hint"]?.text?.contains("`--via ssh`") == true)
            #expect(list["error"]?["title"]?.text == "Not Supported by libssh2")
            let (option, _) = try await report("# nothing", ["-o", "KexAlgorithms=\(kex)"])
            #expect(option["error"]?["code"]?.text == "ssh.local.unsupported", "\(option)")
            let (methods, _) = try await report("PreferredAuthentications gssapi-with-mic,hostbased")
            #expect(methods["error"]?["code"]?.text == "ssh.auth.no-credentials", "\(methods)")
            #expect(
                methods["error"]?["message"]?.text?.contains("allows only gssapi-with-mic and hostbased") == true, "\(methods)")
            #expect(methods["error"]?["hint"]?.text?.contains("`--via ssh`") == true)
        }
    }

    @Test("errors are reported before anything is sent") func whatIsWrongIsNamedBeforeAnythingIsSent() async throws {
        try await ScratchDirectory.with { directory in
            let bridge = try BuiltExecutable.path("bridge-ssh")
            for (content, line) in [("Host *\nStrictKeyChecking yes\n", 2), ("ProxyJump web1\n", 1), ("Port 99999\n", 1)] {
                let config = try directory.write(content, to: "config")
                let ours = try await run(bridge, ["run", "--json", "-F", config, "web1", "true"])
                #expect(ours.termination == .exited(199))
                #expect(text(ours.standardOutput).contains("ssh.local.config-invalid"))
                #expect(text(ours.standardOutput).contains("\(config):\(line)"))
            }
        }
    }

    @Test("`config` prints the same as ssh -G") func configPrintsWhatSSHPrints() async throws {
        try await ScratchDirectory.with { directory in
            let config = try directory.write(
                "Host web1\n  User alice\n  SendEnv A B\nMatch exec \"exit 0\"\n  Port 99\n", to: "config")
            let home = NSHomeDirectoryForUser(NSUserName()) ?? "/"
            let environment = ProcessEnvironment.exactly(["PATH": "/usr/bin:/bin", "HOME": home])
            let theirs = try await ProcessRun.run("ssh", ["-G", "-F", config, "web1"], environment: environment)
            // Defaults are those of OpenSSH 10.0; scripts/compare-config compares all lines with it.
            let named = [
                "host ", "user ", "hostname ", "port ", "sendenv ", "batchmode ", "hostkeyalgorithms ", "userknownhostsfile ",
            ]
            func shown(_ result: ProcessResult) -> [Substring] {
                result.output.split(separator: "\n").filter { line in named.contains { line.hasPrefix($0) } }
            }
            let ours = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), ["config", "-F", config, "web1"], environment: environment)
            #expect(theirs.termination == .exited(0) && ours.termination == .exited(0))
            #expect(shown(ours) == shown(theirs) && shown(ours).count >= named.count)
        }
    }
}
