import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHTranscripts

/// Output of a hundred clients that people posted, shortened and with neutral names: the files in `Wild`, whose README has the format.
/// Those of `BeforeRules` were labelled before the rules were written; the others were collected afterwards, and labelled before they
/// were run.
struct WildTranscript: Sendable, CustomTestStringConvertible {
    let file: String
    let line: Int
    /// The codes that the text allows; empty if nothing failed.
    let codes: [String]
    /// The client that a verdict must name; nil if the text names none.
    let client: String?
    let exit: Int?
    let command: String
    let source: String
    var text = ""

    var testDescription: String { "\(file):\(line)" }
    var isNothing: Bool { codes == ["nothing"] }

    static let all: [WildTranscript] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Wild")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { read($0, in: folder) }
    }()

    private static func read(_ name: String, in folder: URL) -> [WildTranscript] {
        let text = (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        var found: [WildTranscript] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("== ") else {
                if !found.isEmpty { found[found.count - 1].text += line + "\n" }
                continue
            }
            let parts = line.dropFirst(3).components(separatedBy: " | ")
            guard parts.count == 5 else {
                Issue.record("\(name):\(number + 1) has not five parts")
                continue
            }
            found.append(
                WildTranscript(
                    file: name, line: number + 1, codes: parts[0].components(separatedBy: ","),
                    client: parts[1].components(separatedBy: ";").first, exit: Int(parts[2]),
                    command: parts[3] == "-" ? "" : parts[3],
                    source: parts[4]))
        }
        return found
    }

    var transcript: SSHTranscript { SSHTranscript(standardError: text, exitStatus: exit, command: command) }

    /// The failures that `bridge-ssh classify` reports for these lines.
    var logged: [LoggedFailure] {
        var reported = ReportedFailures()
        return SSHTranscriptLog().failures(in: text).filter { reported.isNew($0) }
    }
}

extension WildTranscript {
    /// What a verdict quotes or names although the text does not have it.
    func inventions(of error: SSHError) -> [String] {
        let (letters, message) = (Self.letters(of: text), error.message)
        let quotes = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
        let said = message.components(separatedBy: "It said: ").dropFirst()
        let ports = message.matches(of: /port (\d+)/).map { String($0.1) }
        let words = (quotes + said + [error.evidence.host]).filter { !Self.letters(of: $0).isEmpty }
        return words.filter { !letters.contains(Self.letters(of: $0).prefix(30)) } + ports.filter { !text.contains($0) }
    }

