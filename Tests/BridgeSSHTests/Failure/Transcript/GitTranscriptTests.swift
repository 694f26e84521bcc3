import BridgeSSH
import ErrorCore
import Testing

@Suite("Transcripts of git")
struct GitTranscriptTests {
    @Test("a clone that its ssh failed is both: who failed, and that a clone failed") func clone() throws {
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

    @Test("a fetch is no clone") func fetch() {
        let text = "ssh: connect to host web1 port 22: Connection refused\nfatal: Could not read from remote repository.\n"
        let verdict = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 128))
        #expect(verdict?.code == .connectRefused && verdict?.cause == nil)
    }

    @Test(
        "a repository that a remote script could not reach is a clone that failed, with its reason",
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
}
