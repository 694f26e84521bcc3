import BridgeSSH
import ErrorCore
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite struct DoctorReportTests {
    private static let endpoint = SSHEndpoint(unchecked: "web1", port: 22, user: "alice")

    private static func failed() -> SSHDiagnosis {
        var evidence = SSHEvidence(event: .hostKeyRejected, stage: .hostKey, host: "web1", port: 22, user: "alice")
        evidence.hostKey = SSHHostKeyEvidence(
            algorithm: "ssh-ed25519", fingerprint: "SHA256:abc", verdict: .revoked(SSHKnownHostsLocation(file: "/k", line: 3)),
            policy: .strict)
        let error = SSHFailureClassifier.classify(evidence)
        let findings = [
            SSHFinding(.resolve, .ok, "web1 has 2 addresses: 192.0.2.1 and 192.0.2.2.", duration: .seconds(0.0123)),
            SSHFinding(
                .connect, .notice, "192.0.2.1:22: connection refused (ECONNREFUSED).", advice: "Let the server listen on it.",
                duration: .seconds(0.0002)),
            SSHFinding(.connect, .ok, "192.0.2.2:22 is open.", duration: .seconds(1.26)),
            SSHFinding(.identification, .ok, "SSH-2.0-\u{1B}[2Jevil", duration: .seconds(0.9999)),
            SSHFinding(.algorithms, .weak, "The server still offers hmac-sha1: SHA-1.", advice: "MACs -hmac-sha1"),
            SSHFinding(
                .hostKey, .failed, error.message, advice: error.hint,
                details: [.init("code", .text(error.code.rawValue)), .init("title", .text(error.title))]),
            SSHFinding(.methods, .notReached, "Not looked at: something else failed first."),
            SSHFinding(.credentials, .notReached, "id was not tried: x.", details: [.init("outcome", .text("not-tried"))]),
            SSHFinding(.channel, .notReached, "Not looked at: something else failed first."),
        ]
        return SSHDiagnosis(endpoint: endpoint, findings: findings, error: error)
    }

    private func text(_ form: TerminalForm, includesFailure: Bool = true, _ diagnosis: SSHDiagnosis = failed()) -> String {
        DoctorReport(form: form, includesFailure: includesFailure).text(diagnosis)
    }

    @Test("the report at 80 columns") func at80() {
        let expected = """
            Diagnosis of alice@web1 port 22

            Name
              ✔ web1 has 2 addresses: 192.0.2.1 and 192.0.2.2. [12 ms]
            TCP
              • 192.0.2.1:22: connection refused (ECONNREFUSED). [0.2 ms]
                → Let the server listen on it.
              ✔ 192.0.2.2:22 is open. [1.3 s]
            Identification
              ✔ SSH-2.0-\\x1b[2Jevil [1.0 s]
            Algorithms
              ▲ The server still offers hmac-sha1: SHA-1.
                → MACs -hmac-sha1
            Host key
              ✖ Host Key Revoked (ssh.host-key.revoked)
                The host key of web1 port 22, SHA256:abc (ssh-ed25519), is marked as revoked
                in /k:3.
                → Do not log in: the holder of this key may not be the server. Ask its
                  administrator for the new key.
            Credentials
              – id was not tried: x.

            Not looked at: Methods, Channel.

            Stopped at: Host key.

            """
        #expect(text(TerminalForm(width: 80, glyphs: .unicode)) == expected)
    }

    @Test("the report at 40 columns") func at40() {
        let expected = """
            Diagnosis of alice@web1 port 22

            Name
              ok: web1 has 2 addresses: 192.0.2.1
                  and 192.0.2.2. [12 ms]
            TCP
              notice: 192.0.2.1:22: connection
                      refused (ECONNREFUSED). [0.2
                      ms]
                      -> Let the server listen on
                         it.
              ok: 192.0.2.2:22 is open. [1.3 s]
            Identification
              ok: SSH-2.0-\\x1b[2Jevil [1.0 s]
            Algorithms
              weak: The server still offers
                    hmac-sha1: SHA-1.
                    -> MACs -hmac-sha1
            Host key
              failed: The diagnosis stops here.
            Credentials
              --: id was not tried: x.

            Not looked at: Methods, Channel.

            Stopped at: Host key.

            """
        #expect(text(TerminalForm(width: 40), includesFailure: false) == expected)
    }

    @Test("no line is wider than the terminal", arguments: [20, 40, 41, 79, 80, 200])
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        for glyphs in [TerminalBanner.Glyphs.unicode, .ascii] {
            let lines = text(TerminalForm(width: width, glyphs: glyphs)).split(separator: "\n")
            #expect(lines.allSatisfy { TerminalText.columns($0) <= width }, "\(lines)")
        }
    }

    @Test("colour is added and nothing else") func colourIsAddedAndNothingElse() {
        let plain = text(TerminalForm(width: 60, glyphs: .unicode))
        let coloured = text(TerminalForm(width: 60, color: true, glyphs: .unicode))
        #expect(coloured != plain)
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
        #expect(!plain.contains("\u{1B}"))
    }

    @Test(
        "the concluding line",
        arguments: [
            ([SSHFinding.Level.ok], "No problems found."), ([.ok, .notice], "Commands run, with one remark."),
            ([.weak, .notice], "Commands run, with 2 remarks."),
        ])
    func theSum(_ levels: [SSHFinding.Level], _ words: String) {
        let diagnosis = SSHDiagnosis(endpoint: Self.endpoint, findings: levels.map { SSHFinding(.path, $0, "x") })
        #expect(text(TerminalForm(), diagnosis).hasSuffix("\n\n\(words)\n"))
    }
}

