import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh doctor` on a real sshd: each case by the library, as JSON and as a report, and compared with `run`.
@Suite("Doctor") struct DoctorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let base: SSHDCase
        /// The step, the level of one of its findings, and a part of that finding's text.
        let tells: [(step: SSHDiagnosisStep, level: SSHFinding.Level, words: String)]
        var testDescription: String { base.name }

        init(_ base: SSHDCase, _ tells: (step: SSHDiagnosisStep, level: SSHFinding.Level, words: String)...) {
            self.base = base
            self.tells = tells
        }
    }

    static let sound: [Case] = [
        Case(
            SSHDCase("all well", .success), (.resolve, .ok, "is an address"), (.connect, .ok, "is open"),
            (.identification, .ok, "SSH-2.0-OpenSSH"), (.algorithms, .ok, InstalledLibrary.cipher),
            (.hostKey, .ok, "known_hosts"),
            (.methods, .ok, "publickey"), (.credentials, .ok, "was accepted"), (.channel, .ok, "opened"), (.exec, .ok, "runs"),
            (.clock, .ok, "agrees"), (.noise, .ok, "adds nothing"), (.path, .ok, "/usr/local/bin")),
        Case(
            SSHDCase(
                "noise", .success,
                arrange: { box, _ in
                    try box.put("echo Welcome\necho oops >&2\nPATH=/usr/bin:/bin:.\n", at: "/home/alice/.bashrc")
                }),
            (.noise, .notice, "Welcome"), (.noise, .notice, "oops"), (.path, .notice, "/usr/local/bin"),
            (.path, .weak, "current directory")),
        Case(
            SSHDCase(
                "weak algorithms", .success,
                server: """
                    KexAlgorithms diffie-hellman-group14-sha1,curve25519-sha256
                    Ciphers aes128-ctr,aes128-cbc,3des-cbc
                    MACs hmac-sha1,hmac-md5
                    HostKeyAlgorithms ssh-ed25519,ssh-rsa
                    """),
            (.algorithms, .weak, "diffie-hellman-group14-sha1"), (.algorithms, .weak, "3des-cbc"),
            (.algorithms, .weak, "aes128-cbc"), (.algorithms, .weak, "This connection uses hmac-sha1"),
            (.algorithms, .weak, "hmac-md5"), (.algorithms, .info, "ssh-rsa")),
        Case(
            SSHDCase(
                "a host key that is announced and not known", .success,
                arrange: { box, testRun in
                    let lines = try String(contentsOfFile: testRun.knownHosts[0], encoding: .utf8).split(separator: "\n")
                    let one = lines.filter { $0.contains(" ssh-ed25519 ") }.joined(separator: "\n") + "\n"
                    testRun.knownHosts = [try box.directory.write(one, to: "one-known-host")]
                }),
            (.hostKey, .ok, "one-known-host"),
            (.hostKey, .notice, "The server announces 2 host keys that known_hosts does not have")),
        Case(
            SSHDCase("a hashed name", .success, arrange: { $1.knownHosts = [try await $0.knownHosts(hashed: true)] }),
            (.hostKey, .ok, "hashed")),
        Case(
            SSHDCase(
                "a file that others may write", .success,
                arrange: { _, testRun in
                    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: testRun.knownHosts[0])
                }), (.hostKey, .weak, "Other users can change")),
        Case(
            SSHDCase("a second identity, missing", .success, arrange: { $1.identities.append("/nonexistent/id") }),
            (.credentials, .notice, "/nonexistent/id")),
        Case(
            SSHDCase("a password that is not needed", .success, arrange: { $1.password = "alice-pw" }),
            (.credentials, .notReached, "The password was not tried")),
        Case(
            SSHDCase("a password", .success, arrange: { $1.use(password: "alice-pw") }),
            (.credentials, .ok, "The password was accepted")),
        Case(
            SSHDCase(
                "a forced command", .success, arrange: { box, _ in try box.authorize(keyOptions: "command=\"echo hi there\"") }),
            (.exec, .notice, "hi there"), (.clock, .notReached, "")),
        Case(
            SSHDCase(
                "a forced command that repeats the given one", .success,
                arrange: { box, _ in try box.authorize(keyOptions: "command=\"echo $SSH_ORIGINAL_COMMAND\"") }),
            (.exec, .notice, "in its place"), (.path, .notReached, "")),
        Case(
            SSHDCase("no authentication at all", .success, server: "PermitEmptyPasswords yes") { box, testRun in
                try box.emptyPassword(of: .bob)
                testRun.user = "bob"
            }, (.methods, .weak, "without asking"), (.credentials, .notReached, "asked for nothing")),
    ]

    @Test("working parts and possible improvements are reported", arguments: sound)
    func goesThrough(_ test: Case) async throws { try await check(test) }

    static let broken: [Case] = [
        Case(
            SSHDCase("refused", .failure(.connectRefused), arrange: { $1.port = 1 }),
            (.connect, .failed, "refused"), (.identification, .notReached, "")),
        Case(
            SSHDCase("unknown host key", .failure(.hostKeyUnknown), arrange: { $1.knownHosts = ["/dev/null"] }),
            (.hostKey, .failed, "not known"), (.credentials, .notReached, "")),
        Case(
            SSHDCase(
                "changed host key", .failure(.hostKeyChanged),
                arrange: { box, testRun in
                    let other = try await TestKey.make(name: "other").publicKey
                    testRun.knownHosts = [try await box.knownHosts(keys: [other])]
                }), (.hostKey, .failed, "has changed"), (.methods, .notReached, "")),
        Case(
            SSHDCase(
                "key rejected", .failure(.authKeyRejected),
                arrange: { box, testRun in testRun.identities = [try box.identityFile(try await TestKey.make(name: "stranger"))] }
            ),
            (.credentials, .notice, "was refused"), (.credentials, .failed, ""), (.channel, .notReached, "")),
        Case(
            SSHDCase(
                "an unusable key", .failure(.keyNotFound), arrange: { $1.identities = ["/nonexistent/id"] }),
            (.resolve, .notReached, ""), (.credentials, .failed, "/nonexistent/id")),
        Case(
            SSHDCase("no common cipher", .failure(.kexNoCommonCipher), server: "Ciphers aes128-cbc,3des-cbc"),
            (.algorithms, .weak, "3des-cbc"), (.algorithms, .failed, ""), (.hostKey, .notReached, "")),
        Case(
            SSHDCase("no sessions", .failure(.channelSessionLimit), server: "MaxSessions 0"), (.credentials, .ok, "accepted"),
            (.channel, .failed, ""), (.exec, .notReached, "")),
    ]

    @Test("it ends with the same failure as a run", arguments: broken)
    func stops(_ test: Case) async throws { try await check(test) }

    static let restricted: [Case] = [
        Case(
            SSHDCase("nologin", .remote(.commandLoginShellDenied, 1), as: .noshell), (.channel, .ok, ""),
            (.exec, .failed, "not available"), (.clock, .notReached, "")),
        Case(
            SSHDCase("sftp only", .remote(.commandLoginShellDenied, 1), as: .sftponly), (.exec, .failed, "sftp connections only"),
            (.noise, .notReached, "")),
        Case(
            SSHDCase(
                "a forced command that fails", .remote(.commandExitNonzero, 3),
                arrange: { box, _ in try box.authorize(keyOptions: "command=\"echo no >&2; exit 3\"") }),
            (.exec, .notice, "ForceCommand"), (.exec, .failed, "")),
    ]

    @Test("an account that may not run commands", arguments: restricted)
    func commandless(_ test: Case) async throws { try await check(test) }

    // MARK: No more than a run

    @Test("with many keys and few attempts it offers the same keys as a run")
    func triesNoMore() async throws {
        var keys: [TestKey] = []
        for number in 0..<5 { keys.append(try await TestKey.make(name: "extra\(number)")) }
        try await AgentProcess.run(keys: keys) { agent in
            let (run, doctor) = try await requests(server: "MaxAuthTries 3") { _, testRun in
                testRun.use(agent: agent.socket)
                testRun.password = "alice-pw"
            }
            #expect(run.count { $0.contains("publickey") } > 1, "\(run)")
            #expect(doctor == run)
        }
    }

    @Test("with a working login it offers the same credentials as a run, once", arguments: [false, true])
    func triesOnce(withPassword: Bool) async throws {
        let (run, doctor) = try await requests { box, testRun in
            testRun.identities.insert(try box.identityFile(try await TestKey.make(name: "stranger")), at: 0)
            if withPassword { testRun.use(password: "alice-pw") }
        }
        #expect(run.contains { $0.hasPrefix("Accepted") }, "\(run)")
        #expect(doctor == run)
    }

    /// sshd's view of a run and of a diagnosis, each the only connection in its own sandbox.
    private func requests(
        server configuration: String = "", arrange: (SSHDSandbox, inout TestRun) async throws -> Void
    ) async throws -> (run: [String], doctor: [String]) {
        func seen(_ go: (TestRun) async throws -> ProcessResult) async throws -> [String] {
            try await Gate.shared.pass {
                try await SSHDSandbox.run(SSHDSandbox.Options(configuration)) { box in
                    var testRun = try await box.testRun()
                    try await arrange(box, &testRun)
                    _ = try await go(testRun)
                    return try await box.authenticationRequests()
                }
            }
        }
        return (try await seen { try await $0.byExecutable() }, try await seen { try await $0.byDoctor() })
    }

    @Test("a shell that never runs the command is abandoned") func hangs() async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run { box in
                try box.put("sleep 1000\n", at: "/home/alice/.bashrc")
                let result = try await box.testRun().byDoctor(["--timeout", "1"])
                #expect(result.termination == .exited(194), "\(result.output)")
                #expect(result.errorOutput.contains("ssh.command.timed-out"))
            }
        }
    }

    @Test("a shell that prints without end is abandoned") func floods() async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run { box in
                try box.put("yes\n", at: "/home/alice/.bashrc")
                let result = try await box.testRun().byDoctor()
                #expect(result.termination == .exited(198), "\(result.output)")
                #expect(result.errorOutput.contains("ssh.command.output-limit-exceeded"))
            }
        }
    }

    @Test("the finding on the clock allows for a slow link") func slowLink() async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await FaultProxy.run(to: box.port, delay: .milliseconds(200)) { proxy in
                let testRun = try await box.testRun(through: proxy.port)
                let diagnosis = try await SSHClient.diagnose(
                    SSHEndpoint(unchecked: testRun.host, port: testRun.port, user: testRun.user),
                    configuration: testRun.configuration)
                let clock = try #require(diagnosis.findings(about: .clock).first)
                #expect(clock.level == .ok, "\(clock)")
                guard case .number(let uncertainty)? = clock["uncertaintySeconds"] else {
                    return #expect(Bool(false), "\(clock)")
                }
                // Half of the round trip, plus half a second.
                #expect(uncertainty >= 0.7, "\(clock)")
            }
        }
    }

    @Test("a signal ends it with what was found so far", arguments: [(Int32(2), Int32(130)), (15, 143)])
    func interrupted(signal: Int32, status: Int32) async throws {
        try await Gate.shared.pass {
            try await FaultServer.run(.silent) { server in
                let result = try await server.testRun().byDoctor(["-v"]) { process in
                    try await process.standardError.wait(for: "banner:")
                    process.send(signal: signal)
                }
                #expect(result.termination == .exited(status), "\(result.output) \(result.errorOutput)")
                #expect(result.output.contains("is open.") && result.output.contains("(ssh.local.cancelled)"), "\(result.output)")
                #expect(result.errorOutput.contains("ssh.local.cancelled"))
            }
        }
    }

    @Test("a new host key is stored as by a run, and reported") func remembers() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun()
        testRun.policy = .acceptNew
        testRun.knownHosts = [box.directory.path("doctor-known-hosts")]
        let result = try await testRun.byDoctor()
        #expect(result.termination == .exited(0), "\(result.output) \(result.errorOutput)")
        #expect(result.output.contains("was not known;"))
        testRun.policy = .strict
        #expect(try await testRun.byDoctor().output.contains("is known:"))
    }

    @Test("at a terminal a failure is shown once, with the report on the terminal or in a pipe", arguments: ["", " | cat"])
    func toldOnce(pipe: String) async throws {
        try await ScratchDirectory.with { home in
            let command = "\(try BuiltExecutable.path("bridge-ssh")) doctor -F none --agent none --batch -p 1 a@127.0.0.1\(pipe)"
            let result = try await TerminalRun.run(
                "/bin/sh", ["-c", command],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8", "TERM": "dumb"]))
            let message = "127.0.0.1 port 1 refused the connection"
            #expect(result.output.components(separatedBy: message).count == 2, "\(result.output)")
            #expect(result.output.components(separatedBy: "(ssh.connect.refused)").count <= 3, "\(result.output)")
            #expect(pipe != "" || result.output.components(separatedBy: "ssh.connect.refused").count == 2, "\(result.output)")
        }
    }

    @Test("wrong usage as JSON is the object of a diagnosis", arguments: [["--wrong", "web1"], ["web1:0"], []])
    func usage(_ arguments: [String]) async throws {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["doctor", "--json"] + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]))
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofDiagnosis().faults(object) == [], "\(result.output)")
        #expect(result.termination == .exited(199))
        #expect(object["error"]?["hint"]?.text?.contains("bridge-ssh doctor --help") == true)
    }

    // MARK: Checking

    private func check(_ test: Case) async throws {
        let base = test.base
        try await Gate.shared.pass {
            try await SSHDSandbox.run(base.options) { box in
                var testRun = try await box.testRun(base.user)
                try await base.arrange(box, &testRun)
                let diagnosis = try await SSHClient.diagnose(
                    SSHEndpoint(unchecked: testRun.host, port: testRun.port, user: testRun.user),
                    configuration: testRun.configuration)
                check(diagnosis, test)
                try check(try await testRun.byDoctor(["--json"]), test)
                let report = try await testRun.byDoctor()
                #expect(report.termination == .exited(base.expected.status), "\(report.output) \(report.errorOutput)")
                // The same verdict as of a run.
                let run = try await testRun.byExecutable(["--json"])
                #expect(run.termination == report.termination, "\(run.output)")
                guard let code = base.expected.code else {
                    #expect(report.errorOutput.isEmpty, "\(report.errorOutput)")
                    return
                }
                #expect(report.errorOutput.contains("(\(code))"), "\(report.errorOutput)")
                for secret in testRun.secrets { #expect(!(report.output + report.errorOutput).contains(secret)) }
            }
        }
    }

    private func check(_ diagnosis: SSHDiagnosis, _ test: Case) {
        let seen = Comment(rawValue: String(decoding: diagnosis.json().bytes, as: UTF8.self))
        #expect(diagnosis.error?.code == test.base.expected.code, seen)
        #expect(diagnosis.exitStatus().rawValue == test.base.expected.status, seen)
        for (step, level, words) in test.tells {
            let found = diagnosis.findings(about: step).contains {
                $0.level == level && (words.isEmpty || $0.text.contains(words))
            }
            #expect(found, "\(step) \(level) \(words): \(seen)")
        }
        #expect(diagnosis.findings.contains { $0.level == .failed } == (test.base.expected.code != nil), seen)
        for step in SSHDiagnosisStep.allCases { #expect(!diagnosis.findings(about: step).isEmpty, seen) }
        // A test has typed every command that a finding suggests; a failure's suggestion is its code's remedy.
        for finding in diagnosis.findings where finding.remedyText != diagnosis.error?.remedyText {
            let typed = finding.remedies.filter { $0.kind != .setting }
            if typed.isEmpty { continue }
            let isFollowed = DoctorRemedyTests.remedies.contains { test in typed.contains { $0.text.hasPrefix(test.command) } }
            let isOfACode = RemedyTable.rows.contains { row in finding["reason"] != nil && row.code.stage == .key }
            #expect(isFollowed || isOfACode, "\(finding.remedy)")
        }
    }

    private func check(_ result: ProcessResult, _ test: Case) throws {
        let seen = Comment(rawValue: "\(result.termination) \(result.output) \(result.errorOutput)")
        #expect(result.termination == .exited(test.base.expected.status), seen)
        #expect(result.output.hasSuffix("}\n") && result.output.count { $0 == "\n" } == 1, seen)
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofDiagnosis().faults(object) == [], seen)
        #expect(object["exitStatus"] == .integer(Int(test.base.expected.status)), seen)
        #expect(object["error"]?["code"]?.text == test.base.expected.code?.rawValue, seen)
    }
}

extension SSHDSandbox {
    /// Every connection and authentication request that sshd has logged, with its outcome, once a connection has ended.
    fileprivate func authenticationRequests() async throws -> [String] {
        try await log.wait(for: "Disconnect")
        return log.text.split(whereSeparator: \.isNewline).compactMap { line in
            if line.contains("Connection from 127.0.0.1 port") { return "a connection" }
            if let range = line.range(of: "userauth-request for user ") { return String(line[range.upperBound...]) }
            guard let range = line.range(of: "Failed ") ?? line.range(of: "Accepted ") else { return nil }
            // The port and the following members differ.
            return String(line[range.lowerBound...].prefix { $0 != "1" })
        }
    }
}
