import BridgeSSH
import SSHTestSupport
import Testing

/// Real servers, reached through one another.
@Suite("Jump hosts") struct JumpTests {
    @Test("one, two and three servers", arguments: 1...3)
    func reaches(count: Int) async throws {
        var chain = try await Chain.plain(count)
        chain.command = "hostname; id -un; cat"
        chain.input = Array("through\n".utf8)
        let (error, output) = try await chain.byLibrary()
        #expect(error == nil, "\(error.map { "\($0.message) \($0.evidence)" } ?? "")")
        #expect(String(decoding: output, as: UTF8.self) == "hop3\nalice\nthrough\n")
        let ours = try await chain.byExecutable()
        #expect(ours.termination == .exited(0), "\(ours.errorOutput)")
        #expect(ours.output == "hop3\nalice\nthrough\n")
        #expect(ours.errorOutput.isEmpty, "\(ours.errorOutput)")
    }

    /// Both use the file's route for each host.
    @Test("ssh reaches the same hosts", arguments: [["-J", "hop1,hop2"], ["-o", "ProxyJump=hop1,hop2"], []])
    func asSSH(options: [String]) async throws {
        let chain = try await Chain.plain()
        try await ScratchDirectory.with { scratch in
            let way = options.isEmpty ? "Host hop3\n  ProxyJump hop2\nHost hop2\n  ProxyJump hop1\n" : ""
            let file = try scratch.write(way + chain.sshConfiguration, to: "config")
            let command = "echo $SSH_CONNECTION; hostname; exit 7"
            let theirs = try await ProcessRun.run("/usr/bin/ssh", ["-F", file] + options + ["hop3", command])
            let ours = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"),
                ["run", "-F", file, "--connect-timeout", "60"] + options + ["hop3", command])
            #expect(theirs.termination == .exited(7), "\(theirs.errorOutput)")
            #expect(ours.termination == .exited(7), "\(ours.errorOutput)")
            #expect(ours.output.hasSuffix("\nhop3\n") && theirs.output.hasSuffix("\nhop3\n"))
        }
    }

    @Test("a circle is named before anything is connected to") func circle() async throws {
        let chain = try await Chain.plain()
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("Host *\n  ProxyJump hop1\n" + chain.sshConfiguration, to: "config")
            let ours = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), ["run", "--json", "-F", file, "hop3", "true"])
            #expect(ours.termination == .exited(199))
            #expect(ours.output.contains("ssh.local.config-invalid") && ours.output.contains("circle"), "\(ours.output)")
        }
    }

    @Test("a revoked key of a jump host") func revoked() async throws {
        let chain = try await Chain.plain()
        let box = try await SharedChain.shared.boxes(3)[0]
        try await ScratchDirectory.with { scratch in
            let list = try scratch.write(box.hostKeys.map { $0.publicKey + "\n" }.joined(), to: "revoked")
            let file = try scratch.write("Host hop1\n  RevokedHostKeys \(list)\n" + chain.sshConfiguration, to: "config")
            let words = ["-F", file] + chain.words + ["true"]
            let ours = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), ["run", "--json", "--connect-timeout", "60"] + words)
            #expect(ours.termination == .exited(196))
            #expect(ours.output.contains("ssh.host-key.revoked") && ours.output.contains("\(list):"), "\(ours.output)")
            #expect(try await ProcessRun.run("/usr/bin/ssh", words).termination == .exited(255))
        }
    }

    @Test("over IPv6 all the way") func ipv6() async throws {
        var options = SSHDSandbox.Options()
        options.listenAddress = "::1"
        try await SSHDSandbox.run(options) { first in
            try await SSHDSandbox.run(options) { second in
                let chain = Chain(hops: [try await first.hop(), try await second.hop()])
                let (error, _) = try await chain.byLibrary()
                #expect(error == nil, "\(error?.message ?? "")")
                let known = try first.directory.write(
                    "[::1]:\(first.port) \(first.hostKeys[0].publicKey)\n[::1]:\(second.port) \(second.hostKeys[0].publicKey)\n",
                    to: "both")
                let file = try first.directory.write(
                    "Host *\n  IdentityFile \(first.clientKeyFile)\n  IdentityFile \(second.clientKeyFile)\n  IdentityAgent none\n",
                    to: "config6")
                for jump in ["alice@[::1]:\(first.port)", "ssh://alice@[::1]:\(first.port)"] {
                    let ours = try await ProcessRun.run(
                        try BuiltExecutable.path("bridge-ssh"),
                        ["run", "-F", file, "--connect-timeout", "60", "--known-hosts", known, "-J", jump]
                            + ["ssh://alice@[::1]:\(second.port)", "echo six"])
                    #expect(ours.output == "six\n", "\(ours.errorOutput)")
                }
            }
        }
    }
}