@Suite struct DoctorPlanTests {
    private func plan(_ arguments: String..., in launchEnvironment: LaunchEnvironment = .bare) throws -> DoctorPlan {
        let command = try JoinedOptions.parse(["doctor"] + arguments)
        return try DoctorPlan(try #require(command as? DoctorCommand), launchEnvironment: launchEnvironment)
    }

    /// The same options give the same configuration.
    @Test(
        "doctor's plan equals that of a run",
        arguments: [
            [], ["-p", "2222"], ["-l", "bob"], ["-i", "a", "-i", "~/b"], ["--identities-only"], ["--agent", "none"],
            ["--agent", "/x"],
            ["--known-hosts", "k"], ["--host-key-policy", "accept-new"], ["-4"], ["--connect-timeout", "3"],
            ["--keepalive", "7"],
            ["--batch"], ["-oPort=77"], ["-oIdentitiesOnly=yes", "-o", "User=joe"], ["-F", "none"], ["--password-file", "f"],
            ["-J", "gate,joe@inner:2222", "-i", "a", "--keepalive", "7"], ["-Jgate"], ["-o", "ProxyCommand=nc %h %p"],
        ])
    func itIsThePlanOfARun(_ options: [String]) throws {
        let command = try #require(try JoinedOptions.parse(["doctor"] + options + ["web1"]) as? DoctorCommand)
        for launchEnvironment in [LaunchEnvironment.bare, .seated] {
            let run = try RunCommandPlan(runOptions(options + ["web1", "x"]), launchEnvironment: launchEnvironment).access
            let doctor = try DoctorPlan(command, launchEnvironment: launchEnvironment).access
            #expect(doctor.endpoint == run.endpoint)
            #expect(doctor.mayAsk == run.mayAsk)
            let (ours, theirs) = (doctor.secrets as? CommandLineSecrets, run.secrets as? CommandLineSecrets)
            #expect(ours != nil && ours?.passwordSource?.place == theirs?.passwordSource?.place)
            #expect("\(doctor.configuration)" == "\(run.configuration)")
        }
    }

    @Test("doctor's own options") func optionsOfItsOwn() throws {
        let plan = try plan("--json", "--exit-codes", "ssh", "--timeout", "5", "-vv", "web1")
        #expect(plan.output.json && plan.output.convention == .ssh && plan.output.verbosity == 2)
        #expect(plan.commandOptions.timeout == .seconds(5))
    }

    @Test("wrong usage", arguments: [[], ["web1", "uptime"], ["web1", "--retries", "3"], ["--timeout", "0", "web1"]])
    func wrongUsage(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try JoinedOptions.parse(["doctor"] + arguments) }
    }

    @Test(
        "wrong usage points to the right help",
        arguments: [
            (["run", "--x"], "`bridge-ssh run --help`"), (["doctor", "--x"], "`bridge-ssh doctor --help`"),
            (["config", "--x"], "`bridge-ssh config --help`"), (["codes", "--x"], "`bridge-ssh codes --help`"),
            (["explain", "--x"], "`bridge-ssh explain --help`"), (["classify", "--x"], "`bridge-ssh classify --help`"),
            (["--x"], "`bridge-ssh --help`"), (["nothing"], "`bridge-ssh --help`"), ([], "`bridge-ssh --help`"),
        ])
    func wrongUsagePointsToTheRightHelp(_ arguments: [String], _ words: String) {
        let verdict = UsageProblem(field: "--x", problem: "no").verdict(of: ArgumentHints(arguments).subcommand)
        #expect(verdict.remedy.contains(words), "\(verdict.remedy)")
    }
}
