import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh doctor` on a real sshd: each scene by the library, as JSON and as a report, and beside `run`.
@Suite("Doctor") struct DoctorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let scene: Scene
        /// The step, a level that one of its findings has, and words of that finding.
        let tells: [(step: DiagnosisStep, level: Finding.Level, words: String)]
        var testDescription: String { scene.name }

        init(_ scene: Scene, _ tells: (step: DiagnosisStep, level: Finding.Level, words: String)...) {
            self.scene = scene
            self.tells = tells
        }
    }

    static let sound: [Case] = [
        Case(
            Scene("all well", .success), (.resolve, .ok, "is an address"), (.connect, .ok, "is open"),
            (.identification, .ok, "SSH-2.0-OpenSSH"), (.algorithms, .ok, InstalledLibrary.cipher),
            (.hostKey, .ok, "known_hosts"),
            (.methods, .ok, "publickey"), (.credentials, .ok, "was accepted"), (.channel, .ok, "opened"), (.exec, .ok, "runs"),
            (.clock, .ok, "agrees"), (.noise, .ok, "adds nothing"), (.path, .ok, "/usr/local/bin")),
        Case(
            Scene(
                "noise", .success,
                arrange: { box, _ in
                    try box.put("echo Welcome\necho oops >&2\nPATH=/usr/bin:/bin:.\n", at: "/home/alice/.bashrc")
                }),
            (.noise, .notice, "Welcome"), (.noise, .notice, "oops"), (.path, .notice, "/usr/local/bin"),
            (.path, .weak, "current directory")),
        Case(
            Scene(
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
            Scene("a hashed name", .success, arrange: { $1.knownHosts = [try await $0.knownHosts(hashed: true)] }),
            (.hostKey, .ok, "hashed")),
        Case(
            Scene(
                "a file that others may write", .success,
                arrange: { _, visit in
                    try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: visit.knownHosts[0])
                }), (.hostKey, .weak, "Others may write")),
        Case(
            Scene("a second identity, missing", .success, arrange: { $1.identities.append("/nonexistent/id") }),
            (.credentials, .notice, "/nonexistent/id")),
        Case(
            Scene("a password that is not needed", .success, arrange: { $1.password = "alice-pw" }),
            (.credentials, .notReached, "The password was not tried")),
        Case(
            Scene("a password", .success, arrange: { $1.use(password: "alice-pw") }),
            (.credentials, .ok, "The password was accepted")),
        Case(
            Scene(
                "a forced command", .success, arrange: { box, _ in try box.authorize(keyOptions: "command=\"echo hi there\"") }),
            (.exec, .notice, "hi there"), (.clock, .notReached, "")),
        Case(
            Scene(
                "a forced command that repeats ours", .success,
                arrange: { box, _ in try box.authorize(keyOptions: "command=\"echo $SSH_ORIGINAL_COMMAND\"") }),
            (.exec, .notice, "in its place"), (.path, .notReached, "")),
        Case(
            Scene("no authentication at all", .success, server: "PermitEmptyPasswords yes") { box, visit in
                try box.emptyPassword(of: .bob)
                visit.user = "bob"
            }, (.methods, .weak, "without asking"), (.credentials, .notReached, "asked for nothing")),
    ]

    @Test("what works is told, and what could be better", arguments: sound)
    func goesThrough(_ test: Case) async throws { try await play(test) }

    static let broken: [Case] = [
        Case(
            Scene("refused", .failure(.connectRefused), arrange: { $1.port = 1 }),
            (.connect, .failed, "refused"), (.identification, .notReached, "")),
        Case(
            Scene("unknown host key", .failure(.hostKeyUnknown), arrange: { $1.knownHosts = ["/dev/null"] }),
            (.hostKey, .failed, "not known"), (.credentials, .notReached, "")),
        Case(
            Scene(
                "changed host key", .failure(.hostKeyChanged),
                arrange: { box, visit in
                    let other = try await TestKey.make(name: "other").publicKey
                    visit.knownHosts = [try await box.knownHosts(keys: [other])]
                }), (.hostKey, .failed, "has changed"), (.methods, .notReached, "")),
        Case(
            Scene(
                "key rejected", .failure(.authKeyRejected),
                arrange: { box, visit in visit.identities = [try box.identityFile(try await TestKey.make(name: "stranger"))] }),
            (.credentials, .notice, "was refused"), (.credentials, .failed, ""), (.channel, .notReached, "")),
        Case(
            Scene(
                "an unusable key", .failure(.keyNotFound), arrange: { $1.identities = ["/nonexistent/id"] }),
            (.resolve, .notReached, ""), (.credentials, .failed, "/nonexistent/id")),
        Case(
            Scene("no common cipher", .failure(.kexNoCommonCipher), server: "Ciphers aes128-cbc,3des-cbc"),
            (.algorithms, .weak, "3des-cbc"), (.algorithms, .failed, ""), (.hostKey, .notReached, "")),
        Case(
            Scene("no sessions", .failure(.channelSessionLimit), server: "MaxSessions 0"), (.credentials, .ok, "accepted"),
            (.channel, .failed, ""), (.exec, .notReached, "")),
    ]

    @Test("it ends where a run ends", arguments: broken)
    func stops(_ test: Case) async throws { try await play(test) }

    static let restricted: [Case] = [
        Case(
            Scene("nologin", .remote(.commandLoginShellDenied, 1), as: .noshell), (.channel, .ok, ""),
            (.exec, .failed, "not available"), (.clock, .notReached, "")),
        Case(
            Scene("sftp only", .remote(.commandLoginShellDenied, 1), as: .sftponly), (.exec, .failed, "sftp connections only"),
            (.noise, .notReached, "")),
        Case(
            Scene(
                "a forced command that fails", .remote(.commandExitNonzero, 3),
                arrange: { box, _ in try box.authorize(keyOptions: "command=\"echo no >&2; exit 3\"") }),
            (.exec, .notice, "ForceCommand"), (.exec, .failed, "")),
    ]

    @Test("an account that may not run commands", arguments: restricted)
    func commandless(_ test: Case) async throws { try await play(test) }

    // MARK: No more than a run

    @Test("with many keys and few tries it offers what a run offers, and no more")
    func triesNoMore() async throws {
        var keys: [TestKey] = []
        for number in 0..<5 { keys.append(try await TestKey.make(name: "extra\(number)")) }
        try await AgentProcess.run(keys: keys) { agent in
            let (run, doctor) = try await requests(server: "MaxAuthTries 3") { _, visit in
                visit.use(agent: agent.socket)
                visit.password = "alice-pw"
            }
            #expect(run.count { $0.contains("publickey") } > 1, "\(run)")
            #expect(doctor == run)
        }
    }

    @Test("with a login that works it offers what a run offers, once", arguments: [false, true])
    func triesOnce(withPassword: Bool) async throws {
        let (run, doctor) = try await requests { box, visit in
            visit.identities.insert(try box.identityFile(try await TestKey.make(name: "stranger")), at: 0)
            if withPassword { visit.use(password: "alice-pw") }
        }
        #expect(run.contains { $0.hasPrefix("Accepted") }, "\(run)")
        #expect(doctor == run)
    }

    /// What sshd sees of a run and of a diagnosis, each the only connection of a sandbox of its own.
    private func requests(
        server configuration: String = "", arrange: (SSHDSandbox, inout Visit) async throws -> Void
    ) async throws -> (run: [String], doctor: [String]) {
        func seen(_ go: (Visit) async throws -> ProcessResult) async throws -> [String] {
            try await Gate.shared.pass {
                try await SSHDSandbox.run(SSHDSandbox.Options(configuration)) { box in
                    var visit = try await box.visit()
                    try await arrange(box, &visit)
                    _ = try await go(visit)
                    return try await box.authenticationRequests()
                }
            }
        }
        return (try await seen { try await $0.byExecutable() }, try await seen { try await $0.byDoctor() })
    }

    @Test("a shell that never gets to the command is left") func hangs() async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run { box in
                try box.put("sleep 1000\n", at: "/home/alice/.bashrc")
                let result = try await box.visit().byDoctor(["--timeout", "1"])
                #expect(result.termination == .exited(194), "\(result.output)")
                #expect(result.errorOutput.contains("ssh.command.timed-out"))
            }
        }
    }

    @Test("a shell that never stops talking is left") func floods() async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run { box in
                try box.put("yes\n", at: "/home/alice/.bashrc")
                let result = try await box.visit().byDoctor()
                #expect(result.termination == .exited(198), "\(result.output)")
                #expect(result.errorOutput.contains("ssh.command.output-limit-exceeded"))
            }
        }
    }

    @Test("what is told of the clock allows for a slow link") func slowLink() async throws {
        try await Gate.shared.pass {
            let box = try await Ground.plain.box()
            try await FaultProxy.run(to: box.port, delay: .milliseconds(200)) { proxy in
                let visit = try await box.visit(through: proxy.port)
                let diagnosis = try await SSHClient.diagnose(
                    Endpoint(unchecked: visit.host, port: visit.port, user: visit.user), configuration: visit.configuration)
                let clock = try #require(diagnosis.findings(about: .clock).first)
                #expect(clock.level == .ok, "\(clock)")
                guard case .number(let uncertainty)? = clock["uncertaintySeconds"] else {
                    return #expect(Bool(false), "\(clock)")
                }
                // Half of the way there and back, and half a second.
                #expect(uncertainty >= 0.7, "\(clock)")
            }
        }
    }

    @Test("a signal ends it with what was found so far", arguments: [(Int32(2), Int32(130)), (15, 143)])
    func interrupted(signal: Int32, status: Int32) async throws {
        try await Gate.shared.pass {
            try await FaultServer.run(.silent) { server in
                let result = try await server.visit().byDoctor(["-v"]) { process in
                    try await process.standardError.wait(for: "banner:")
                    process.send(signal: signal)
                }
                #expect(result.termination == .exited(status), "\(result.output) \(result.errorOutput)")
                #expect(result.output.contains("is open.") && result.output.contains("(ssh.local.cancelled)"), "\(result.output)")
                #expect(result.errorOutput.contains("ssh.local.cancelled"))
            }
        }
    }

    @Test("a new host is remembered as by a run, and told") func remembers() async throws {
        let box = try await Ground.plain.box()
        var visit = try await box.visit()
        visit.policy = .acceptNew
        visit.knownHosts = [box.directory.path("doctor-known-hosts")]
        let result = try await visit.byDoctor()
        #expect(result.termination == .exited(0), "\(result.output) \(result.errorOutput)")
        #expect(result.output.contains("was not known;"))
        visit.policy = .strict
        #expect(try await visit.byDoctor().output.contains("is known:"))
    }

    @Test("wrong usage as JSON is the object of a diagnosis", arguments: [["--wrong", "web1"], ["web1:0"], []])
    func usage(_ arguments: [String]) async throws {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["doctor", "--json"] + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]))
        let object = try JSONDecoder().decode(JSON.self, from: Data(result.standardOutput))
        #expect(try JSONSchema.ofDiagnosis().faults(object) == [], "\(result.output)")
        #expect(result.termination == .exited(199))
        #expect(object["error"]?["hint"]?.text?.contains("bridge-ssh doctor --help") == true)
    }

    // MARK: Playing

    private func play(_ test: Case) async throws {
        let scene = test.scene
        try await Gate.shared.pass {
            try await SSHDSandbox.run(scene.options) { box in
                var visit = try await box.visit(scene.user)
                try await scene.arrange(box, &visit)
                let diagnosis = try await SSHClient.diagnose(
                    Endpoint(unchecked: visit.host, port: visit.port, user: visit.user), configuration: visit.configuration)
                check(diagnosis, test)
                try check(try await visit.byDoctor(["--json"]), test)
                let report = try await visit.byDoctor()
                #expect(report.termination == .exited(scene.expected.status), "\(report.output) \(report.errorOutput)")
                // The same verdict as of a run.
                let run = try await visit.byExecutable(["--json"])
                #expect(run.termination == report.termination, "\(run.output)")
                guard let code = scene.expected.code else {
                    #expect(report.errorOutput.isEmpty, "\(report.errorOutput)")
                    return
                }
                #expect(report.errorOutput.contains("(\(code))"), "\(report.errorOutput)")
                for secret in visit.secrets { #expect(!(report.output + report.errorOutput).contains(secret)) }
            }
        }
    }

    private func check(_ diagnosis: Diagnosis, _ test: Case) {
        let seen = Comment(rawValue: String(decoding: diagnosis.json().bytes, as: UTF8.self))
        #expect(diagnosis.error?.code == test.scene.expected.code, seen)
        #expect(diagnosis.exitStatus().rawValue == test.scene.expected.status, seen)
        for (step, level, words) in test.tells {
            let found = diagnosis.findings(about: step).contains {
                $0.level == level && (words.isEmpty || $0.text.contains(words))
            }
            #expect(found, "\(step) \(level) \(words): \(seen)")
        }
        #expect(diagnosis.findings.contains { $0.level == .failed } == (test.scene.expected.code != nil), seen)
        for step in DiagnosisStep.allCases { #expect(!diagnosis.findings(about: step).isEmpty, seen) }
    }

    private func check(_ result: ProcessResult, _ test: Case) throws {
        let seen = Comment(rawValue: "\(result.termination) \(result.output) \(result.errorOutput)")
        #expect(result.termination == .exited(test.scene.expected.status), seen)
        #expect(result.output.hasSuffix("}\n") && result.output.count { $0 == "\n" } == 1, seen)
        let object = try JSONDecoder().decode(JSON.self, from: Data(result.standardOutput))
        #expect(try JSONSchema.ofDiagnosis().faults(object) == [], seen)
        #expect(object["exitStatus"] == .integer(Int(test.scene.expected.status)), seen)
        #expect(object["error"]?["code"]?.text == test.scene.expected.code?.rawValue, seen)
    }
}

extension SSHDSandbox {
    /// Every connection and authentication request that sshd has logged, and what it made of each, once one has ended.
    fileprivate func authenticationRequests() async throws -> [String] {
        try await log.wait(for: "Disconnect")
        return log.text.split(whereSeparator: \.isNewline).compactMap { line in
            if line.contains("Connection from 127.0.0.1 port") { return "a connection" }
            if let range = line.range(of: "userauth-request for user ") { return String(line[range.upperBound...]) }
            guard let range = line.range(of: "Failed ") ?? line.range(of: "Accepted ") else { return nil }
            // The port differs, and what follows it.
            return String(line[range.lowerBound...].prefix { $0 != "1" })
        }
    }
}
