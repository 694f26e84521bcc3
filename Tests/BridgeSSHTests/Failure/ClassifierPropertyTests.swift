import BridgeSSH
import ErrorCore
import SSHTestSupport
import Testing

@testable import SSHFailure

@Suite("Classifier, on anything")
struct ClassifierPropertyTests {
    /// Random evidence: every field is drawn independently.
    static func random(_ generator: inout SeededGenerator) -> SSHEvidence {
        let rows = ClassifierTable.everything
        func pick() -> SSHEvidence { rows[Int.random(in: rows.indices, using: &generator)].evidence }
        var evidence = pick()
        evidence.event = pick().event
        evidence.stage = pick().stage
        evidence.library = pick().library
        evidence.stream = pick().stream
        evidence.identification = pick().identification
        evidence.firstBytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
        evidence.serverAlgorithms = pick().serverAlgorithms
        evidence.clientAlgorithms = pick().clientAlgorithms
        evidence.disconnect = pick().disconnect
        evidence.addresses = pick().addresses
        evidence.hostKey = pick().hostKey
        evidence.authentication = pick().authentication
        evidence.command = pick().command
        evidence.hop = pick().hop
        evidence.proxy = pick().proxy
        evidence.elapsedSeconds = [0, -1, 120, .nan, .infinity, 1e300][Int.random(in: 0..<6, using: &generator)]
        evidence.command?.exitStatus = [nil, 0, 1, 127, 255, 256, -1, .max, .min][Int.random(in: 0..<9, using: &generator)]
        evidence.host = ["", "web1", "\u{1B}[31m\n", "::1"][Int.random(in: 0..<4, using: &generator)]
        return evidence
    }

    @Test("every evidence gets a complete verdict", arguments: 0..<40)
    func total(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let schema = try JSONSchema.ofReport()
        for round in 0..<100 {
            let evidence = Self.random(&generator)
            let error = SSHFailureClassifier.classify(evidence)
            #expect(SSHError.Code.known.contains(error.code))
            #expect(!error.message.isEmpty)
            #expect(!error.message.contains("\u{1B}") && !error.message.contains("\n"))
            #expect((0...255).contains(error.exitStatus.rawValue))
            #expect(error.exitStatus != .success || evidence.command?.exitStatus == 0, "\(error.code)")
            #expect(error.commandMayHaveRun == evidence.commandMayHaveRun)
            let again = SSHFailureClassifier.classify(evidence)
            #expect(error.message == again.message && error.hint == again.hint && error.code == again.code)
            if round % 20 == 0 {
                let faults = schema.faults(try RunReportTests.parsed(RunReportTests.report(error)))
                #expect(faults == [])
            }
        }
    }

    @Test("a verdict without user and host names has no gaps", arguments: ClassifierTable.everything)
    func unnamed(_ row: Row) {
        var evidence = row.evidence
        evidence.host = ""
        evidence.user = ""
        let error = SSHFailureClassifier.classify(evidence)
        for text in [error.message, error.hint] + error.alternatives {
            #expect(!text.hasPrefix(" ") && !text.contains("  "), "\(text)")
            #expect(!text.contains(" @") && !text.contains("''") && !text.contains("'the server'"), "\(text)")
            #expect(text.firstMatch(of: /\s[.,:;](\s|$)/) == nil, "\(text)")
        }
        #expect(!error.message.hasPrefix("the "))
    }

    @Test(
        "the text of a DISCONNECT decides whether a retry helps",
        arguments: [
            (2, "Too many authentication failures", .never), (12, "Too many connections", .backoff()),
            (2, "Packet corrupt", .backoff()),
            (2, "Protocol error: expected packet type 30, got 5", .never), (11, "Server shutting down", .backoff()),
            (2, "strict KEX violation: unexpected packet type 2", .never), (1, "", .never), (11, "", .backoff()),
            (7, "Service not available", .backoff()), (2, "Idle connection timed out", .backoff()), (2, "Access denied", .never),
        ] as [(UInt32, String, RetryAdvice)])
    func disconnects(reason: UInt32, text: String, retry: RetryAdvice) {
        #expect(DisconnectTexts.advice(SSHDisconnectMessage(reason: reason, description: text)) == retry)
    }

