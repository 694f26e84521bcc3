import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A run of OpenSSH 9.2, most with -v, as scripts/generate/openssh-transcripts recorded it.
struct OpenSSHTranscript: Sendable, Decodable, CustomTestStringConvertible {
    let scenario: String
    let way: String
    /// The expected code; nil for a success.
    let code: String?
    let exit: Int
    let text: String
    /// Whether it was held back before the rules were written.
    let heldOut: Bool

    var testDescription: String { "\(scenario), \(way)" }
    var isVerbose: Bool { text.contains("debug1: ") }

    static let all: [OpenSSHTranscript] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Recorded/OpenSSH/openssh.jsonl")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            do {
                return try JSONDecoder().decode(OpenSSHTranscript.self, from: Data(line.utf8))
            } catch {
                Issue.record("\(error)")
                return nil
            }
        }
    }()

    func verdict(_ change: (String) -> String = { $0 }) -> SSHError? {
        SSHTranscriptClassifier.classify(SSHTranscript(standardError: change(text), exitStatus: exit))
    }
}

@Suite("Recorded transcripts of OpenSSH")
struct OpenSSHTranscriptTests {
    @Test("an unknown error of the system is not named as another one") func unknownError() {
        func verdict(_ reason: String) -> SSHError? {
            SSHTranscriptClassifier.classify(
                SSHTranscript(
                    standardError: "ssh: connect to host web1 port 22: \(reason)\n", exitStatus: 255, command: "ssh web1"))
        }
        let unknown = verdict("Protocol wrong type for socket")
        #expect(unknown?.code == .connectFailed && unknown?.message.contains("(E") == false, "\(unknown?.message ?? "")")
        #expect(verdict("Invalid argument")?.message.contains("EINVAL") == true)
    }

    @Test(
        "an algorithm that an older ssh does not know is not suggested for its list",
        arguments: [
            ("mlkem768x25519-sha256,ext-info-s,kex-strict-s-v00@openssh.com", "it has mlkem768x25519-sha256 since 9.9"),
            ("sntrup761x25519-sha512@openssh.com,mlkem768x25519-sha256", "sntrup761x25519-sha512@openssh.com since 8.5"),
            ("diffie-hellman-group1-sha1,mlkem768x25519-sha256", "KexAlgorithms=+diffie-hellman-group1-sha1"),
        ])
    func postQuantumOffer(_ offer: String, _ advice: String) throws {
        let text = "Unable to negotiate with 192.0.2.1 port 22: no matching key exchange method found. Their offer: \(offer)"
        let error = try #require(SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255)))
        #expect(error.code == .kexNoCommonKex && error.hint.contains(advice), "\(error.hint)")
        #expect(!error.message.contains("ext-info") && !error.hint.contains("+mlkem") && !error.hint.contains("+sntrup"))
    }

    @Test("a proxy's messages are not ssh's own, and its command is named if the log has it")
    func proxyWords() throws {
        let log = """
            debug1: /home/alice/.ssh/config line 3: Applying options for *
            debug1: Executing proxy command: exec nc -x gate 192.0.2.1 22
            debug1: Local version string SSH-2.0-OpenSSH_9.2p1
            nc: connection failed, SOCKSv5 error: host unreachable
            debug1: kex_exchange_identification: write: Broken pipe
            banner exchange: Connection to UNKNOWN port 65535: Broken pipe
            """
        let error = try #require(SSHTranscriptClassifier.classify(SSHTranscript(standardError: log, exitStatus: 255)))
        #expect(error.code == .connectProxyFailed && error.message.contains("It said: nc: connection failed"), "\(error.message)")
        #expect(error.hint.contains("nc -x gate 192.0.2.1 22"), "\(error.hint)")
        // Without -v, ssh names no command, so the remedy must not invent one.
        let short = "kex_exchange_identification: Connection closed by remote host\nConnection closed by UNKNOWN port 65535"
        let bare = try #require(SSHTranscriptClassifier.classify(SSHTranscript(standardError: short, exitStatus: 255)))
        #expect(bare.code == .connectProxyFailed && bare.remedies.isEmpty, "\(bare.remedies)")
        #expect(!bare.message.contains("It said") && !bare.message.contains("did not start"), "\(bare.message)")
    }

    @Test("a key that the local PubkeyAcceptedAlgorithms leaves out is named") func excludedKey() throws {
        let text = """
            debug1: Authenticating to 192.0.2.1:22 as 'alice'
            debug1: Skipping ssh-ed25519 key /home/alice/id - corresponding algo not in PubkeyAcceptedAlgorithms
            debug1: Authentications that can continue: publickey,password
            debug1: Next authentication method: publickey
            alice@192.0.2.1: Permission denied (publickey,password).
            """
        let error = try #require(SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255)))
        #expect(error.code == .authNoCredentials && error.message.contains("PubkeyAcceptedAlgorithms leaves out /home/alice/id"))
    }

    @Test("there are verbose transcripts, and some were held back") func present() {
        #expect(OpenSSHTranscript.all.count > 200)
        #expect(OpenSSHTranscript.all.count(where: \.heldOut) > 60)
        #expect(OpenSSHTranscript.all.count(where: \.isVerbose) > 120)
    }

    @Test("a cause proved by debug messages is reported as exact", arguments: OpenSSHTranscript.all.filter(\.isVerbose))
    func verbose(_ transcript: OpenSSHTranscript) {
        let verdict = transcript.verdict()
        #expect(verdict?.code.rawValue == transcript.code, "\(verdict?.message ?? "") of \(transcript.text)")
    }

