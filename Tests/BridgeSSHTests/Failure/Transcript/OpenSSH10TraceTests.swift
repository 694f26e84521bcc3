import BridgeSSH
import Foundation
import Testing

/// Logs of OpenSSH 10.0 (Debian 13) at level DEBUG1, as they were recorded: against an sshd 9.2, and against nothing.
@Suite("Traces of OpenSSH 10.0") struct OpenSSH10TraceTests {
    private static let rows: [(name: String, status: Int, code: String, remoteStatus: Int?, mayHaveSession: Bool)] = [
        ("exit-3", 3, "ssh.command.exit-nonzero", 3, true),
        ("exit-255", 255, "ssh.command.exit-nonzero", 255, true),
        ("killed", 255, "ssh.command.killed-by-signal", nil, true),
        ("rejected", 255, "ssh.auth.key-rejected", nil, false),
        ("unknown", 255, "ssh.host-key.unknown", nil, false),
        ("refused", 255, "ssh.connect.refused", nil, false),
    ]

    private static func text(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Recorded/OpenSSH10")
        return try String(contentsOf: folder.appendingPathComponent("\(name).txt"), encoding: .utf8)
    }

    @Test("whose end it was, and whether a session was asked for", arguments: rows)
    func trace(_ row: (name: String, status: Int, code: String, remoteStatus: Int?, mayHaveSession: Bool)) throws {
        let text = try Self.text(row.name)
        #expect(text.hasPrefix("debug1: OpenSSH_10.0"))
        let trace = SSHTrace(SSHTranscript(standardError: text, exitStatus: row.status, command: "ssh -v host true"))
        #expect(trace.error?.code.rawValue == row.code && trace.error?.confidence == .exact, "\(trace.error?.message ?? "")")
        #expect(trace.remoteStatus == row.remoteStatus)
        #expect(trace.mayHaveSession == row.mayHaveSession)
    }

    @Test("stages follow the log line by line") func progress() throws {
        var progress = SSHTraceProgress()
        var stages: [SSHStage] = [progress.stage]
        for line in try Self.text("exit-3").split(separator: "\n") {
            progress.take(line + "\r\n")
            if stages.last != progress.stage { stages.append(progress.stage) }
        }
        #expect(stages == [.resolve, .connect, .banner, .keyExchange, .authentication, .channel, .command])
        #expect(progress.isAuthenticated && progress.isSent)
    }

    @Test("a deadline is judged by the stage that the log has reached") func deadline() throws {
        let lines = try Self.text("exit-3").split(separator: "\n")
        let ends: [(String, String)] = [
            ("debug1: Connecting to", "ssh.connect.timed-out"), ("debug1: Local version", "ssh.banner.timed-out"),
            ("debug1: SSH2_MSG_KEXINIT sent", "ssh.kex.timed-out"), ("debug1: Will attempt key", "ssh.auth.timed-out"),
        ]
        for (last, code) in ends {
            var progress = SSHTraceProgress()
            for line in lines {
                progress.take(line + "\r\n")
                if line.hasPrefix(last) { break }
            }
            #expect(progress.passed(SSHDeadline(kind: .connect, seconds: 15)).code.rawValue == code)
        }
    }
}
