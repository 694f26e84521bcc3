import BridgeSSH
import ErrorCore
import Testing

@Suite("Transcripts of git")
struct GitTranscriptTests {
    @Test("a clone whose ssh failed reports both: the failed program and the failed clone") func clone() throws {
        let text =
            "Cloning into 'site'...\nssh: connect to host web1 port 22: Connection refused\nfatal: Could not read from remote repository.\n"
        for command in ["", "git clone git@web1:site"] {
            let verdict = try #require(
                SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 128, command: command)))
            #expect(verdict.code == .connectRefused && verdict.confidence == .likely)
            guard case .projectCloneFailed(_, let reason)? = verdict.cause?.appError else {
                Issue.record("\(String(describing: verdict.cause))")
                continue
            }
            #expect(reason == "Could not read from remote repository.")
            #expect(verdict.alternatives.contains { $0.contains("hook") })
        }
    }

    @Test(
        "a connection that ends while git reads a pack is lost after the login",
        arguments: [
            "FATAL ERROR: Server unexpectedly closed network connection\nfatal: early EOF\nfatal: index-pack failed\n",
            "Connection closed by 192.0.2.1 port 22\nfatal: early EOF\nfatal: index-pack failed\n",
            "Connection reset by 192.0.2.1 port 22\nfetch-pack: unexpected disconnect while reading sideband packet\n",
        ])
    func cut(text: String) {
        let verdict = SSHTranscriptClassifier.classify(
            SSHTranscript(standardError: text, exitStatus: 128, command: "git clone git@web1:site"))
        #expect(verdict?.code == .sessionConnectionLost && verdict?.confidence == .guess)
        // Without SSH's own words git may have used another protocol.
        let git = "fatal: early EOF\nfatal: index-pack failed\n"
        #expect(SSHTranscriptLog().failures(in: git).isEmpty)
    }

    @Test("a fetch is not a clone") func fetch() {
        let text = "ssh: connect to host web1 port 22: Connection refused\nfatal: Could not read from remote repository.\n"
        let verdict = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 128))
        #expect(verdict?.code == .connectRefused && verdict?.cause == nil)
    }

    @Test(
        "a repository that a remote script could not reach is a failed clone with its reason",
        arguments: [(1, "./deploy"), (128, "")])
    func overHTTPS(_ status: Int, _ command: String) throws {
        let text =
            "Cloning into 'x'...\nfatal: unable to access 'https://u:secret@git.example/x.git/': Could not resolve host: git.example\n"
        let cause = try #require(SSHRemoteCauseClassifier.cause(exitStatus: status, command: command, standardError: text))
        guard case .projectCloneFailed(let url, let reason) = cause.appError else {
            Issue.record("\(cause)")
            return
        }
        #expect(url == "https://***@git.example/x.git/" && !reason.contains("secret"))
        #expect(cause.confidence == .likely && cause.reason?.appError == .dnsError(host: "git.example"))
    }

    @Test(
        "the status of a local program whose output does not mention SSH",
        arguments: [
            ("git push", 128, "ERROR: Repository not found.\nfatal: Could not read from remote repository.\n"),
            ("git fetch", 1, "fatal: unable to access 'https://git.example/a.git/': The requested URL returned error: 403\n"),
            ("rsync -a x web1:", 12, "rsync error: error in rsync protocol data stream (code 12) at io.c(228) [sender=3.2.7]\n"),
            ("rsync -a x web1:", 30, ""),
        ])
    func ofAProgramHere(_ command: String, _ status: Int, _ text: String) throws {
        let transcript = SSHTranscript(standardError: text, exitStatus: status, command: command)
        let verdict = try #require(SSHTranscriptClassifier.classify(transcript))
        let program = command.prefix { $0 != " " }
        #expect(verdict.code == .commandExitNonzero && verdict.confidence == .guess && verdict.cause == nil)
        #expect(
            verdict.message.hasPrefix("\(program) ended with status \(status), and reported no known failure of SSH."))
        #expect(!verdict.hint.contains("on the server"))
    }

    @Test("a signal that ended ssh, and one that ended the ssh of a proxy") func signals() throws {
        func verdict(_ text: String) -> SSHError? {
            SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255, command: "ssh web1 sleep 9"))
        }
        let interrupted = try #require(verdict("Killed by signal 2.\r\n"))
        #expect(interrupted.code == .localCancelled && interrupted.confidence == .likely)
        #expect(interrupted.message.contains("SIGINT") && interrupted.commandMayHaveRun == .unknown)
        #expect(verdict("Killed by signal 1.\r\n")?.code == .commandExitNonzero)
        #expect(verdict("Killed by signal 2.\nssh: connect to host web1 port 22: Connection refused\n")?.code == .connectRefused)
    }
}