    @Test("no exact verdict is wrong", arguments: OpenSSHTranscript.all)
    func exact(_ transcript: OpenSSHTranscript) {
        guard let verdict = transcript.verdict(), verdict.confidence == .exact else { return }
        #expect(verdict.code.rawValue == transcript.code, "\(verdict.message)")
    }

    @Test("at most one in fifty likely verdicts is wrong") func likely() {
        var (count, wrong) = (0, [String]())
        // Without the command line, a command that prints ssh's messages on purpose cannot be recognised.
        let pretending = ["nested-", "words-", "debug-"]
        for transcript in OpenSSHTranscript.all
        where transcript.isVerbose || !pretending.contains(where: transcript.scenario.hasPrefix) {
            guard let verdict = transcript.verdict(), verdict.confidence == .likely else { continue }
            count += 1
            if verdict.code.rawValue != transcript.code { wrong.append(transcript.testDescription) }
        }
        #expect(wrong.count * 50 <= count, "\(wrong) of \(count)")
    }

    @Test("messages of other releases lead to the same verdict", arguments: Release.all)
    func releases(_ release: Release) {
        for transcript in TestExtent.cases(of: OpenSSHTranscript.all.filter(\.isVerbose), oneOf: 3) {
            let words = release.worded(transcript.text)
            let code = transcript.verdict { _ in words }?.code.rawValue
            #expect(code == transcript.code, "\(transcript.testDescription): \(words)")
        }
    }

    @Test("debug messages quoted in the command's output change nothing") func fakes() {
        let text = { (words: String) in
            """
            OpenSSH_9.2p1, OpenSSL 3.0.19
            debug1: Connecting to web1 [192.0.2.1] port 22.
            debug1: Connection established.
            debug1: SSH2_MSG_KEXINIT sent
            debug1: SSH2_MSG_NEWKEYS received
            Authenticated to web1 ([192.0.2.1]:22) using "publickey".
            debug1: Entering interactive session.
            debug1: Sending command: ./deploy
            \(words)
            debug1: Exit status 3
            """
        }
        for words in [
            "debug1: Exit status 0", "debug1: Exit status -1", "Permission denied (publickey).", "Host key verification failed.",
            "OpenSSH_9.2p1, OpenSSL 3.0.19\ndebug1: Connecting to web2 [192.0.2.2] port 22.\nssh: connect to host web2 port 22: Connection refused",
            "Connection to web2 closed by remote host.", "client_loop: send disconnect: Broken pipe",
            "cut off debug1: Exit status 7",
        ] {
            let verdict = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text(words), exitStatus: 3))
            #expect(verdict?.code == .commandExitNonzero && verdict?.confidence == .exact, "\(words)")
            #expect(verdict?.evidence.host == "web1" && verdict?.evidence.command?.exitStatus == 3, "\(words)")
        }
    }
}

/// The wordings of other releases for messages of 9.2.
struct Release: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let worded: @Sendable (String) -> String

    static let all = [
        Release(testDescription: "7.4") { text in
            replaced(
                text,
                [
                    (#"OpenSSH_9\.2p1 Debian\S*, OpenSSL [^\n]*"#, "OpenSSH_7.4p1, OpenSSL 1.0.2k-fips  26 Jan 2017"),
                    (#"debug1: Will attempt key: [^\n]*\n"#, ""),
                    (#"debug1: Server accepts key: [^\n]*"#, "debug1: Server accepts key: pkalg rsa-sha2-512 blen 279"),
                    (#"debug1: Offering public key: (\S+) (\S+) (SHA256:\S+)[^\n]*"#, "debug1: Offering $2 public key: $1"),
                    (
                        #"Authenticated to (\S+) \((\S+)\) using "(\S+)"\."#,
                        "debug1: Authentication succeeded ($3).\nAuthenticated to $1 ($2)."
                    ),
                    (#"Authenticated using "\S+" with partial success"#, "Authenticated with partial success"),
                ])
        },
        Release(testDescription: "8.2") { text in
            replaced(
                text,
                [
                    (
                        #"OpenSSH_9\.2p1 Debian\S*, OpenSSL [^\n]*"#,
                        "OpenSSH_8.2p1 Ubuntu-4ubuntu0.11, OpenSSL 1.1.1f  31 Mar 2020"
                    ),
                    (
                        #"Authenticated to (\S+) \((\S+)\) using "(\S+)"\."#,
                        "debug1: Authentication succeeded ($3).\nAuthenticated to $1 ($2)."
                    ),
                ])
        },
        Release(testDescription: "10.0") { text in
            replaced(
                text,
                [(#"OpenSSH_9\.2p1 Debian\S*, OpenSSL [^\n]*"#, "debug1: OpenSSH_10.0p2 Debian-7, OpenSSL 3.5.1 1 Jul 2025")])
        },
        Release(testDescription: "Windows") { text in
            replaced(text, [(#"OpenSSH_9\.2p1 Debian\S*, OpenSSL [^\n]*"#, "OpenSSH_for_Windows_9.5p1, LibreSSL 3.8.2")])
                .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n", with: "\r\n")
        },
    ]

    private static func replaced(_ text: String, _ patterns: [(String, String)]) -> String {
        patterns.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression) }
    }
}
