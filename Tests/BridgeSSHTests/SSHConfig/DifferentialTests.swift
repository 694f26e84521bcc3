import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Compares bridge-ssh's reading of configurations with the installed ssh(1): no line of `ssh -G` may differ.
@Suite struct ConfigurationDifferentialTests {
    @Test("generated configurations", arguments: 0..<UInt64(300)) func generated(seed: UInt64) async throws {
        var generator = ConfigurationGenerator(seed: seed)
        let text = generator.text()
        let host = ConfigurationGenerator.hosts[Int(seed) % ConfigurationGenerator.hosts.count]
        let differences = try await SSHClientOracle.differences(text, host: host)
        #expect(differences == [], "\(differences) \(host)\n\(text)")
    }

    @Test("typical configurations", arguments: RealConfigurations.all) func asPeopleWriteThem(text: String) async throws {
        for host in ["web1", "db1.prod.example.com", "github.com", "jump", "192.168.7.9", "unknown"] {
            #expect(try await SSHClientOracle.differences(text, host: host) == [], "\(host)\n\(text)")
        }
    }

    @Test("odd lines", arguments: Array(Lines.odd)) func oddLines(text: String) async throws {
        #expect(try await SSHClientOracle.differences(text, host: "web") == [], "\(text)")
        try await ScratchDirectory.with { directory in
            let file = try directory.write(text, to: "config")
            #expect(try SSHClientOracle.ours(file: file, host: "web") != nil)
        }
    }

    @Test("malformed lines are refused", arguments: Array(Lines.malformed)) func malformedLinesAreRefused(text: String)
        async throws
    {
        #expect(try await SSHClientOracle.differences(text, host: "web") == [], "\(text)")
        #expect(try await SSHClientOracle.differences("Host other\n" + text, host: "web") == [], "inactive: \(text)")
        let file = "/config-test"
        var context = try SSHClientOracle.context()
        context.files = SSHConfigFiles(read: { _, _ in .bytes(Array("User x\n\(text)".utf8)) }, matching: { _ in [] })
        let problem = try #require(throws: SSHConfigProblem.self) {
            try SSHConfigFile(context: context, source: .file(file)).resolve(host: "web")
        }
        #expect(problem.file == file && (problem.line ?? 2) >= 1, "\(problem)")
        #expect(problem.failure.code == .localConfigInvalid)
    }

    @Test("options win over files") func optionsWinOverFiles() async throws {
        let text = "User file\nIdentityFile /file\nSendEnv A\nSetEnv B=1\nPort 1\nHost *\nCompression yes\n"
        let options = ["User=option", "identityfile /option", "SendEnv C", "SetEnv D=2", "port = 7", "IgnoreUnknown Zap"]
        #expect(try await SSHClientOracle.differences(text + "Zap zip\n", host: "web", options: options) == [])
        for refused in ["Host x", "Match all", "Include /x", "Nonsense=1", "Port=0", "Port", "ProxyJump=-x", "ProxyJump=a;b"] {
            #expect(try await SSHClientOracle.differences(text, host: "web", options: [refused]) == [], "\(refused)")
            #expect(try SSHClientOracle.ours(file: "/dev/null", host: "web", options: [refused]) == nil)
        }
    }

    @Test("includes") func includes() async throws {
        try await ScratchDirectory.with { directory in
            try directory.write("User b\nHost web\nPort 4\nMatch final\nCompression yes\n", to: "b.conf")
            try directory.write("User c\nIdentityFile /c\nInclude \(directory.path("b.*"))\n", to: "c.conf")
            try directory.write("Port none\n", to: "broken")
            try directory.write("Host web\n", to: "hostonly.inc")
            for (name, text) in [
                ("globs", "Include \(directory.path("*.conf")) /nowhere/*\nUser a\n"),
                ("inactive", "Host other\nInclude \(directory.path("*.conf"))\nHost web\nUser a\n"),
                (
                    "state",
                    "Host web\nInclude \(directory.path("hostonly.inc"))\nUser a\nHost other\nInclude \(directory.path("hostonly.inc"))\nPort 9\n"
                ),
                ("broken", "Include \(directory.path("broken"))\n"),
                ("brokenInactive", "Host other\nInclude \(directory.path("broken"))\n"),
                ("quoted", "Include \"\(directory.path("b.conf"))\" # more\n"),
                ("missing", "Include \(directory.path("absent"))\nUser a\n"),
                ("directory", "Include \(directory.url.path)\nUser a\n"),
            ] {
                let file = try directory.write(text, to: "main-\(name)")
                for host in ["web", "other"] {
                    #expect(try await SSHClientOracle.differences(file: file, host: host) == [], "\(name) \(host)")
                }
            }
        }
    }

    @Test("nesting", arguments: 14...18) func nesting(depth: Int) async throws {
        try await ScratchDirectory.with { directory in
            for level in 0..<depth {
                try directory.write("Include \(directory.path("f\(level + 1)"))\n", to: "f\(level)")
            }
            try directory.write("User deep\n", to: "f\(depth)")
            #expect(try await SSHClientOracle.differences(file: directory.path("f0"), host: "web") == [])
            let ours = try SSHClientOracle.ours(file: directory.path("f0"), host: "web")
            #expect((ours == nil) == (depth > 16))
        }
    }

    @Test("included files must be safe", arguments: [0o600, 0o644, 0o620, 0o602, 0o666, 0o400]) func includedFilesMustBeSafe(
        mode: Int
    ) async throws {
        try await ScratchDirectory.with { directory in
            try directory.write("User x\n", to: "inner", mode: mode)
            let file = try directory.write("Include \(directory.path("inner"))\n", to: "config")
            let ours = try SSHClientOracle.ours(file: file, host: "web")
            #expect((ours == nil) == (mode & 0o022 != 0))
            // Debian's ssh lets a group write whose only member is the user; that cannot be seen here.
            if mode & 0o020 == 0 || mode & 0o002 != 0 {
                #expect(try await SSHClientOracle.differences(file: file, host: "web") == [])
            }
        }
    }
}
