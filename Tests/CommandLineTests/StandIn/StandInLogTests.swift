import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

@Suite("Passing on ssh's log") struct StandInLogTests {
    /// The part of these messages that the caller sees.
    private func shown(
        _ level: SSHLogLevel, _ pieces: [String], hostKeyNews: Bool = false, trace: ((String) -> Void)? = nil
    ) async throws -> String {
        try await ScratchDirectory.with { scratch in
            let path = try scratch.write("", to: "shown")
            let file = open(path, O_WRONLY)
            defer { close(file) }
            let log = StandInLog(
                LogRequest(level: level, knowsLogVerbose: true), showsHostKeyNews: hostKeyNews, destination: file)
            for piece in pieces { Array(piece.utf8).withUnsafeBufferPointer { log.take($0) } }
            log.finish()
            trace?(log.text)
            return try String(contentsOfFile: path, encoding: .utf8)
        }
    }

    private static let whole =
        "debug1: Local version string SSH-2.0-OpenSSH_9.2p1 Debian-2\r\nWarning: Permanently added 'x'\r\n"
        + "Authenticated to web1 ([::1]:22) using \"publickey\".\r\nConnection to web1 closed.\r\n"

    @Test("it waits until a pipe's reader has taken the verdict, and no longer than the time limit") func unreadPipe()
        async throws
    {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting.fileDescriptor
        try pipe.fileHandleForWriting.write(contentsOf: Data("verdict".utf8))
        let elapsed = ContinuousClock().measure { UnreadPipe.wait(writer, milliseconds: 20) }
        #expect(elapsed >= .milliseconds(20))
        let waiter = Task.detached { UnreadPipe.wait(writer, milliseconds: 600_000) }
        #expect(try pipe.fileHandleForReading.read(upToCount: 7)?.count == 7)
        await waiter.value
        // Not a pipe.
        UnreadPipe.wait(-1, milliseconds: 600_000)
    }

    @Test(
        "each level shows the lines that ssh would have written",
        arguments: [
            (.info, "Warning: Permanently added 'x'\r\nConnection to web1 closed.\r\n"),
            (
                .verbose,
                "Warning: Permanently added 'x'\r\nAuthenticated to web1 ([::1]:22) using \"publickey\".\r\nConnection to web1 closed.\r\n"
            ),
            (.debug1, whole), (.debug3, whole), (.error, whole), (.quiet, ""),
        ] as [(SSHLogLevel, String)])
    func levels(_ level: SSHLogLevel, _ text: String) async throws {
        #expect(try await shown(level, [Self.whole]) == text)
        // The result does not depend on how the log is cut.
        #expect(try await shown(level, Self.whole.unicodeScalars.map { String($0) }) == text)
    }

    @Test("a message of several lines is one message") func lines() async throws {
        let text = "WARNING: ED25519 key found for host web1\nin /x:1\ndebug1: not one\r\nAuthenticated to\r\n"
        #expect(try await shown(.info, [text]) == text)
        #expect(try await shown(.info, ["no end"]) == "no end")
    }

    @Test("messages that are VERBOSE in one release only") func releases() async throws {
        let closed = "kex_exchange_identification: Connection closed by remote host\r\n"
        func lead(_ release: String) -> String { "debug1: Local version string SSH-2.0-OpenSSH_\(release)\r\n" }
        #expect(try await shown(.info, [lead("9.2p1"), closed]) == closed)
        #expect(try await shown(.info, [lead("9.5p1"), closed]) == "")
        #expect(try await shown(.info, [lead("10.0p2"), closed]) == "")
        #expect(try await shown(.verbose, [lead("10.0p2"), closed]) == closed)
    }

    @Test(
        "the remote command's status, from ssh's last message about it",
        arguments: [
            (["debug1: Exit status 255\r\n"], 255), (["debug1: Exit status 3\r\n", "debug1: Exit status -1\r\n"], nil),
            (["debug2: mux.c:mux_client_request_session():2048 (pid=5): Received exit status from master 255\r\n"], 255),
            // A message of an ssh that carries the connection, such as one for a jump host.
            (["\u{1}debug1: Exit status 255\r\n"], nil), (["Connection closed by 192.0.2.1 port 22\r\n"], nil),
        ] as [([String], Int?)])
    func remoteStatus(_ messages: [String], _ status: Int?) {
        let log = StandInLog(LogRequest(level: .quiet, knowsLogVerbose: true), showsHostKeyNews: false, destination: -1)
        for message in messages { Array(message.utf8).withUnsafeBufferPointer { log.take($0) } }
        #expect(log.remoteStatus == status)
    }

