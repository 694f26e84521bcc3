import BridgeSSH
import ErrorCore
import Foundation
import Logging
import SSHTestSupport
import Testing

@testable import SSHCommandLine
@testable import SSHRun

@Suite struct RecordTests {
    @Test("an older run's status file is removed at the start, and nothing else is left")
    func oldStatus() async throws {
        try await ScratchDirectory.with { scratch in
            try scratch.write("old", to: "status")
            _ = try StatusFile(scratch.path("status"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
        }
    }

    @Test("a log line is one object without secrets") func aLineIsOneObjectWithoutSecrets() throws {
        let facts: Logger.Metadata = [
            "ssh_command": "mysql --password=hunter2 and then a rather long rest of the command",
            "attempts": .stringConvertible(2),
            "elapsed_seconds": .stringConvertible(0.25), "level": "mine", "token": "abc", "causes": ["a", "b"],
        ]
        let line = JSONLinesLog.line(
            level: .notice, message: "two\nlines with PASSWORD=hunter2", facts, at: Date(timeIntervalSince1970: 0.5))
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object["time"] as? String == "1970-01-01T00:00:00.500Z")
        #expect(object["level"] as? String == "notice")
        #expect(object["attempts"] as? Int == 2)
        #expect(object["elapsed_seconds"] as? Double == 0.25)
        #expect((object["ssh_command"] as? String)?.count == 50)
        #expect(object["causes"] as? [String] == ["a", "b"])
        #expect(!String(decoding: line, as: UTF8.self).contains("hunter2"))
        #expect(!String(decoding: line, as: UTF8.self).contains("abc"))
    }

    @Test("hidden characters are escaped") func hiddenCharactersAreEscaped() throws {
        let bad = "\u{1b}[31m\u{7f}\u{85}\u{202e}\u{2028}\u{feff}"
        let line = JSONLinesLog.line(level: .notice, message: bad, ["fact": .string(bad)], at: Date())
        #expect(line.dropLast().allSatisfy { (0x20...0x7E).contains($0) })
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object["message"] as? String == bad && object["fact"] as? String == bad)
    }

    @Test("invalid retry counts", arguments: ["-1", "1.5", "1001", "", "x", "+1", " 1"])
    func noRetryCount(_ text: String) {
        #expect(RetryCount(argument: text) == nil)
    }

    @Test("retries are attempts after the first") func retriesAreAttemptsAfterTheFirst() throws {
        let plain = try plan("web1", "true")
        #expect(plain.retry == RetryPlan(retries: 0, isIdempotent: false))
        let eager = try plan("--retries", "4", "--idempotent", "web1", "true")
        #expect(eager.retry.policy { true }.maxAttempts == 5)
        #expect(eager.retry.policy { true }.isIdempotent)
        let lost = AppError.networkUnavailable
        #expect(eager.retry.policy { true }.allowsRetry(after: lost))
        #expect(!eager.retry.policy { false }.allowsRetry(after: lost))
    }

    @Test(
        "a wait never seems shorter than it is",
        arguments: [(0.0, "0.0"), (0.01, "0.1"), (15, "15.0"), (0.25, "0.3"), (29.96, "30.0")])
    func aWaitNeverSeemsShorterThanItIs(_ seconds: Double, _ text: String) {
        #expect(Run.text(seconds) == text)
    }
}
