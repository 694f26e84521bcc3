import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A wording of `Wordings/*.txt`, which describe their format.
struct Wording: Sendable, CustomTestStringConvertible {
    let file: String
    let line: Int
    let code: String
    let confidence: String
    let exit: Int?
    let command: String
    var text = ""

    var testDescription: String { "\(file):\(line) \(code)" }

    /// All of them. Missing files are a failure, and not an empty list.
    static let all: [Wording] = [
        "reaching", "trust", "login", "session", "logs", "libraries", "mixed", "terminal", "sources", "servers", "dotnet", "java",
        "desktop", "windows", "stacks", "openssh", "operations", "languages",
    ].flatMap(read)

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

/// Messages of clients from other releases and platforms than this machine's.
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

    @Test("other line ends, or none at the end, change nothing", arguments: TestExtent.cases(of: Wording.all, oneOf: 4))
    func carriageReturns(_ wording: Wording) {
        let plain = SSHTranscript(standardError: wording.text, exitStatus: wording.exit, command: wording.command)
        var other = plain
        other.standardError = wording.text.replacing("\n", with: "\r\n")
        while other.standardError.last?.isNewline == true { other.standardError.removeLast() }
        #expect(SSHTranscriptClassifier.classify(other)?.code == SSHTranscriptClassifier.classify(plain)?.code)
    }

    @Test(
        "a remote command's output with its own status is never a failure of SSH",
        // dbclient ends with 1 by itself, and routers have it as ssh.
        arguments: TestExtent.cases(of: Wording.all, oneOf: 4).filter { wording in
            !["password", "currently not available", "dbclient"].contains { wording.text.contains($0) }
        })
    func remoteWords(_ wording: Wording) {
        for status in TestExtent.cases(of: [1, 2, 12, 128], oneOf: 2) {
            let verdict = SSHTranscriptClassifier.classify(
                SSHTranscript(standardError: wording.text, exitStatus: status, command: "ssh web1 ./deploy"))
            #expect(verdict?.code == .commandExitNonzero, "\(status)")
        }
    }
}

@Suite("Transcripts of plain clients")
struct TranscriptTests {
    @Test("timeout(1) has no option --timeout, so the remedy does not name one") func foreignLimit() throws {
        let verdict = try #require(
            SSHTranscriptClassifier.classify(
                SSHTranscript(standardError: "", exitStatus: 124, command: "timeout 60 ssh web1 make")))
        #expect(verdict.code == .commandTimedOut && !verdict.remedy.contains("--timeout"), "\(verdict.remedy)")
    }

    @Test(
        "a message that a nested ssh could have printed gives a guess",
        arguments: [
            ("ssh web1 'ssh web2 true'", "ssh: connect to host web2 port 22: Connection refused"),
            ("ssh web1 git fetch", "Host key verification failed."),
            ("ssh web1 make", "ssh: connect to host web2 port 22: Connection refused\nmake: *** [deploy] Error 255"),
        ])
    func nested(_ command: String, _ text: String) {
        let verdict = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255, command: command))
        #expect(verdict?.confidence == .guess)
        #expect(verdict?.alternatives.contains { $0.contains("remote command") } == true)
    }

    @Test("only a known command line allows an exact verdict")
    func confidence() {
        let text = "ssh: connect to host 192.0.2.1 port 22: Connection refused"
        let known = SSHTranscriptClassifier.classify(
            SSHTranscript(standardError: text, exitStatus: 255, command: "ssh 192.0.2.1 uptime"))
        let unknown = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255))
        #expect(known?.confidence == .exact)
        #expect(unknown?.confidence == .likely)
        #expect(known?.evidence.host == "192.0.2.1")
        // A name may have several addresses, and ssh reports only the last one's failure.
        let named = SSHTranscriptClassifier.classify(
            SSHTranscript(
                standardError: text.replacing("192.0.2.1", with: "web1"), exitStatus: 255, command: "ssh web1 uptime"))
        #expect(named?.code == .connectRefused && named?.confidence == .likely)
    }

    @Test("a log reports each failure once, with its line")
    func log() {
        var log = SSHTranscriptLog()
        let lines = """
            Nov 21 04:00:00 box backup[7]: ssh: connect to host web1 port 2222: Connection refused
            Nov 21 04:00:01 box backup[7]: lost connection
            Nov 21 04:00:02 box backup[8]: bob@web2: Permission denied (publickey).
            Nov 21 04:00:03 box backup[8]: all done
            """
        var failures = lines.split(separator: "\n").compactMap { log.take(String($0)) }
        if let last = log.finish() { failures.append(last) }
        #expect(failures.map(\.code) == [.connectRefused, .authKeyRejected])
        #expect(failures.map(\.evidence.host) == ["web1", "web2"])
        #expect(failures.first?.evidence.port == 2222)
        #expect(failures.last?.evidence.user == "bob")
        #expect(failures.allSatisfy { $0.confidence != .exact })
    }

    @Test("no bytes crash the reader")
    func anyText() {
        var generator = SeededGenerator(seed: 7)
        let pieces = Wording.all.map(\.text) + ["{", "\"msg\": \"", "UNREACHABLE!", "\\", "\u{0}", "日本", ": "]
        for _ in 0..<500 {
            let text = (0..<6).map { _ in
                let piece = pieces.randomElement(using: &generator) ?? ""
                return String(piece.prefix(Int.random(in: 0...piece.count, using: &generator)))
            }.joined()
            _ = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255, command: text))
        }
    }
}
