import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHTranscripts

/// Texts that people paste, as other programs and terminals change them.
@Suite("Pasted texts in other forms")
struct WildFormTests {
    /// A way in which the lines of an output reach a log.
    enum Form: String, CaseIterable {
        case jsonLines, jsonText, python, terminal, paragraph, timed, american, buildkite, page, value, quoted

        /// The percentage of the verdicts that must stay right.
        var share: Int {
            switch self {
            case .terminal, .paragraph: 94
            case .python, .jsonLines, .jsonText, .timed, .american, .buildkite, .value, .quoted: 96
            case .page: 100
            }
        }

        func dressed(_ text: String) -> String {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            switch self {
            case .jsonLines: return lines.map(Self.object).joined(separator: "\n")
            case .jsonText: return Self.object(lines.joined(separator: "\n"))
            case .python: return "output=b'" + lines.joined(separator: "\\r\\n") + "\\n'"
            case .terminal: return lines.flatMap(Self.cut).joined(separator: "\n")
            case .paragraph: return lines.flatMap(Self.wrapped).joined(separator: "\n")
            case .timed: return Self.each(lines, "2026-01-05T09:00:01.123Z ")
            case .american: return Self.each(lines, "01/05/2026 09:00:01 AM ")
            case .buildkite: return Self.each(lines, "_bk;t=1767603601000\u{7}")
            case .page:
                let blanks = text.replacingOccurrences(of: " ", with: "\u{a0}")
                return blanks.replacingOccurrences(of: "@", with: "@\u{200b}")
            case .value: return Self.each(lines, "stderr=")
            case .quoted: return Self.each(lines, "> ")
            }
        }

        private static func each(_ lines: [String], _ before: String) -> String {
            lines.map { before + $0 }.joined(separator: "\n")
        }

        private static func object(_ text: String) -> String {
            let fields = ["level": "error", "msg": text]
            let data = try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
            return String(decoding: data ?? Data(), as: UTF8.self)
        }

        /// As a terminal of 80 columns shows a line.
        private static func cut(_ line: String) -> [String] {
            var rest = line[...]
            var parts: [String] = []
            while rest.count > 80 {
                parts.append(String(rest.prefix(80)))
                rest = rest.dropFirst(80)
            }
            return parts + [String(rest)]
        }

        /// As a program wraps a line at blanks.
        private static func wrapped(_ line: String) -> [String] {
            guard line.count > 80 else { return [line] }
            var parts: [String] = [""]
            for word in line.split(separator: " ", omittingEmptySubsequences: false) {
                let longer = parts[parts.count - 1].isEmpty ? String(word) : parts[parts.count - 1] + " " + word
                if longer.count > 80 { parts.append(String(word)) } else { parts[parts.count - 1] = longer }
            }
            return parts
        }
    }

    @Test("nearly all verdicts stay right", arguments: Form.allCases) func share(_ form: Form) {
        let chosen = TestExtent.cases(of: WildTranscript.all, oneOf: 9)
        let wrong = chosen.filter { wild in
            var transcript = wild.transcript
            transcript.standardError = form.dressed(wild.text)
            return !wild.codes.contains(SSHTranscriptClassifier.classify(transcript)?.code.rawValue ?? "nothing")
        }
        #expect(wrong.count * 100 <= chosen.count * (100 - form.share), "\(wrong.map(\.testDescription))")
    }

