import BridgeSSH
import Foundation
import Testing

/// Logs of OpenSSH 10.0 (Debian 13) at level DEBUG1, as recorded: against an sshd 9.2, and without a server.
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

    @Test("which side ended the connection, and whether a session was requested", arguments: rows)
    func trace(_ row: (name: String, status: Int, code: String, remoteStatus: Int?, mayHaveSession: Bool)) throws {
        let text = try Self.text(row.name)
        #expect(text.hasPrefix("debug1: OpenSSH_10.0"))
        let trace = SSHTrace(SSHTranscript(standardError: text, exitStatus: row.status, command: "ssh -v host true"))
        #expect(trace.error?.code.rawValue == row.code && trace.error?.confidence == .exact, "\(trace.error?.message ?? "")")
        #expect(trace.remoteStatus == row.remoteStatus)
        #expect(trace.mayHaveSession == row.mayHaveSession)
    }

    @Test(
        "the kernel may have killed an ssh; another signal is a person's", arguments: [(130, true), (137, false), (143, true)])
    func signals(status: Int, isCertain: Bool) throws {
        let text = try Self.text("exit-3").split(separator: "\n").prefix { !$0.contains("Exit status") }.joined(separator: "\n")
        let error = SSHTrace(SSHTranscript(standardError: text, exitStatus: status, command: "ssh -v host true")).error
        #expect(error?.code == .localCancelled && error?.confidence == (isCertain ? .exact : .likely))
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

    @Test("the details of a connection, each from its line") func details() throws {
        var details = SSHTraceDetails()
        let proposal = [
            "debug2: peer server KEXINIT proposal", "debug2: KEX algorithms: curve25519-sha256,kex-strict-s-v00@openssh.com",
            "debug2: host key algorithms: ssh-ed25519", "debug2: ciphers ctos: aes128-ctr", "debug2: ciphers stoc: aes256-ctr",
            "debug2: MACs ctos: hmac-sha1", "debug2: MACs stoc: hmac-md5", "debug2: compression ctos: none",
            "debug2: compression stoc: none,zlib@openssh.com", "debug2: languages ctos: ",
        ]
        var seconds = 0.0
        for line in try Self.text("exit-3").split(separator: "\n").map(String.init) + proposal {
            seconds += 1
            details.take(line + "\r\n", at: seconds)
        }
        #expect(details.connects.count == 1 && details.connects.first?.result == .open)
        #expect(details.identification?.hasPrefix("SSH-2.0-OpenSSH_9.2") == true)
        #expect(details.hostKey?.type == "ssh-ed25519" && details.hostKey?.fingerprint.hasPrefix("SHA256:") == true)
        #expect(details.knownAt != nil && !details.isNewHostKey)
        let chosen = try #require(details.chosenAlgorithms)
        #expect(!chosen.keyExchange.isEmpty && !chosen.cipherToServer.isEmpty && chosen.macToServer == nil)
        #expect(details.acceptedMethod == "publickey" && details.commandSentAt != nil)
        #expect(details.keys.contains { $0.fingerprint != nil && !$0.label.isEmpty })
        let offer = try #require(details.serverAlgorithms)
        #expect(offer.keyExchange.count == 2 && offer.cipherToServer == ["aes128-ctr"] && offer.macToClient == ["hmac-md5"])
        #expect(offer.compressionToClient == ["none", "zlib@openssh.com"])
    }

    @Test("addresses that refuse, and one that does not answer") func addresses() {
        var details = SSHTraceDetails()
        let lines = [
            "debug1: Connecting to web1 [2001:db8::1] port 22.",
            "debug1: connect to address 2001:db8::1 port 22: Connection refused",
            "debug1: Connecting to web1 [192.0.2.1] port 22.",
        ]
        for (second, line) in lines.enumerated() { details.take(line + "\r\n", at: Double(second)) }
        details.end(at: 7)
        #expect(
            details.connects == [
                AddressOutcome(address: "[2001:db8::1]:22", result: .failed(systemError: ECONNREFUSED), seconds: 1),
                AddressOutcome(address: "192.0.2.1:22", result: .unanswered, seconds: 5),
            ])
    }

    @Test("a deadline is judged by the stage reached in the log") func deadline() throws {
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
