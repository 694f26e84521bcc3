import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Testing

@testable import SSHFailure

/// Evidence with hostile bytes in every text: the verdict is inert and of bounded length.
@Suite("Hostile texts")
struct HostileTextTests {
    static let hostile =
        "\u{1b}[31m\u{7}\u{202e}\u{9b}2J\u{85}\u{2028}\u{2066}\u{feff}\u{7f}\r\n\0" + String(repeating: "e", count: 9980)
        + "e\u{301}"

    /// Evidence of an event in which every text is hostile.
    static func evidence(_ event: SSHEvidence.Event, _ stage: SSHStage) -> SSHEvidence {
        let bad = hostile
        var evidence = SSHEvidence(event: event, stage: stage, host: bad, port: 22, user: bad)
        evidence.library = SSHLibraryCall(function: bad, code: -1, name: bad, message: bad)
        evidence.identification = bad
        evidence.linesBeforeIdentification = [bad, bad]
        evidence.firstBytes = Array(bad.utf8.prefix(512))
        evidence.keyExchangeBegun = true
        var lists = SSHAlgorithmLists()
        for list in [
            \SSHAlgorithmLists.keyExchange, \.hostKey, \.cipherToServer, \.cipherToClient, \.macToServer, \.macToClient,
            \.compressionToServer, \.compressionToClient,
        ] { lists[keyPath: list] = [bad, bad] }
        evidence.serverAlgorithms = lists
        evidence.clientAlgorithms = lists
        var chosen = SSHChosenAlgorithms()
        for name in [\SSHChosenAlgorithms.keyExchange, \.hostKey, \.cipherToServer, \.cipherToClient] {
            chosen[keyPath: name] = bad
        }
        (chosen.macToServer, chosen.macToClient) = (bad, bad)
        evidence.chosenAlgorithms = chosen
        evidence.disconnect = SSHDisconnectMessage(reason: 2, description: bad)
        evidence.hop = SSHHopEvidence(number: 1, count: 2, via: [bad], target: bad)
        evidence.proxy = SSHProxyEvidence(command: bad, standardError: bad)
        evidence.addresses = [SSHAddressFailure(address: bad, systemError: 111)]
        let place = SSHKnownHostsLocation(file: bad, line: 1)
        let known = SSHKnownHostKey(algorithm: bad, fingerprint: bad, location: place)
        var hostKey = SSHHostKeyEvidence(
            algorithm: bad, fingerprint: bad, verdict: .changed(presented: bad, known: [known]), policy: .strict)
        hostKey.expected = [bad]
        evidence.hostKey = hostKey
        var login = SSHAuthenticationEvidence()
        (login.methodsOffered, login.methodsRemaining, login.methodsHeld) = ([bad], [bad], [bad])
        (login.banner, login.bannerAfterAttempt, login.debugMessages, login.prompts) = (bad, bad, [bad], [bad])
        login.agentProblem = SSHAgentProblem(reason: .refused, detail: bad)
        login.keyProblems = [SSHKeyProblem(reason: .formatInvalid, path: bad, detail: bad)]
        var attempt = SSHAuthenticationAttempt(method: bad, credential: bad, outcome: .refused)
        (attempt.fingerprint, attempt.keyType, attempt.signatureAlgorithm) = (bad, bad, bad)
        attempt.certificateDefect = SSHCertificateDefect(reason: .otherPrincipals, detail: bad)
        login.attempts = [attempt]
        evidence.authentication = login
        var command = SSHCommandEvidence(command: bad)
        (command.standardErrorTail, command.standardOutputTail, command.exitStatus) = (bad, bad, 1)
        command.exitSignal = SSHExitSignal(name: bad, message: bad)
        command.progress = .accepted
        evidence.command = command
        evidence.copy = SSHCopyEvidence(resumes: true, partialFiles: [bad])
        evidence.libraryVersion = bad
        evidence.subcommand = bad
        evidence.notices = [bad]
        return evidence
    }

    static let events: [SSHEvidence.Event] = {
        let bad = hostile
        let key = SSHKeyProblem(reason: .unreadable, path: bad, detail: bad)
        let file = SSHFileProblem(.writeFailed, .remote, operation: bad, path: bad, detail: bad)
        return [
            .hostNameInvalid(problem: bad), .resolutionFailed(code: 1, name: .other, message: bad), .connectionFailed,
            .deadlinePassed(SSHDeadline(kind: .connect, seconds: 1)), .libraryFailed, .streamEnded, .identificationUnreadable,
            .hostKeyRejected, .knownHostsUnreadable(path: bad, systemError: 2), .knownHostsUnwritable(path: bad, systemError: 2),
            .keyUnusable(key),
            .agentFailed(SSHAgentProblem(reason: .refused, detail: bad)), .credentialsExhausted, .promptUnanswerable(prompt: bad),
            .channelRefused(reason: 2, description: bad), .requestRefused(.exec), .keepaliveUnanswered(count: 3), .helperEnded,
            .commandEnded, .outputLimitExceeded(stream: .standardOutput, limit: 1), .cancelled(signal: bad),
            .usage(field: bad, problem: bad), .configurationInvalid(file: bad, line: 1, problem: bad),
            .configurationRefuses(file: bad, line: 1, reason: bad),
            .proxyFailed(command: bad, exitStatus: 1, standardError: bad), .fileFailed(file), .internalFailure(problem: bad),
        ]
    }()

