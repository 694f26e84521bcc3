import SSHTestSupport
import Testing

@Suite struct TranscriptTests {
    @Test("a text is found in any pieces", arguments: 1...7) func findsATextHoweverItArrives(_ size: Int) async throws {
        let bytes = Array("xxabababc--abababc".utf8)
        let transcript = Transcript()
        async let first = transcript.wait(for: "ababc")
        async let second = transcript.wait(for: "ababc", after: 9)
        for start in stride(from: 0, to: bytes.count, by: size) {
            transcript.append(bytes[start..<min(start + size, bytes.count)])
            await Task.yield()
        }
        // End the transcript, so that a missed text is an error and not an endless wait.
        #expect(try await transcript.wait(for: "xx") == 2)
        transcript.finish()
        #expect(try await first == 9)
        #expect(try await second == 18)
    }

    @Test("a transcript keeps the first bytes and counts all") func keepsTheFirstBytesAndCountsAll() {
        let transcript = Transcript(keeping: 5)
        for part in ["abc", "def", "ghi"] { transcript.append(Array(part.utf8)) }
        #expect(transcript.text == "abcde")
        #expect(transcript.byteCount == 9)
    }

    @Test("the end resumes waiters") func endResumesWaiters() async throws {
        let transcript = Transcript()
        transcript.append(Array("some".utf8))
        let waiting = Task { try await transcript.wait(for: "more") }
        transcript.finish()
        await #expect(throws: Transcript.Ended.self) { try await waiting.value }
        #expect(try await transcript.wait(for: "some") == 4)
    }

    @Test("a cancelled wait stops") func stopsWaitingWhenCancelled() async throws {
        let transcript = Transcript()
        let waiting = Task { try await transcript.wait(for: "never") }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
