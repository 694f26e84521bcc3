import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Host keys that a server announces after the login, in bridge-ssh and in OpenSSH's ssh (UpdateHostKeys).
@Suite("Announced host keys") struct AnnouncedKeysTests {
    /// The line of known_hosts with the server's key, and the lines of ssh's configuration.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The lines; NAME is replaced by the server's name, KEY by its Ed25519 key, and OTHER by its ECDSA key.
        let lines: String
        var configuration = "UpdateHostKeys yes"
        /// Whether ssh adds the ECDSA key.
        let adds: Bool
        /// Text of the reason against it.
        var reason = ""
        var isHashed = false
    }

    static let cases: [Case] = [
        Case(testDescription: "a line for only this host", lines: "NAME KEY\n", adds: true),
        Case(testDescription: "a hashed line", lines: "NAME KEY\n", adds: true, isHashed: true),
        Case(
            testDescription: "an old key in addition", lines: "NAME KEY\nelsewhere ssh-ed25519 AAAA\n# a comment\n", adds: true),
        Case(
            testDescription: "UpdateHostKeys no", lines: "NAME KEY\n", configuration: "UpdateHostKeys no", adds: false,
            reason: "UpdateHostKeys"),
        Case(
            testDescription: "UpdateHostKeys ask, without a person", lines: "NAME KEY\n",
            configuration: "UpdateHostKeys ask\nBatchMode yes", adds: false, reason: "UpdateHostKeys"),
        Case(
            testDescription: "no UpdateHostKeys, and a file that is not the usual one", lines: "NAME KEY\n", configuration: "",
            adds: false, reason: "UpdateHostKeys"),
        Case(testDescription: "a name and an address", lines: "other,NAME KEY\n", adds: true),
        Case(testDescription: "a list of names", lines: "one,other,NAME KEY\n", adds: false, reason: "known:1"),
        Case(testDescription: "a pattern", lines: "[127.0.0.*]:* KEY\n", adds: false, reason: "known:1"),
        Case(
            testDescription: "the known key under another name too", lines: "NAME KEY\nother KEY\n", adds: false,
            reason: "under another name"),
        Case(
            testDescription: "the other key under another name", lines: "NAME KEY\nother OTHER\n", adds: false,
            reason: "under another name"),
        Case(
            testDescription: "its only file is the system's", lines: "NAME KEY\n",
            configuration: "UpdateHostKeys yes\nUserKnownHostsFile HOME/none\nGlobalKnownHostsFile HOME/known", adds: false,
            reason: "file of the user's"),
        Case(
            testDescription: "HostKeyAlgorithms without the other", lines: "NAME KEY\n",
            configuration: "UpdateHostKeys yes\nHostKeyAlgorithms ssh-ed25519", adds: false),
    ]

    private static let sandbox = SSHDSandbox.Options("MaxStartups 100", hostKeys: [.ed25519, .ecdsa])

    @Test("keys are added in the same cases as by ssh, and in no others", arguments: cases)
    func asSSH(_ test: Case) async throws {
        try await with { box, scratch in
            let before = test.lines.replacing("NAME", with: "[127.0.0.1]:\(box.port)")
                .replacing("KEY", with: box.hostKeys[0].publicKey).replacing("OTHER", with: box.hostKeys[1].publicKey)
            func known() -> [String] {
                ((try? String(contentsOfFile: scratch.path("known"), encoding: .utf8)) ?? "").split(separator: "\n")
                    .map(String.init)
            }
            func begin() async throws {
                try scratch.write(before, to: "known")
                if test.isHashed { try await ProcessRun.check("ssh-keygen", ["-q", "-H", "-f", scratch.path("known")]) }
            }
            let configuration = try configuration(test.configuration, box, scratch)
            try await begin()
            let other = box.hostKeys[1].publicKey
            func others() -> Int { known().count { $0.hasSuffix(other) } }
            let first = others()
            let ssh = try await ProcessRun.run(
                "ssh", ["-F", configuration, "box", "sleep 0.3"], environment: environment(scratch))
            #expect(ssh.exitStatus == 0, "\(ssh)")
            // HashKnownHosts decides whether the name is hashed, as with ssh.
            #expect((others() > first) == test.adds, "\(ssh)")

            try await begin()
            let start = known()
            let run = try await bridge(["run", "--json", "-F", configuration, "box", "true"], scratch)
            let report = try JSON(parsing: Data(run.standardOutput))
            #expect(try JSONSchema.ofReport().faults(report) == [], "\(run)")
            #expect(report["outcome"] == .string("succeeded"), "\(run)")
            let update = report["hostKeyUpdate"]
            guard test.adds else {
                #expect(known() == start)
                if test.reason.isEmpty {
                    #expect(update == nil)
                } else {
                    let reason = update?["reason"]?.text ?? ""
                    #expect(reason.contains(test.reason), "\(run)")
                }
                return
            }
            #expect(known().dropLast() == start[...])
            #expect(known().last?.hasSuffix(other) == true)
            #expect(known().last?.hasPrefix(Self.name(box, test)) == true)
            #expect(update?["reason"] == .null)
            // From now on the server's key counts.
            let found = try await ProcessRun.check(
                "ssh-keygen", ["-F", "[127.0.0.1]:\(box.port)", "-f", scratch.path("known")])
            #expect(found.output.contains(other))
            let again = try await bridge(["run", "--json", "-F", configuration, "box", "true"], scratch)
            #expect(try JSON(parsing: Data(again.standardOutput))["hostKeyUpdate"] == nil, "\(again)")
        }
    }

    @Test("beside a key that only the policy has accepted, no other key is added") func unconfirmed() async throws {
        try await with { box, scratch in
            try scratch.write("", to: "known")
            let configuration = try configuration("UpdateHostKeys yes\nStrictHostKeyChecking accept-new", box, scratch)
            let run = try await bridge(["run", "--json", "-F", configuration, "box", "true"], scratch)
            let reason = try JSON(parsing: Data(run.standardOutput))["hostKeyUpdate"]?["reason"]?.text
            #expect(reason?.contains("was not confirmed") == true, "\(run)")
            let known = try String(contentsOfFile: scratch.path("known"), encoding: .utf8)
            #expect(known == "[127.0.0.1]:\(box.port) \(box.hostKeys[0].publicKey)\n")
        }
    }

    private static func name(_ box: SSHDSandbox, _ test: Case) -> String {
        test.isHashed ? "|1|" : "[127.0.0.1]:\(box.port) "
    }

    @Test("a key that will replace another is known beforehand")
    func rotation() async throws {
        let next = try await TestKey.make(name: "the next one")
        var options = Self.sandbox
        options.configuration += "\nHostKey /etc/ssh/next"
        options.files["/etc/ssh/next"] = SandboxFile(next.privateKey, mode: 0o600)
        try await with(options) { box, scratch in
            // The server shows the first key of a kind.
            try scratch.write("[127.0.0.1]:\(box.port) \(next.publicKey)\n", to: "known")
            let configuration = try configuration("UpdateHostKeys yes", box, scratch)
            let run = try await bridge(["run", "-v", "-F", configuration, "box", "true"], scratch)
            #expect(run.errorOutput.contains("is now known: \(scratch.path("known")):2"), "\(run)")
            #expect(!run.errorOutput.contains("has no effect"), "\(run)")
            let known = try String(contentsOfFile: scratch.path("known"), encoding: .utf8)
            #expect(known.contains(next.publicKey) && known.contains(box.hostKeys[0].publicKey))
        }
    }

    @Test("a password login proves keys too, and so does a copy", arguments: [true, false])
    func otherWays(copies: Bool) async throws {
        try await with { box, scratch in
            try scratch.write("[127.0.0.1]:\(box.port) \(box.hostKeys[0].publicKey)\n", to: "known")
            let configuration = try configuration(
                "UpdateHostKeys yes\nPubkeyAuthentication no", box, scratch)
            let password = try scratch.write("alice-pw\n", to: "password")
            let rest = copies ? [password, "box:/tmp/learned"] : ["box", "true"]
            let result = try await bridge(
                [copies ? "copy" : "run", "-F", configuration, "--password-file", password] + rest, scratch)
            #expect(result.exitStatus == 0, "\(result)")
            let known = try String(contentsOfFile: scratch.path("known"), encoding: .utf8)
            #expect(known.contains(box.hostKeys[1].publicKey), "\(known)")
        }
    }

    @Test("behind a jump host the keys of both are added, as by ssh", arguments: ["ssh", "bridge-ssh"])
    func behindJumpHost(program: String) async throws {
        try await with { box, scratch in
            let line = "[127.0.0.1]:\(box.port) \(box.hostKeys[0].publicKey)\n"
            for name in ["known", "gate"] { try scratch.write(line, to: name) }
            let configuration = try configuration(
                """
                UpdateHostKeys yes
                Host box
                ProxyJump gate
                Host gate
                UserKnownHostsFile HOME/gate
                Host *
                """, box, scratch)
            if program == "ssh" {
                let ssh = try await ProcessRun.run(
                    "ssh", ["-F", configuration, "box", "sleep 0.3"], environment: environment(scratch))
                #expect(ssh.exitStatus == 0, "\(ssh)")
            } else {
                let run = try await bridge(["run", "--json", "-F", configuration, "box", "true"], scratch)
                let update = try JSON(parsing: Data(run.standardOutput))["hostKeyUpdate"]
                #expect(update?["reason"] == .null, "\(run)")
            }
            for name in ["known", "gate"] {
                let known = try String(contentsOfFile: scratch.path(name), encoding: .utf8)
                #expect(known.contains(box.hostKeys[1].publicKey), "\(name): \(known)")
            }
        }
    }

    @Test("the JSON of a fleet names them for each host") func fleet() async throws {
        try await with { box, scratch in
            let line = "[127.0.0.1]:\(box.port) \(box.hostKeys[0].publicKey)\n"
            for (setting, reason) in [("no", #"UpdateHostKeys is not "yes""#), ("yes", nil)] {
                try scratch.write(line, to: "known")
                let configuration = try configuration("UpdateHostKeys \(setting)", box, scratch)
                let result = try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh-fleet"),
                    ["run", "-F", configuration, "--output", "jsonl", "--journal", "none", "box", "true"],
                    environment: environment(scratch))
                let update = try #require(try FleetLines(result).ends["box"]?.first?["result"]?["hostKeyUpdate"], "\(result)")
                #expect(update["reason"] == reason.map { .string($0) } ?? .null, "\(result)")
                let known = try String(contentsOfFile: scratch.path("known"), encoding: .utf8)
                #expect(known.contains(box.hostKeys[1].publicKey) == (reason == nil))
            }
        }
    }

    @Test("doctor names the added keys, and the others with the reason")
    func doctor() async throws {
        try await with(SSHDSandbox.Options("MaxStartups 100")) { box, scratch in
            try scratch.write("[127.0.0.1]:\(box.port) \(box.hostKeys[0].publicKey)\n", to: "known")
            let off = try await bridge(
                ["doctor", "-F", try configuration("UpdateHostKeys no", box, scratch), "box"], scratch)
            let text = off.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("announces 2 host keys that known_hosts does not have"), "\(off)")
            #expect(text.contains("UpdateHostKeys is not \"yes\""), "\(off)")
            let on = try await bridge(
                ["doctor", "--json", "-F", try configuration("UpdateHostKeys yes", box, scratch), "box"], scratch)
            let report = try JSON(parsing: Data(on.standardOutput))
            #expect(try JSONSchema.ofDiagnosis().faults(report) == [], "\(on)")
            let known = try String(contentsOfFile: scratch.path("known"), encoding: .utf8)
            #expect(known.contains(box.hostKeys[1].publicKey))
            // OpenSSH signs with SHA-1 for an RSA key if the client has not offered SHA-2, as libssh2 1.10 does not.
            #expect(known.contains(box.hostKeys[2].publicKey) == InstalledLibrary.is111, "\(on)")
        }
    }

    // MARK: Parts

    private func with(
        _ options: SSHDSandbox.Options = AnnouncedKeysTests.sandbox, _ body: (SSHDSandbox, ScratchDirectory) async throws -> Void
    ) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(options) { box in
                try await ScratchDirectory.with { try await body(box, $0) }
            }
        }
    }

    private func environment(_ scratch: ScratchDirectory) -> ProcessEnvironment {
        .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"])
    }

    private func bridge(_ arguments: [String], _ scratch: ScratchDirectory) async throws -> ProcessResult {
        try await ProcessRun.run(try BuiltExecutable.path("bridge-ssh"), arguments, environment: environment(scratch))
    }

    private func configuration(_ lines: String, _ box: SSHDSandbox, _ scratch: ScratchDirectory) throws -> String {
        try scratch.write(
            """
            \(lines.replacing("HOME", with: scratch.url.path))
            HostName 127.0.0.1
            Port \(box.port)
            User alice
            IdentityFile \(box.clientKeyFile)
            IdentitiesOnly yes
            IdentityAgent none
            StrictHostKeyChecking yes
            UserKnownHostsFile \(scratch.path("known"))
            """, to: "config")
    }
}
