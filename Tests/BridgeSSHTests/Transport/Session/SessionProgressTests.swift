import BridgeSSH
import Testing

@testable import SSHTransport

@Suite("Progress of a session") struct SessionProgressTests {
    @Test("the first fault counts, with the stage in which it came") func firstFault() {
        var progress = SessionProgress()
        _ = progress.enter(.keyExchange)
        let first = progress.end(with: Fault(.streamEnded))
        _ = progress.enter(.authentication)
        let second = progress.end(with: .cancelled)
        #expect(first?.stage == .keyExchange)
        #expect(second == nil)
        #expect(progress.fault == Fault(.streamEnded, stage: .keyExchange))
        #expect(progress.isDead)
    }

    @Test("a fault keeps its own stage") func ownStage() {
        var progress = SessionProgress()
        let fault = progress.end(with: Fault(.streamEnded, stage: .connect))
        #expect(fault?.stage == .connect)
    }

    @Test("the user is authenticated once") func authentication() {
        var progress = SessionProgress()
        let answers = [SSHStage.keyExchange, .authentication, .channel, .session, .channel].map { progress.enter($0) }
        #expect(answers == [false, false, true, false, false])
        #expect(progress.isAuthenticated)
    }

    @Test("the results of the key exchange are in the evidence") func facts() {
        var facts = SessionObservations()
        var evidence = SSHEvidence(event: .libraryFailed, stage: .keyExchange)
        facts.describe(&evidence, awaitsAnswer: false)
        #expect(evidence.hostKeyReceived == false)
        #expect(evidence.awaitedSeconds == nil)
        facts.keyExchangeFailed(hostKeyCame: true)
        facts.describe(&evidence, awaitsAnswer: true)
        #expect(evidence.hostKeyReceived)
        #expect(evidence.awaitedSeconds != nil)
    }
}