    private func code(_ text: String) -> String? {
        SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: nil))?.code.rawValue
    }

    @Test(
        "a message may begin in a line without known words, if it fills a terminal's width",
        arguments: [
            "time=\"2026-01-05T09:00:01Z\" level=fatal component=deployments msg=\"backup failed\n: ssh: handshake failed: EOF\"",
            "/usr/bin/ssh-copy-id: ERROR: ssh: connect to host web1 port 22: Connection refus\ned\n",
        ])
    func cut(_ text: String) {
        #expect(text.prefix { $0 != "\n" }.count == 80)
        #expect(code(text) == code(text.replacingOccurrences(of: "\n", with: "")))
        #expect(code(text) != nil && code(text) != "ssh.connect.failed")
    }

    @Test(
        "the text before each line of a traceback is not a part of it",
        arguments: [
            ["2026-01-05T09:00:01.123Z ", "2026-01-05T09:00:01.456Z "], ["stderr=", "stderr="], ["worker-1  | ", "worker-1  | "],
        ])
    func traceback(_ before: [String]) {
        let lines = [
            "Traceback (most recent call last):", "  File \"/v/site-packages/paramiko/transport.py\", line 660, in start_client",
            "    raise e", "  File \"/v/site-packages/paramiko/packet.py\", line 459, in read_message",
            "    header = self.read_all(self.__block_size_in, check_rekey=True)",
            "  File \"/v/site-packages/paramiko/packet.py\", line 303, in read_all", "    raise EOFError()", "EOFError",
        ]
        let text = lines.enumerated().map { before[min($0, 1)] + $1 }.joined(separator: "\n")
        #expect(code(lines.joined(separator: "\n")) != nil)
        #expect(code(text) == code(lines.joined(separator: "\n")))
        #expect(code("error: Traceback (most recent call last):\n" + lines.dropFirst().joined(separator: "\n")) != nil)
        // A page may join the lines.
        let joined = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        #expect(code(joined) == code(lines.joined(separator: "\n")))
    }

    @Test("an address that failed is counted once, though its line was cut") func address() {
        let text = "/usr/bin/ssh-copy-id: ERROR: ssh: connect to host web1 port 22: Connection refus\ned\n"
        let error = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: nil))
        #expect(error?.evidence.addresses.count == 1)
    }

    @Test("the texts of a JSON object are read as lines, without the escapes of JSON") func json() {
        let words = #"ssh: handshake failed: read tcp 192.0.2.2:1-\u003e192.0.2.1:22: read: connection reset by peer"#
        let line = #"12:00 worker {"err":"\#(words)","level":"error","n":1}"#
        let error = SSHTranscriptClassifier.classify(SSHTranscript(standardError: line, exitStatus: nil))
        #expect(error?.code == .bannerClosed && error?.evidence.host == "192.0.2.1")
        #expect(code(#"{"level":"info","msg":"connected to web1","n":1}"#) == nil)
    }

    @Test("emphasis around a line does not hide it, and a banner's frame does")
    func emphasis() {
        #expect(code("**a@web1: Permission denied (publickey).**") == "ssh.auth.key-rejected")
        #expect(code("** a@web1: Permission denied (publickey). **") == nil)
    }

    @Test("a password's question shows that the host key was accepted")
    func accepted() {
        let asked = "The authenticity of host 'web1 (192.0.2.1)' can't be established.\na@web1's password:\n"
        #expect(code(asked + "read: Connection reset by peer\n") == "ssh.auth.connection-dropped")
    }

    @Test(
        "a message claims no credential, port or quotation of its own",
        arguments: [
            ("FATAL ERROR: Disconnected: No supported authentication methods available (server sent: publickey)", "password"),
            ("FATAL ERROR: Disconnected: No supported authentication methods available", "publickey"),
            ("a@web1: Permission denied (password).", "publickey"), ("a@web1: Permission denied (password).", "port"),
            (
                "Renci.SshNet.Common.SshAuthenticationException: No suitable authentication method found to complete authentication (publickey)",
                "password"
            ),
            ("ERROR: failed connecting to host web1:0: target host web1 is offline or does not exist", ":0"),
            ("paramiko.ssh_exception.SSHException: Server '[192.0.2.4]:1234' not found in known_hosts", "["),
            ("paramiko.ssh_exception.SSHException: No existing session", "\"Too many"),
        ])
    func held(line: String, absent: String) {
        let message = SSHTranscriptClassifier.classify(SSHTranscript(standardError: line, exitStatus: nil))?.message
        #expect(message.map { !$0.contains(absent) } == true, "\(message ?? "none")")
    }

    @Test("git's last message is not a separate failure, though another process wrote lines in between")
    func mixed() {
        var text = "Jan  5 09:00:01 box git[1]: a@web1: Permission denied (publickey).\n"
        text += "Jan  5 09:00:01 box git[1]: fatal: Could not read from remote repository.\n"
        for _ in 0..<40 { text += "Jan  5 09:00:02 box backup[2]: debug1: Connecting to web2 [192.0.2.2] port 22.\n" }
        let wild = WildTranscript(file: "", line: 0, codes: [], client: nil, exit: nil, command: "", source: "", text: text)
        #expect(wild.logged.map(\.error.code.rawValue) == ["ssh.auth.key-rejected"])
    }
}
