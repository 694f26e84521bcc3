import BridgeSSH
import Testing

@testable import SSHTransport

@Suite("The record of authentication") struct AuthenticationRecordTests {
    private static let attempt = SSHAuthenticationAttempt(method: "password", credential: "password", outcome: .unanswered)

    @Test("a refusal belongs to the offered credential, not to a later one") func refusal() {
        var record = AuthenticationRecord()
        record.offer()
        record.refused(methods: ["publickey"], partialSuccess: true)
        #expect(record.answer == .failure(methods: ["publickey"], partialSuccess: true))
        record.offer()
        #expect(record.answer == nil)
    }

    @Test(
        "the outcome of each answer",
        arguments: [
            (AuthenticationAnswer.success, true, SSHAuthenticationAttempt.Outcome.accepted),
            (.failure(methods: nil, partialSuccess: false), true, .refused),
            (.failure(methods: nil, partialSuccess: false), false, .unusable),
            (.failure(methods: ["password"], partialSuccess: true), true, .partial),
            (.passwordChangeRequired, true, .refused), (.noSignature, true, .unusable),
        ])
    func outcome(answer: AuthenticationAnswer, wasAsked: Bool, expected: SSHAuthenticationAttempt.Outcome) {
        var record = AuthenticationRecord()
        let number = record.begin(Self.attempt)
        #expect(record.awaitsAnswer)
        record.finish(number, answer, keyAccepted: false, algorithm: nil, said: [], wasAsked: wasAsked)
        #expect(record.evidence.attempts.map(\.outcome) == [expected])
        #expect(!record.awaitsAnswer)
        #expect(record.evidence.passwordChangeRequested == (answer == .passwordChangeRequired))
        #expect(record.evidence.partialSuccess == (expected == .partial))
    }

    @Test("a banner belongs to the current attempt and has a limit") func banner() {
        var record = AuthenticationRecord()
        record.banner("before ")
        #expect(record.evidence.bannerAfterAttempt == nil)
        _ = record.begin(Self.attempt)
        record.banner(String(repeating: "x", count: 5000))
        #expect(record.evidence.banner?.count == 4096)
        #expect(record.evidence.bannerAfterAttempt?.count == 4096)
        _ = record.begin(Self.attempt)
        #expect(record.evidence.bannerAfterAttempt == nil)
    }

    @Test("an authentication that has not begun has no record") func nothing() {
        var evidence = SSHEvidence(event: .streamEnded, stage: .keyExchange)
        AuthenticationRecord().describe(&evidence, debugMessages: [])
        #expect(evidence.authentication == nil)
        AuthenticationRecord().describe(&evidence, debugMessages: ["a remark"])
        #expect(evidence.authentication?.debugMessages == ["a remark"])
    }
}
