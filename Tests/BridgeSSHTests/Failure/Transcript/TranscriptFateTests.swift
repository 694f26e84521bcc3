import BridgeSSH
import Testing

@Suite("Whether the command ran, from other clients' messages")
struct TranscriptFateTests {
    @Test(
        "a connection lost after the login leaves the command's fate unknown",
        arguments: [
            ("Timeout, server web1 not responding.\r\n", 255),
            ("Timeout, server web1 not responding.\r\nclient_loop: send disconnect: Broken pipe\r\n", 255),
            ("client_loop: send disconnect: Broken pipe\r\n", 255),
            ("Connection to web1 closed by remote host.\r\n", 255),
            ("asyncssh.misc.ConnectionLost: Server not responding to keepalive\n", 1),
            ("", 130), ("", 143),
        ])
    func open(_ words: String, _ status: Int) throws {
        let verdict = try #require(SSHTranscriptClassifier.classify(SSHTranscript(standardError: words, exitStatus: status)))
        #expect(verdict.commandMayHaveRun != .no, "\(verdict.code): \(verdict.message)")
        #expect(!"\(verdict.message) \(verdict.hint)".contains("did not run"))
        #expect(!verdict.message.contains("in a row"), "ssh does not say how many keepalives it sent")
    }

    @Test("a time limit that the client does not name is not named")
    func time() throws {
        let words = #"""
            fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: ssh: connect to host \#
            web1 port 22: Connection timed out", "unreachable": true}
            """#
        for (words, status) in [(words, 4), ("ssh: connect to host web1 port 22: Connection timed out\r\n", 255)] {
            let verdict = try #require(SSHTranscriptClassifier.classify(SSHTranscript(standardError: words, exitStatus: status)))
            #expect(verdict.code == .connectTimedOut)
            #expect(!verdict.message.contains("0 seconds"), "\(verdict.message)")
        }
    }
}
