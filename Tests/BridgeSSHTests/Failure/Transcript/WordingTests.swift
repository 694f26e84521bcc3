import BridgeSSH
import Foundation
import Testing

/// A wording of `Wordings/*.txt`, which say themselves how they are written.
struct Wording: Sendable, CustomTestStringConvertible {
    let file: String
    let line: Int
    let code: String
    let confidence: String
    let exit: Int?
    let command: String
    var text = ""

    var testDescription: String { "\(file):\(line) \(code)" }

    /// All of them. Nothing can be tested without the files, so that their absence is a failure and no empty list.
    static let all: [Wording] = ["reaching", "trust", "login", "session", "logs", "libraries", "mixed", "terminal"].flatMap(read)

    private static func read(_ name: String) -> [Wording] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let text = (try? String(contentsOf: folder.appendingPathComponent("Wordings/\(name).txt"), encoding: .utf8)) ?? ""
        var found: [Wording] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("== ") else {
                if !found.isEmpty { found[found.count - 1].text += line + "\n" }
                continue
            }
            let parts = line.dropFirst(3).split(separator: " ", maxSplits: 3).map(String.init)
            let command = parts.count > 3 && parts[3] != "-" ? parts[3] : ""
            found.append(
                Wording(
                    file: name, line: number + 1, code: parts[0], confidence: parts[1], exit: Int(parts[2]), command: command))
        }
        return found
    }
}

/// Messages of clients of other releases and platforms than this machine's.
@Suite("Wordings of other clients")
struct WordingTests {
    @Test("the table of wordings is not empty") func present() { #expect(Wording.all.count > 220) }

    @Test("a wording has its code, and no more confidence than it deserves", arguments: Wording.all)
    func wording(_ wording: Wording) {
        let verdict = SSHTranscriptClassifier.classify(
            SSHTranscript(standardError: wording.text, exitStatus: wording.exit, command: wording.command))
        #expect(verdict?.code.rawValue ?? "none" == wording.code, "\(verdict?.message ?? "")")
        guard let verdict, wording.confidence != "-" else { return }
        #expect(verdict.confidence.rawValue == wording.confidence)
    }

    @Test("other line ends, or none at the end, change nothing", arguments: Wording.all)
    func carriageReturns(_ wording: Wording) {
        let plain = SSHTranscript(standardError: wording.text, exitStatus: wording.exit, command: wording.command)
        var other = plain
        other.standardError = wording.text.replacing("\n", with: "\r\n")
        while other.standardError.last?.isNewline == true { other.standardError.removeLast() }
        #expect(SSHTranscriptClassifier.classify(other)?.code == SSHTranscriptClassifier.classify(plain)?.code)
    }

    @Test(
        "a remote command's output with its own status is never a failure of SSH",
        arguments: Wording.all.filter { !$0.text.contains("password") && !$0.text.contains("currently not available") })
    func remoteWords(_ wording: Wording) {
        for status in [1, 2, 12, 128] {
            let verdict = SSHTranscriptClassifier.classify(
                SSHTranscript(standardError: wording.text, exitStatus: status, command: "ssh web1 ./deploy"))
            #expect(verdict?.code == .commandExitNonzero, "\(status)")
        }
    }
}
