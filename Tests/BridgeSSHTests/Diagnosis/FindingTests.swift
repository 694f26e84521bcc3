import Testing

@testable import BridgeSSH
@testable import SSHModel

/// The rules on given observations, without a network.
@Suite struct FindingTests {
    static func seen(_ change: (inout Observations) -> Void = { _ in }) -> Observations {
        var seen = Observations(
            endpoint: SSHEndpoint(unchecked: "web1", port: 22, user: "alice"), configuration: SSHConnectionConfiguration())
        seen.facts.addresses = ["192.0.2.1:22"]
        seen.facts.connects = [AddressOutcome(address: "192.0.2.1:22", result: .open, seconds: 0.001)]
        var evidence = Seen.that(.commandEnded, at: .command)
        evidence.identification = "SSH-2.0-OpenSSH_9.9"
        var login = SSHAuthenticationEvidence()
        login.methodsOffered = ["publickey", "password"]
        evidence.authentication = login
        evidence.command = SSHCommandEvidence(command: "x")
        evidence.command?.progress = .accepted
        evidence.command?.exitStatus = 0
        seen.evidence = evidence
        var reading = ShellReading()
        reading.isComplete = true
        reading.path = "/usr/local/bin:/usr/sbin:/usr/bin"
        seen.shell = reading
        change(&seen)
        return seen
    }

    private func findings(_ step: SSHDiagnosisStep, _ change: (inout Observations) -> Void) -> [SSHFinding] {
        DiagnosisRules.findings(Self.seen(change)).filter { $0.step == step }
    }

    @Test("on Windows a non-POSIX command shows that commands run") func windows() {
        let found = findings(.exec) { seen in
            seen.evidence?.identification = "SSH-2.0-OpenSSH_for_Windows_9.5"
            seen.evidence?.command?.exitStatus = 1
            seen.shell = ShellReading()
            seen.shell?.errorNoise = Array("'LC_ALL' is not recognized as an internal or external command,\r\n".utf8)
        }
        let finding = found.first { $0.text.contains("the server is Windows") }
        #expect(finding?.level == .notice && finding?.advice.contains("DefaultShell") == true, "\(found)")
        #expect(!found.contains { $0.text.contains("ForceCommand") }, "\(found)")
    }

    @Test("every step has a finding in order") func everyStepHasAFindingInOrder() {
        let steps = DiagnosisRules.findings(Self.seen()).map(\.step)
        #expect(Set(steps) == Set(SSHDiagnosisStep.allCases))
        #expect(steps == SSHDiagnosisStep.allCases.flatMap { step in steps.filter { $0 == step } })
    }

    static let failures: [(SSHEvidence, SSHDiagnosisStep)] = [
        (Seen.that(.resolutionFailed(code: -2, name: .notFound, message: "x"), at: .resolve), .resolve),
        (Seen.addresses(111), .connect),
        (Seen.said("HTTP/1.1 400\r\n"), .identification),
        (Seen.call("KEX_FAILURE", at: .keyExchange), .algorithms),
        (Seen.that(.hostKeyRejected, at: .hostKey), .hostKey),
        (Seen.that(.credentialsExhausted, at: .authentication), .credentials),
        (Seen.that(.channelRefused(reason: 2, description: "open failed"), at: .channel), .channel),
        (Seen.that(.requestRefused(.exec), at: .channel), .exec),
        (Seen.end(.closed, at: .session), .exec),
    ]

