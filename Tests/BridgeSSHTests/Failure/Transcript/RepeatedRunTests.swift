import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTranscripts

/// A line is not read again if it follows the same lines as before.
@Suite("Runs that write the same lines again")
struct RepeatedRunTests {
    private func failures(_ text: String, remembering steps: Int) -> [String] {
        var found: [String] = []
        let note = { (failure: LoggedFailure) in
            let parts = [failure.error.code.rawValue, failure.error.message, failure.host, failure.client ?? "-", failure.source]
            found.append(parts.joined(separator: "|") + " " + String(decoding: failure.errorJSON.bytes, as: UTF8.self))
        }
        var log = SSHTranscriptLog(LogClock(now: LogTime(seconds: 4_102_444_800), offset: 0), KnownRuns(maximumSteps: steps))
        Array(text.utf8).withUnsafeBufferPointer { log.take($0, note) }
        log.finish(note)
        return found
    }

    @Test("the failures are the same as if every line were read each time")
    func same() {
        let chosen = TestExtent.cases(of: WildTranscript.all, oneOf: 14)
        // The texts are written in alternating order, so that at its second occurrence a line often follows other
        // lines.
        for (one, other) in zip(chosen, chosen.dropFirst()) {
            let text = one.text + other.text + one.text + other.text + other.text
            let all = failures(text, remembering: 0)
            #expect(failures(text, remembering: 512) == all, "\(one.testDescription), \(other.testDescription)")
            #expect(failures(text, remembering: 3) == all, "\(one.testDescription), \(other.testDescription)")
        }
    }

    @Test("a repeated failure is reported each time")
    func each() {
        let run = "ssh: connect to host web1 port 22: Connection refused\nHost key verification failed.\n"
        #expect(failures(String(repeating: run, count: 1000), remembering: 512).count == 2000)
    }
}