    @Test("messages about host keys that a person is asked about") func news() async throws {
        let news = "The server has updated its host keys.\r\nLearned new hostkey: RSA SHA256:x\r\n"
        #expect(try await shown(.info, [news]) == "")
        #expect(try await shown(.info, [news], hostKeyNews: true) == news)
    }

    @Test(
        "additions of LogVerbose to a message are not in the trace",
        arguments: [
            ("debug1: ssh.c:main():1747 (pid=5): Exit status 3", "debug1: Exit status 3"),
            ("debug1: ssh.c:main():1747 (bin=ssh, pid=5): Exit status 3", "debug1: Exit status 3"),
            (
                "kex.c:kex_exchange_identification():1300 (pid=1): read: Connection reset by peer",
                "kex_exchange_identification: read: Connection reset by peer"
            ),
            ("Permission denied (publickey).", "Permission denied (publickey)."),
            ("a.c: nothing", "a.c: nothing"),
        ])
    func tags(_ line: String, _ text: String) { #expect(LogRequest.withoutTag(line) == text) }

    @Test("messages added by LogVerbose are not shown to the caller") func forced() async throws {
        let status = "debug2: mux.c:mux_client_request_session():2048 (pid=5): Received exit status from master 3\r\n"
        let refused = "mux.c:mux_client_request_session():1971 (pid=5): session request failed: no\r\n"
        let master = "mux.c:mux_client_request_session():1965 (pid=5): Master refused session request: no\r\n"
        let shown = "mux_client_request_session: session request failed: no\r\nMaster refused session request: no\r\n"
        for level in [SSHLogLevel.info, .verbose, .debug1] {
            #expect(try await self.shown(level, [status, refused, master]) == shown)
        }
        #expect(try await self.shown(.debug2, [status]) == "debug2: Received exit status from master 3\r\n")
    }

    @Test("a long trace keeps its beginning and its end, and is bounded") func bounded() async throws {
        let line = String(repeating: "x", count: 1000)
        let pieces = ["debug1: first\r\n"] + (0..<2000).map { _ in "debug1: \(line)\r\n" } + ["debug1: last\r\n"]
        let seen = try await shown(.info, pieces) { text in
            #expect(text.hasPrefix("debug1: first\r\n") && text.hasSuffix("debug1: last\r\n"))
            #expect(text.utf8.count < 1 << 20)
        }
        #expect(seen == "")
    }

    @Test("messages of a bridge-ssh behind a jump host appear only in the trace") func carried() async throws {
        let seen = try await shown(.debug1, ["\u{1}debug1: of the jump host\r\nours\r\n"]) { text in
            #expect(text == "debug1: of the jump host\r\nours\r\n")
        }
        #expect(seen == "ours\r\n")
    }

    @Test("the level is never raised from below INFO") func request() {
        #expect(LogRequest(level: .info, knowsLogVerbose: false).options == ["-o", "LogLevel=DEBUG1"])
        #expect(LogRequest(level: .debug3, knowsLogVerbose: false).options == ["-o", "LogLevel=DEBUG3"])
        #expect(LogRequest(level: .info, knowsLogVerbose: true).options.count == 4)
        #expect(LogRequest(level: .error, knowsLogVerbose: true).options == [])
        #expect(LogRequest(level: .quiet, knowsLogVerbose: false).options == [])
        #expect(LogRequest(level: .quiet, knowsLogVerbose: true).options.first == "-o")
    }
}

@Suite("The environment of a stand-in") struct StandInSettingsTests {
    @Test("values") func values() {
        let settings = StandInSettings {
            ["BRIDGE_SSH_VERDICT": "off", "BRIDGE_SSH_STATUS": "codes", "BRIDGE_SSH_RETRIES": "3"][$0]
        }
        #expect(settings.failureForm == .off && settings.ownStatuses && settings.retries == 3 && settings.problems.isEmpty)
        let wrong = StandInSettings { _ in "nonsense" }
        #expect(wrong.failureForm == nil && !wrong.ownStatuses && wrong.retries == 0 && wrong.problems.count == 3)
        #expect(StandInSettings { _ in nil }.problems.isEmpty)
    }
}

@Suite("The object of a stand-in's call") struct StandInReportTests {
    @Test("it does not show a password of the command") func secrets() async throws {
        let report = StandInReport(
            destination: "web1", command: "mysqldump -u root --password=hunter2 shop", exitStatus: 2, ending: .remote)
        try await ScratchDirectory.with { scratch in
            #expect(report.append(to: scratch.path("verdict")) == nil)
            let text = try String(contentsOf: scratch.url.appendingPathComponent("verdict"), encoding: .utf8)
            #expect(text.contains("mysqldump") && !text.contains("hunter2"), "\(text)")
        }
    }
}