    @Test("the failure is in its step, and later steps are not reached", arguments: failures)
    func theFailureStandsInItsStepAndNothingAfterIt(_ evidence: SSHEvidence, _ step: SSHDiagnosisStep) {
        let error = SSHFailureClassifier.classify(evidence)
        let findings = DiagnosisRules.findings(
            Self.seen {
                $0.evidence = evidence
                $0.error = error
                $0.shell = nil
                if step == .resolve { $0.facts = ConnectionFacts() }
                if step == .connect {
                    $0.facts.connects[0].result = .failed(systemError: 111)
                }
            })
        let last = findings.last { $0.level == .failed }
        #expect(last?.step == step)
        #expect(last?.text == error.message)
        #expect(last?.advice == error.hint)
        #expect(last?["code"] == .text(error.code.rawValue))
        let later = findings.filter {
            SSHDiagnosisStep.allCases.firstIndex(of: $0.step)! > SSHDiagnosisStep.allCases.firstIndex(of: step)!
        }
        #expect(later.allSatisfy { $0.level == .notReached })
    }

    @Test("a cancellation is in the step in which it came") func aCancellationStandsWhereItCame() {
        let error = SSHFailureClassifier.classify(Seen.that(.cancelled(signal: "INT"), at: .local))
        let findings = DiagnosisRules.findings(
            Self.seen {
                $0.evidence = error.evidence
                $0.error = error
                $0.lastStage = .authentication
            })
        #expect(findings.last { $0.level == .failed }?.step == .credentials)
    }

    @Test("addresses") func addresses() {
        let found = findings(.connect) {
            $0.facts.addresses = ["192.0.2.1:22", "[2001:db8::1]:22", "192.0.2.3:22"]
            $0.facts.connects = [
                AddressOutcome(address: "[2001:db8::1]:22", result: .unanswered, seconds: 0.25),
                AddressOutcome(address: "192.0.2.1:22", result: .open, seconds: 0.001),
            ]
            $0.otherAddresses = [
                AddressOutcome(address: "[2001:db8::1]:22", result: .unanswered, seconds: 5),
                AddressOutcome(address: "192.0.2.3:22", result: .failed(systemError: 111), seconds: 0.002),
            ]
        }
        #expect(found.map(\.level) == [.ok, .notice, .notice])
        #expect(found.map { $0["outcome"] } == [.text("open"), .text("timed-out"), .text("refused")])
        #expect(found.map(\.durationSeconds) == [0.001, 5, 0.002])
        #expect(found.map { $0.advice.isEmpty } == [true, false, false])
    }

    @Test(
        "clock",
        arguments: [
            (0.0, 0.5, SSHFinding.Level.ok, "agrees"), (2.4, 0.5, .ok, "agrees"), (2.6, 0.5, .notice, "2.6 seconds ahead"),
            (-90, 1, .notice, "90 seconds behind"), (30, 29, .ok, "± 29.0 s"), (-600, 0.5, .notice, "10 minutes behind"),
            (86_400 * 365, 0.5, .notice, "365 days ahead"),
        ])
    func clock(skew: Double, uncertainty: Double, level: SSHFinding.Level, words: String) {
        let found = findings(.clock) {
            $0.shell?.clock = ClockComparison(serverTime: 0, asked: 0, seconds: 0)
            $0.shell?.clock?.skew = skew
            $0.shell?.clock?.uncertainty = uncertainty
        }
        #expect(found.map(\.level) == [level])
        #expect(found[0].text.contains(words), "\(found[0].text)")
    }

    @Test("a server without date has no clock") func aServerWithoutDateHasNoClock() {
        #expect(findings(.clock) { _ in }.map(\.level) == [.notReached])
    }

    @Test(
        "path",
        arguments: [
            ("/usr/local/bin:/usr/sbin", [SSHFinding.Level.ok]), ("/usr/local/bin/:/sbin/", [.ok]),
            ("/usr/local/bin:/usr/bin", [.ok, .info]), ("/usr/sbin:/usr/bin", [.ok, .notice]),
            ("/usr/local/bin:/sbin:.", [.ok, .weak]), ("/usr/local/bin::/sbin", [.ok, .weak]), ("bin", [.ok, .weak, .notice]),
            ("", [.ok, .notice]),
        ])
    func path(_ path: String, _ levels: [SSHFinding.Level]) {
        #expect(findings(.path) { $0.shell?.path = path }.map(\.level) == levels)
    }