    /// No control or direction characters; line feeds only in texts of several lines.
    private func expectInert(_ text: String, limit: Int = 40_000, lines: Bool = false, _ what: String) {
        #expect(text.utf8.count <= limit, "\(what) has \(text.utf8.count) bytes")
        let bad = text.unicodeScalars.first { !TerminalText.isHarmless($0) || $0 == "\n" && !lines }
        #expect(bad == nil, "\(what): U+\(String(bad?.value ?? 0, radix: 16))")
    }

    /// Every string in a value, found by reflection.
    private func strings(in value: Any, _ path: String, _ body: (String, String) -> Void) {
        if let text = value as? String { return body(text, path) }
        for (index, child) in Mirror(reflecting: value).children.enumerated() {
            strings(in: child.value, "\(path).\(child.label ?? "\(index)")", body)
        }
    }

    @Test("an error of any event at any stage", arguments: events)
    func everywhere(_ event: SSHEvidence.Event) throws {
        let stages: [SSHStage] =
            switch event {
            case .deadlinePassed, .libraryFailed, .streamEnded: SSHStage.allCases
            default: [.command]
            }
        for stage in stages {
            let error = SSHFailureClassifier.classify(Self.evidence(event, stage))
            for (what, text) in [("message", error.message), ("hint", error.hint), ("title", error.title)] {
                expectInert(text, limit: 16_384, "\(what) of \(error.code)")
            }
            for text in error.alternatives + [error.cause?.message ?? ""] { expectInert(text, "alternative of \(error.code)") }
            strings(in: error.evidence, "evidence") { text, path in
                expectInert(text, limit: 70_000, lines: true, path)
            }
            let banner = TerminalBanner(width: 80, color: false, glyphs: .unicode, showsCode: true)
            expectInert(banner.render(ErrorPresentation(error, details: [])), lines: true, "banner of \(error.code)")
            var report = RunReport(host: "web1", port: 22, user: "alice", command: "make")
            report.take(error)
            let json = String(decoding: report.json.bytes, as: UTF8.self)
            expectInert(json, limit: 8 << 20, "JSON of \(error.code)")
            _ = try JSON(parsing: Data(json.utf8))
        }
    }

    @Test("every text of the evidence is covered") func noneIsMissed() {
        struct Stamp: EvidenceTexts {
            func transformPeerText(_ text: inout String, _ extent: TextExtent) { text = "seen" }
            func transformLocalText(_ text: inout String, _ extent: TextExtent) { text = "seen" }
        }
        for event in Self.events {
            var evidence = Self.evidence(event, .command)
            evidence.change(Stamp())
            strings(in: evidence, "evidence") { text, path in #expect(text == "seen", "\(path) of \(event)") }
        }
    }

    @Test("a part of an endless list is kept") func lists() {
        var evidence = SSHEvidence(event: .libraryFailed, stage: .keyExchange)
        evidence.serverAlgorithms = SSHAlgorithmLists()
        evidence.serverAlgorithms?.keyExchange = (0..<50_000).map { "kex-\($0)" }
        #expect(evidence.inert.serverAlgorithms?.keyExchange.count == TextExtent.count)
        #expect(SSHFailureClassifier.classify(evidence).evidence.serverAlgorithms?.keyExchange.count == TextExtent.count)
    }

    @Test("a diagnosis's finding") func finding() {
        let finding = SSHFinding(
            .methods, .ok, Self.hostile, advice: Self.hostile,
            details: [.init("one", .text(Self.hostile)), .init("all", .texts([Self.hostile]))])
        strings(in: finding, "finding") { text, path in expectInert(text, path) }
    }

    @Test("the cause from a command's own words") func cause() {
        let bad = "\u{1b}[31m\u{7}cat: /srv/\u{202e}x\u{9b}\u{7f}: No such file or directory"
        let cause = SSHRemoteCauseClassifier.cause(exitStatus: 1, command: "cat /srv/x", standardError: bad)
        #expect(cause?.code == "remote.file-not-found")
        strings(in: cause as Any, "cause") { text, path in expectInert(text, path) }
    }

    @Test("one line of a sentence") func oneLine() {
        expectInert(Self.hostile.oneLine(300), "one line")
        expectInert(("e" + String(repeating: "\u{301}", count: 100_000)).oneLine(300), limit: 300 * 64, "marks without end")
        #expect("a\u{200d}b".oneLine() == "a\u{200d}b")
    }
}
