import BridgeSSH
import Foundation
import Testing

/// A large value behind a reference behaves like the value itself.
@Suite struct BoxedTests {
    private var evidence: SSHEvidence {
        var evidence = SSHEvidence(event: .commandEnded, stage: .command, host: "web1", user: "alice")
        evidence.command = SSHCommandEvidence(command: "false")
        evidence.command?.exitStatus = 1
        return evidence
    }

    private func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test("an error is written with its evidence and read again") func anErrorIsWrittenWithItsEvidenceAndReadAgain() throws {
        let error = SSHFailureClassifier.classify(evidence)
        let written = try object(error)
        #expect(written["seen"] == nil)
        #expect((written["evidence"] as? [String: Any])?["host"] as? String == "web1")
        let read = try JSONDecoder().decode(SSHError.self, from: JSONEncoder().encode(error))
        #expect(read == error)
        #expect(read.hashValue == error.hashValue)
        #expect(read.evidence == evidence)
    }

    @Test("a result is written with its origin and read again") func aResultIsWrittenWithItsOriginAndReadAgain() throws {
        for origin in [evidence, nil] {
            let result = SSHCommandResult(
                command: "false", termination: .exited(1), standardOutput: [1], standardError: [2], durationSeconds: 1,
                origin: origin)
            let written = try object(result)
            #expect(written["seen"] == nil)
            #expect((written["origin"] as? [String: Any])?["host"] as? String == origin?.host)
            let read = try JSONDecoder().decode(SSHCommandResult.self, from: JSONEncoder().encode(result))
            #expect(read == result)
            #expect(read.origin == origin)
        }
    }

    @Test("different values are not equal") func whatDiffersIsNotEqual() {
        var other = evidence
        other.notices = ["another"]
        #expect(Boxed(evidence) == Boxed(evidence))
        #expect(Boxed(evidence) != Boxed(other))
        #expect(Set([Boxed(evidence), Boxed(evidence), Boxed(other)]).count == 2)
    }

    /// Every function that may throw an error reserves space for several in its frame.
    @Test("an error is small") func anErrorIsSmall() {
        #expect(MemoryLayout<SSHError>.size * 3 < MemoryLayout<SSHEvidence>.size)
        #expect(MemoryLayout<SSHCommandResult>.size * 3 < MemoryLayout<SSHEvidence>.size)
        #expect(MemoryLayout<SSHCommandOutcome<Int>>.size * 3 < MemoryLayout<SSHEvidence>.size)
    }
}
