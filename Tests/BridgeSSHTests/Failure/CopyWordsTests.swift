import BridgeSSH
import Testing

@Suite("Messages about a stopped copy") struct CopyWordsTests {
    private func verdict(_ event: SSHEvidence.Event, _ copy: SSHCopyEvidence) -> SSHError {
        SSHFailureClassifier.classify(
            Seen.that(event, at: .sftp) {
                $0.copy = copy
                if event == .streamEnded { $0.stream = .reset }
            })
    }

    @Test(
        "fate",
        arguments: [
            (SSHCopyEvidence(resumes: false), "No file is known to have arrived, and no unfinished file is known to be left."),
            (
                SSHCopyEvidence(files: 1, resumes: false, partialFiles: ["b", "a"]),
                "The copy is not complete: 1 file arrived, and a (and 1 more) may be left of an unfinished file."
            ),
            (
                SSHCopyEvidence(files: 2, resumes: true, partialFiles: ["/x/.a.1.bridge-partial"]),
                "The copy is not complete: 2 files arrived, and the unfinished file is kept as /x/.a.1.bridge-partial."
            ),
        ])
    func fate(_ copy: SSHCopyEvidence, _ words: String) {
        for event in [SSHEvidence.Event.keepaliveUnanswered(count: 3), .streamEnded, .cancelled(signal: "INT")] {
            let verdict = verdict(event, copy)
            #expect(verdict.message.hasSuffix(words), "\(verdict.message)")
            #expect(!"\(verdict.message) \(verdict.remedy)".contains("command"), "\(verdict.message) \(verdict.remedy)")
            #expect(verdict.remedy.contains("--resume"))
        }
        #expect(verdict(.cancelled(signal: "INT"), copy).message.hasPrefix("The copy with alice@web1 was cancelled by SIGINT. "))
    }
}
