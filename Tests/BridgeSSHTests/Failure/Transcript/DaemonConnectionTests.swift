import BridgeSSH
import Testing

@testable import SSHTranscripts

/// sshd's log as `journalctl -o cat` shows it: the client's address and port distinguish the connections.
@Suite("sshd's log without the names of processes")
struct DaemonConnectionTests {
    /// The lines of one connection from `{host} port {port}`, and its failure; nil if it succeeds.
    private static let connections: [(lines: [String], code: String?)] = [
        (
            [
                "Failed password for root from {peer} ssh2", "Connection closed by authenticating user root {peer} [preauth]",
            ], "ssh.auth.password-rejected"
        ),
        (
            [
                "Invalid user admin from {peer}", "Failed password for invalid user admin from {peer} ssh2",
                "Connection closed by invalid user admin {peer} [preauth]",
            ], "ssh.auth.password-rejected"
        ),
        (
            [
                "Accepted publickey for alice from {peer} ssh2: ED25519 SHA256:x",
                "pam_unix(sshd:session): session opened for user alice(uid=1000) by (uid=0)",
                "Received disconnect from {peer}:11: disconnected by user", "Disconnected from user alice {peer}",
                "pam_unix(sshd:session): session closed for user alice",
            ], nil
        ),
        (
            [
                "userauth_pubkey: key type ssh-rsa not in PubkeyAcceptedAlgorithms [preauth]",
                "Connection closed by authenticating user alice {peer} [preauth]",
            ], "ssh.auth.rsa-sha1-rejected"
        ),
        (["banner exchange: Connection from {peer}: invalid format"], "ssh.banner.not-ssh"),
        (
            [
                "error: maximum authentication attempts exceeded for root from {peer} ssh2 [preauth]",
                "Disconnecting authenticating user root {peer}: Too many authentication failures [preauth]",
            ], "ssh.auth.too-many-attempts"
        ),
        (
            [
                "User bob from 192.0.2.9 not allowed because not listed in AllowUsers",
                "Connection closed by invalid user bob {peer} [preauth]",
            ], "ssh.auth.account-denied"
        ),
        (
            [
                "Authentication refused: bad ownership or modes for directory /home/alice",
                "Connection closed by authenticating user alice {peer} [preauth]",
            ], "ssh.auth.key-rejected"
        ),
        (["fatal: Timeout before authentication for {peer}"], "ssh.auth.timed-out"),
        (["Connection reset by authenticating user alice {peer} [preauth]"], "ssh.auth.connection-dropped"),
        (["Did not receive identification string from {peer}"], "ssh.banner.closed"),
    ]

    private func codes(_ lines: [String]) -> [String] {
        var log = SSHTranscriptLog()
        var found: [String] = []
        let note = { (failure: LoggedFailure) in
            #expect(failure.source.isEmpty)
            found.append(failure.error.code.rawValue)
        }
        for line in lines { Array(line.utf8).withUnsafeBufferPointer { log.take($0, note) } }
        log.finish(note)
        return found
    }

    private func lines(of connection: Int, _ port: Int) -> [String] {
        Self.connections[connection].lines.map { $0.replacing("{peer}", with: "192.0.2.9 port \(port)") }
    }

    @Test("three connections, one after the other", arguments: Array(connections.indices))
    func sequence(_ first: Int) {
        for second in Self.connections.indices {
            for third in Self.connections.indices {
                let order = [first, second, third]
                let text = order.enumerated().flatMap { lines(of: $1, 51000 + $0) }
                #expect(codes(text).sorted() == order.compactMap { Self.connections[$0].code }.sorted(), "\(order)")
            }
        }
    }

    @Test("connections at the same time, whose lines all name the client")
    func mixed() {
        let (one, other) = (lines(of: 0, 51000), lines(of: 1, 51001))
        let text = [other[0], one[0], other[1], one[1], other[2]]
        #expect(codes(text).sorted() == ["ssh.auth.password-rejected", "ssh.auth.password-rejected"])
    }

    /// The codes in a log that names the processes. Each element has the number of the process and its lines.
    private func codes(ofProcesses processes: [(Int, [String])]) -> [String] {
        let lines = processes.flatMap { number, lines in lines.map { "Jan  5 09:00:01 web1 sshd[\(number)]: \($0)" } }
        return SSHTranscriptLog().failures(in: lines.joined(separator: "\n")).map(\.error.code.rawValue)
    }

    @Test("a log with the newest line first tells why a connection ended, and tells it once", arguments: [0, 1, 3, 6, 7])
    func newestFirst(_ index: Int) {
        let connection = Self.connections[index]
        let lines = Array(lines(of: index, 51000).reversed())
        #expect(codes(ofProcesses: [(411, lines)]) == [connection.code])
        #expect(codes(ofProcesses: [(411, lines), (410, lines)]) == [connection.code, connection.code])
    }

    @Test("a connection of which the log has only the end is reported once, before the next process")
    func onlyTheEnd() {
        let end = lines(of: 0, 51000)[1]
        let dropped = "ssh.auth.connection-dropped"
        #expect(codes(ofProcesses: [(411, [end])]) == [dropped])
        #expect(codes(ofProcesses: [(411, [end]), (412, lines(of: 4, 51001))]) == [dropped, "ssh.banner.not-ssh"])
        // A line that gives no reason changes nothing.
        #expect(codes(ofProcesses: [(411, [end, "Connection from 192.0.2.9 port 51000 on 192.0.2.1 port 22"])]) == [dropped])
    }

    @Test("ssh's own messages about its server are another run's")
    func client() {
        var connections = DaemonConnections()
        #expect(connections.connection(of: "Connection closed by 192.0.2.1 port 22") { _ in false } == nil)
        #expect(connections.connection(of: "Failed password for root from 192.0.2.9 port 51000 ssh2") { _ in false } != nil)
    }
}