    private static func letters(of text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension SSHTranscriptLog {
    /// The failures of a whole log.
    func failures(in text: String) -> [LoggedFailure] {
        var (log, text) = (self, text)
        var reported: [LoggedFailure] = []
        text.withUTF8 { log.take($0) { reported.append($0) } }
        log.finish { reported.append($0) }
        return reported
    }
}

@Suite("Transcripts that people posted")
struct WildTests {
    @Test("there are transcripts of both kinds, each with its source") func present() {
        #expect(WildTranscript.all.filter { $0.file.hasPrefix("BeforeRules/") }.count > 340)
        #expect(WildTranscript.all.filter { !$0.file.hasPrefix("BeforeRules/") }.count > 500)
        #expect(WildTranscript.all.filter(\.isNothing).count > 75)
        #expect(WildTranscript.all.allSatisfy { !$0.source.isEmpty && !$0.text.isEmpty })
    }

    @Test("a transcript gets a code that fits its text, or none", arguments: WildTranscript.all)
    func code(_ wild: WildTranscript) {
        let verdict = SSHTranscriptClassifier.classify(wild.transcript)
        #expect(wild.codes.contains(verdict?.code.rawValue ?? "nothing"), "\(verdict?.message ?? "") of \(wild.text)")
    }

    @Test(
        "no sentence has a gap where a name is not known",
        arguments: TestExtent.cases(of: WildTranscript.all, oneOf: 4))
    func gaps(_ wild: WildTranscript) {
        guard let verdict = SSHTranscriptClassifier.classify(wild.transcript) else { return }
        for sentence in [verdict.message, verdict.hint] + verdict.alternatives {
            #expect(
                !sentence.hasPrefix(" ") && !["(tried )", " ''", "``"].contains { sentence.contains($0) }, "\(sentence)")
            #expect(!sentence.hasSuffix(" .") && !sentence.contains("key  "), "\(sentence)")
        }
    }

    @Test("the same text in a log is one failure, and never exact", arguments: WildTranscript.all)
    func inLog(_ wild: WildTranscript) {
        let failures = wild.logged
        #expect(failures.count <= 1, "\(failures.map(\.error.code))")
        #expect(failures.allSatisfy { $0.error.confidence != .exact })
        if wild.isNothing { #expect(failures.isEmpty) }
        for failure in failures { #expect(wild.inventions(of: failure.error) == []) }
    }

    @Test(
        "the status of a program that ran ssh does not hide the failure",
        arguments: TestExtent.cases(of: WildTranscript.all, oneOf: 4))
    func status(_ wild: WildTranscript) {
        guard !wild.codes.contains("nothing"), wild.exit == nil, wild.command.isEmpty else { return }
        for status in [1, 128] {
            var other = wild.transcript
            other.exitStatus = status
            let code = SSHTranscriptClassifier.classify(other)?.code.rawValue ?? "nothing"
            #expect(wild.codes.contains(code), "\(status) of \(wild.text)")
        }
    }

    @Test(
        "colours and carriage returns in every line change nothing",
        arguments: TestExtent.cases(of: WildTranscript.all, oneOf: 4))
    func dressed(_ wild: WildTranscript) {
        let plain = SSHTranscriptClassifier.classify(wild.transcript)?.code
        for (before, after) in [("\u{1b}[31m", "\u{1b}[0m"), ("", "\r")] {
            var other = wild.transcript
            other.standardError = wild.text.split(separator: "\n", omittingEmptySubsequences: false).map { before + $0 + after }
                .joined(separator: "\n")
            #expect(SSHTranscriptClassifier.classify(other)?.code == plain)
        }
    }

    @Test(
        "the client is named if the text names it",
        arguments: [
            ("ssh: handshake failed: EOF", "", "go x/crypto"),
            ("FATAL ERROR: Network error: Connection refused", "plink web1", "plink"),
            ("FATAL ERROR: Network error: Connection refused", "", "putty"),
            ("debug1: OpenSSH_10.0p2, OpenSSL 3.5.1\nssh: connect to host web1 port 22: Connection refused", "", "openssh 10.0"),
            ("INFO Local version string: SSH-2.0-JSCH_0.2.16\ncom.jcraft.jsch.JSchException: Auth fail", "", "jsch 0.2.16"),
            ("com.jcraft.jsch.JSchException: java.net.ConnectException: Connection refused", "", "jsch"),
            (
                "java.net.ConnectException: Connection refused\n\tat net.schmizz.sshj.SocketClient.connect(SocketClient.java:138)",
                "", "sshj"
            ),
            ("dbclient: Connection to a@web1:22 exited: No auth methods could be used.", "", "dbclient"),
            ("paramiko.ssh_exception.AuthenticationException: Authentication failed.", "", "paramiko"),
            ("paramiko.ssh_exception.SSHException: No authentication methods available", "", "paramiko"),
            ("ERROR: (gcloud.compute.ssh) [/usr/bin/ssh] exited with return code [255].", "", "gcloud"),
            (
                "sshd[411]: Unable to negotiate with 192.0.2.9 port 51234: no matching MAC found. Their offer: hmac-md5", "",
                "sshd"
            ),
            (
                "  File \"/v/paramiko/client.py\", line 368, in connect\n    retry()\nTimeoutError: [Errno 110] Connection timed out",
                "", "paramiko"
            ),
        ])
    func client(_ text: String, _ command: String, _ client: String) {
        let verdict = SSHTranscriptClassifier.verdict(on: SSHTranscript(standardError: text, exitStatus: 255, command: command))
        #expect(verdict.error != nil && verdict.client == client)
    }

    @Test(
        "a library's exception class is a failure with any message; common words in it give a guess",
        arguments: [
            ("com.jcraft.jsch.JSchException: the frobnicator is missing", "ssh.connect.failed", "jsch"),
            ("net.schmizz.sshj.common.SSHException: connection reset by peer", "ssh.banner.closed", "sshj"),
            ("org.apache.sshd.common.SshException: wrong passphrase for the key", "ssh.key.passphrase-required", "mina sshd"),
            ("paramiko.ssh_exception.SSHException: no route to host", "ssh.connect.host-unreachable", "paramiko"),
            ("Renci.SshNet.Common.SshException: the frobnicator is missing", "ssh.connect.failed", "ssh.net"),
        ])
    func exceptions(_ text: String, _ code: String, _ client: String) {
        let verdict = SSHTranscriptClassifier.verdict(on: SSHTranscript(standardError: text, exitStatus: nil))
        #expect(verdict.error?.code.rawValue == code && verdict.error?.confidence == .guess && verdict.client == client)
    }

    @Test(
        "a sentence that quotes a client is not a failure",
        arguments: [
            "All hints for \"Network error: Connection refused\" above apply to this error too.",
            "It printed 'ssh: handshake failed: EOF' and i gave up.", "✓ ssh: reports authentication failed (12 ms)",
            "Title: SSH Connection Refused - What To Do",
            "We had an outage: ssh to web1 failed with a timeout for ten minutes.",
        ])
    func quoted(_ text: String) {
        #expect(SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: nil)) == nil)
    }

    @Test(
        "a value in quotation marks is the client's own message",
        arguments: [
            "time=1 level=error error=\"ssh: handshake failed: knownhosts: key is unknown\" and more",
            "IOException: \"FATAL ERROR: Network error: Connection refused\" was thrown",
        ])
    func value(_ text: String) {
        #expect(SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: nil)) != nil)
    }

    @Test("no client is named if the text names none") func unnamed() {
        let verdict = SSHTranscriptClassifier.verdict(on: SSHTranscript(standardError: "it broke\n", exitStatus: 3))
        #expect(verdict.client == nil && verdict.error?.confidence == .guess && verdict.error?.cause == nil)
    }

    @Test(
        "unknown text with a program's own status gives no cause on the server",
        arguments: [
            (128, "git push", "fatal: bad config line 1 in file /home/a/.gitconfig\n"), (4, "ansible-playbook site.yml", "?\n"),
            (3, "ansible all -m ping", "curl: (6) Could not resolve host: x\n"), (1, "", "curl: (6) Could not resolve host: x\n"),
            (1, "terraform apply", "Error: Could not resolve host: x\n"),
            (4, "", "web1 | UNREACHABLE! => {\n \"msg\": \"Verbindung misslungen\",\n \"unreachable\": true\n}\n"),
        ])
    func unknown(_ status: Int, _ command: String, _ text: String) {
        let error = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: status, command: command))
        #expect(error?.confidence == .guess && error?.cause == nil, "\(error?.code.rawValue ?? "none")")
    }

    @Test("each result of Ansible is a separate failure, with its own text and its inventory's name") func ansible() {
        let failed =
            #"fatal: [web1]: FAILED! => {"changed": true, "cmd": "x", "msg": "non-zero return code", "rc": 2, "stderr": "no such thing"}"#
        let unreachable =
            #"fatal: [web2]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: ssh: connect to host 192.0.2.2 port 22: Connection refused", "unreachable": true}"#
        let announced =
            "[ERROR]: Task failed: Failed to connect to the host via ssh: ssh: connect to host 192.0.2.2 port 22: Connection refused"
        let text = ["TASK [x] ***", failed, announced, unreachable, "PLAY RECAP ***", ""].joined(separator: "\n")
        let wild = WildTranscript(file: "", line: 0, codes: [], client: nil, exit: nil, command: "", source: "", text: text)
        let failures = wild.logged
        #expect(failures.map { "\($0.host) \($0.error.code)" } == ["web1 ssh.command.exit-nonzero", "web2 ssh.connect.refused"])
        #expect(failures.first?.error.message.contains("no such thing") == true)
        #expect(failures.first?.error.message.contains("refused") == false)
        #expect(failures.last?.error.evidence.host == "192.0.2.2")
    }
}