    @Test("noise") func noise() {
        let found = findings(.noise) {
            $0.shell?.noise = Array("Welcome\u{1B}[2J\nfriend".utf8)
            $0.shell?.errorNoise = Array("oops".utf8)
        }
        #expect(found.map(\.level) == [.notice, .notice])
        #expect(found.map { $0["stream"] } == [.text("stdout"), .text("stderr")])
        #expect(!found[0].text.contains("\u{1B}"))
        #expect(findings(.noise) { _ in }.map(\.level) == [.ok])
    }

    @Test("another command ran in place of the probe") func anotherCommandInPlaceOfOurs() {
        let found = findings(.exec) { $0.shell = ShellReading(noise: Array("uptime".utf8)) }
        #expect(found.map(\.level) == [.notice])
        #expect(found[0].text.contains("uptime") && found[0].advice.contains("ForceCommand"))
        #expect(findings(.path) { $0.shell = ShellReading() }.map(\.level) == [.notReached])
    }

    @Test("weak algorithms are reported once for each reason, with one line for sshd")
    func whatIsWeakIsReportedOnceForEachReasonWithOneLineForSshd() {
        let found = findings(.algorithms) {
            var server = SSHAlgorithmLists()
            server.keyExchange = ["curve25519-sha256", "kex-strict-s-v00@openssh.com"]
            server.macToServer = ["hmac-md5", "hmac-sha1", "hmac-sha2-256"]
            server.macToClient = ["hmac-sha1", "hmac-md5-96"]
            $0.evidence?.serverAlgorithms = server
            var chosen = SSHChosenAlgorithms()
            chosen.macToServer = "hmac-sha1"
            $0.evidence?.chosenAlgorithms = chosen
        }
        #expect(found.map(\.level) == [.ok, .weak, .weak, .info])
        #expect(found[1]["names"] == .texts(["hmac-md5", "hmac-md5-96"]))
        #expect(found[1].advice.isEmpty)
        #expect(found[2].text.contains("This connection uses hmac-sha1"))
        #expect(found[2].advice == "In the server's sshd_config: `MACs -hmac-md5,hmac-sha1,hmac-md5-96`")
    }

    /// The default offer of Debian 12's sshd gives no finding.
    @Test("sshd's defaults are not criticised") func theDefaultsOfSSHDAreNoComplaint() {
        let found = findings(.algorithms) {
            var server = SSHAlgorithmLists()
            server.keyExchange = ["curve25519-sha256", "diffie-hellman-group14-sha256", "kex-strict-s-v00@openssh.com"]
            server.hostKey = ["rsa-sha2-512", "rsa-sha2-256", "ecdsa-sha2-nistp256", "ssh-ed25519"]
            let macs = ["umac-64-etm@openssh.com", "hmac-sha2-256-etm@openssh.com", "hmac-sha1-etm@openssh.com", "hmac-sha1"]
            (server.macToServer, server.macToClient) = (macs, macs)
            $0.evidence?.serverAlgorithms = server
            var chosen = SSHChosenAlgorithms()
            chosen.macToServer = "hmac-sha2-256-etm@openssh.com"
            $0.evidence?.chosenAlgorithms = chosen
        }
        #expect(found.map(\.level) == [.ok, .info, .info, .info])
        #expect(found.allSatisfy { $0.advice.isEmpty })
    }