    @Test("without known words, the reason of a DISCONNECT decides", arguments: 0...16 as ClosedRange<UInt32>)
    func disconnectReasons(reason: UInt32) {
        let isHopeless = [1, 3, 6, 8, 9, 13, 14, 15].contains(reason)
        #expect(DisconnectTexts.advice(SSHDisconnectMessage(reason: reason, description: "x")).allowsRetry == !isHopeless)
    }

    @Test("whether the command may have run")
    func commandMayHaveRun() {
        var evidence = Seen.end(.closed, at: .command)
        #expect(SSHFailureClassifier.classify(evidence).commandMayHaveRun == .no)
        evidence.command = SSHCommandEvidence(command: "x")
        for (progress, expected) in [
            (SSHCommandEvidence.Progress.notSent, SSHError.CommandMayHaveRun.no), (.refused, .no), (.sent, .unknown),
            (.accepted, .unknown),
        ] {
            evidence.command?.progress = progress
            #expect(SSHFailureClassifier.classify(evidence).commandMayHaveRun == expected)
        }
        evidence.command?.exitStatus = 0
        #expect(SSHFailureClassifier.classify(evidence).commandMayHaveRun == .yes)
    }

    @Test("exit statuses of several hosts, of signals and of Windows")
    func exitStatuses() {
        #expect(SSHExitStatus.overall([]) == .success)
        #expect(SSHExitStatus.overall([.success, .success]) == .success)
        #expect(SSHExitStatus.overall([.timedOut, .timedOut]) == .timedOut)
        #expect(SSHExitStatus.overall([.success, .timedOut]) == .mixed)
        #expect(SSHExitStatus.killed(by: SSHExitSignal(name: "TERM")).rawValue == 143)
        #expect(SSHExitStatus.killed(by: SSHExitSignal(name: "SIGXCPU@openssh.com")).rawValue == 152)
        #expect(SSHExitStatus.killed(by: SSHExitSignal(name: "SIG@openssh.com")).rawValue == 128)
        #expect(SSHExitStatus.remote(256).rawValue == 255)
        #expect(SSHExitStatus.remote(-1_073_741_819).rawValue == 5)
    }

    @Test(
        "a cancellation tells its signal",
        arguments: [("INT", 130), ("TERM", 143), ("HUP", 129), (nil, 130)] as [(String?, Int32)])
    func cancellation(signal: String?, status: Int32) {
        let error = SSHFailureClassifier.classify(Seen.that(.cancelled(signal: signal), at: .command))
        #expect(error.exitStatus.rawValue == status)
    }

    @Test("algorithms are negotiated by RFC 4253 section 7.1, and an authenticated cipher needs no MAC")
    func agreement() {
        var evidence = Seen.algorithms { lists in lists.macToServer = ["none-of-yours"] }
        #expect(AlgorithmAgreement.mismatch(evidence)?.kind == .mac)
        evidence.clientAlgorithms?.cipherToServer = ["aes256-gcm@openssh.com"]
        evidence.serverAlgorithms?.cipherToServer = ["aes256-gcm@openssh.com", "aes256-ctr"]
        #expect(AlgorithmAgreement.mismatch(evidence) == nil)
        evidence.serverAlgorithms = nil
        #expect(AlgorithmAgreement.mismatch(evidence) == nil)
    }

    @Test("a changed key's remedy names the host as known_hosts does")
    func remedy() {
        let error = SSHFailureClassifier.classify(
            Seen.hostKey(.changed(presented: "SHA256:new", known: ClassifierTable.known), port: 2222))
        #expect(error.hint.contains("ssh-keygen -R '[web1]:2222' -f /home/alice/.ssh/known_hosts"))
        #expect(error.message.contains("SHA256:new") && error.message.contains("SHA256:old"))
        #expect(error.message.contains("known_hosts:7"))
    }

    @Test("shell words", arguments: [("a", "a"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("[h]:22", "'[h]:22'")])
    func shellWords(text: String, word: String) {
        #expect(text.shellWord == word)
    }
}
