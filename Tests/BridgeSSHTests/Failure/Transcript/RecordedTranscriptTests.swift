import BridgeSSH
import Foundation
import Testing

/// A run of another SSH client into one of `ssh-sandbox faults`, as scripts/generate/transcripts recorded it.
struct RecordedTranscript: Sendable, Decodable, CustomTestStringConvertible {
    let client: String
    let fault: String
    /// The code that the client's text allows; nil for a success.
    let expected: String?
    /// The code of the real cause.
    let seen: String?
    let exit: Int
    let command: String
    let text: String

    var testDescription: String { "\(client), \(fault)" }

    static let all: [RecordedTranscript] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Recorded")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().flatMap { name -> [RecordedTranscript] in
            let text = (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { line in
                do {
                    return try JSONDecoder().decode(RecordedTranscript.self, from: Data(line.utf8))
                } catch {
                    Issue.record("\(name): \(error)")
                    return nil
                }
            }
        }
    }()
}

/// Recorded output of Ansible, paramiko, asyncssh, parallel-ssh, ssh2-python and libssh.
@Suite("Recorded transcripts")
struct RecordedTranscriptTests {
    @Test("there are transcripts of every client") func present() {
        #expect(RecordedTranscript.all.count > 300)
        #expect(Set(RecordedTranscript.all.map(\.client)).count == 18)
    }

    @Test("a transcript gets a code that fits its text, and no certain verdict is wrong", arguments: RecordedTranscript.all)
    func recorded(_ transcript: RecordedTranscript) {
        let verdict = SSHTranscriptClassifier.classify(
            SSHTranscript(standardError: transcript.text, exitStatus: transcript.exit, command: transcript.command))
        #expect(verdict?.code.rawValue == transcript.expected, "\(verdict?.message ?? "") of \(transcript.text)")
        if let verdict, transcript.expected != transcript.seen { #expect(verdict.confidence == .guess) }
    }

    @Test(
        "the same text in a log, without a status that shows which program failed",
        arguments: RecordedTranscript.all.filter { $0.exit != 0 && $0.expected?.hasPrefix("ssh.command.") == false })
    func inLog(_ transcript: RecordedTranscript) {
        var log = SSHTranscriptLog()
        var failures = transcript.text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
            log.take(String($0))
        }
        if let last = log.finish() { failures.append(last) }
        #expect(failures.contains { $0.code.rawValue == transcript.expected }, "\(failures.map(\.code)) of \(transcript.text)")
        #expect(failures.allSatisfy { $0.confidence != .exact })
    }
}