    @Test(
        "terrapin",
        arguments: [
            (["kex-strict-s-v00@openssh.com"], ["chacha20-poly1305@openssh.com"], ["x"], false),
            ([], ["chacha20-poly1305@openssh.com"], ["x"], true), ([], ["aes128-ctr"], ["hmac-sha2-256-etm@openssh.com"], false),
            ([], ["aes128-cbc"], ["hmac-sha2-256-etm@openssh.com"], true), ([], ["aes128-cbc"], ["hmac-sha2-256"], false),
        ])
    func terrapin(_ kex: [String], _ ciphers: [String], _ macs: [String], _ isReported: Bool) {
        let found = findings(.algorithms) {
            var server = SSHAlgorithmLists()
            server.keyExchange = kex
            server.cipherToClient = ciphers
            server.macToServer = macs
            $0.evidence?.serverAlgorithms = server
        }
        #expect(found.contains { $0.text.contains("CVE-2023-48795") } == isReported)
    }

    @Test(
        "a post-quantum key exchange",
        arguments: [
            (
                ["curve25519-sha256"], "curve25519-sha256", SSHFinding.Level.info, "offers no post-quantum key exchange",
                [String]()
            ),
            (
                ["sntrup761x25519-sha512@openssh.com", "curve25519-sha256"], "curve25519-sha256", .info, "does not use",
                ["sntrup761x25519-sha512@openssh.com"]
            ),
            (["mlkem768x25519-sha256"], "mlkem768x25519-sha256", .ok, "resists quantum computers", ["mlkem768x25519-sha256"]),
        ])
    func postQuantumKeyExchange(
        _ offered: [String], _ chosen: String, _ level: SSHFinding.Level, _ words: String, _ names: [String]
    ) throws {
        let found = findings(.algorithms) {
            var server = SSHAlgorithmLists()
            server.keyExchange = offered
            $0.evidence?.serverAlgorithms = server
            var agreed = SSHChosenAlgorithms()
            agreed.keyExchange = chosen
            $0.evidence?.chosenAlgorithms = agreed
        }
        let finding = try #require(found.first { $0["postQuantumOffered"] != nil })
        #expect(finding.level == level)
        #expect(finding.text.contains(words), "\(finding.text)")
        #expect(finding["postQuantumOffered"] == .texts(names))
        #expect(finding["postQuantumUsed"] == .flag(level == .ok))
    }

    @Test(
        "a server that speaks version 1 too is weak",
        arguments: [("2.0", [.ok]), ("1.99", [.ok, .weak])] as [(String, [SSHFinding.Level])])
    func version(number: String, levels: [SSHFinding.Level]) {
        let found = findings(.identification) { $0.evidence?.identification = "SSH-\(number)-OpenSSH_9.9" }
        #expect(found.map(\.level) == levels)
    }

    @Test("host keys") func hostKeys() throws {
        let place = SSHKnownHostsLocation(file: "/k", line: 3)
        func found(_ verdict: SSHHostKeyVerdict, _ change: (inout Observations) -> Void = { _ in }) -> [SSHFinding] {
            findings(.hostKey) {
                var key = SSHHostKeyEvidence(algorithm: "ssh-rsa", fingerprint: "SHA256:x", verdict: verdict, policy: .strict)
                key.bits = 1024
                $0.evidence?.hostKey = key
                change(&$0)
            }
        }
        #expect(found(.trusted(place)).map(\.level) == [.ok, .weak])
        #expect(found(.trusted(place)) { $0.evidence?.hostKey?.bits = 2047 }.map(\.level) == [.ok, .weak])
        #expect(found(.trusted(place)) { $0.evidence?.hostKey?.bits = 2048 }.map(\.level) == [.ok])
        #expect(found(.trusted(place))[0].text.contains("/k:3"))
        #expect(found(.trusted(place)) { $0.facts.hostNameIsHashed = true }[0].text.contains("hashed"))
        #expect(found(.trusted(place)) { $0.trustedFileIsWritable = true }.map(\.level) == [.ok, .weak, .weak])
        #expect(found(.trusted(place)) { $0.facts.hostKeyWasNew = true }[0].level == .notice)
        let once = found(.unknown(skippedLines: 0, certificateAuthority: nil)) { $0.facts.hostKeyWasNew = true }
        #expect(once[0].level == .notice && once[0].text.contains("accepted once"))
    }
}
