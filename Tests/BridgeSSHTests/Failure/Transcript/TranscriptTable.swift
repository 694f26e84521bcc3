import BridgeSSH
import SSHTestSupport
import Testing

/// Messages of clients of every age, and their codes. The wording comes from the sources of the named releases.
struct TranscriptCase: Sendable, CustomTestStringConvertible {
    let code: SSHError.Code?
    let text: String
    let exit: Int?
    let command: String

    init(_ code: SSHError.Code?, _ text: String, exit: Int? = 255, _ command: String = "ssh web1 uptime") {
        self.code = code
        self.text = text
        self.exit = exit
        self.command = command
    }

    var testDescription: String { "\(code?.rawValue ?? "none"): \(text.prefix(60))" }
}

enum TranscriptTable {
    static let changed = """
        @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
        @    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
        @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
        IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!
        The fingerprint for the RSA key sent by the remote host is
        SHA256:abc.
        Offending TYPE key in /home/a/.ssh/known_hosts:7
        Host key verification failed.
        """

    static let cases: [TranscriptCase] = [
        TranscriptCase(.resolveHostNotFound, "ssh: Could not resolve hostname web1: Name or service not known"),
        TranscriptCase(
            .resolveHostNotFound, "ssh: Could not resolve hostname web1: nodename nor servname provided, or not known"),
        TranscriptCase(.resolveTemporaryFailure, "ssh: Could not resolve hostname web1: Temporary failure in name resolution"),
        TranscriptCase(.connectRefused, "ssh: connect to host web1 port 22: Connection refused\r\n"),
        TranscriptCase(.connectTimedOut, "ssh: connect to host web1 port 22: Operation timed out"),
        TranscriptCase(
            .connectFailed,
            "ssh: connect to host web1 port 22: Network is unreachable\nssh: connect to host web1 port 22: Connection refused"),
        TranscriptCase(.bannerClosed, "ssh_exchange_identification: Connection closed by remote host"),
        TranscriptCase(.bannerClosed, "ssh_exchange_identification: read: Connection reset by peer"),
        TranscriptCase(
            .bannerTimedOut, "Connection timed out during banner exchange\nConnection to 192.0.2.1 port 22 timed out"),
        TranscriptCase(.bannerUnsupportedVersion, "Protocol major versions differ: 2 vs. 1"),
        TranscriptCase(.bannerNotSSH, "Bad remote protocol version identification: '220 mail ESMTP'"),
        TranscriptCase(
            .kexNoCommonKex,
            "Unable to negotiate with 192.0.2.1 port 22: no matching key exchange method found. Their offer: diffie-hellman-group1-sha1"
        ),
        TranscriptCase(.kexNoCommonKex, "Unable to negotiate a key exchange method"),
        TranscriptCase(.kexNoCommonCipher, "no matching cipher found: client aes128-ctr server 3des-cbc"),
        TranscriptCase(.hostKeyChanged, changed.replacing("TYPE", with: "RSA")),
        TranscriptCase(.hostKeyOtherTypeKnown, changed.replacing("TYPE", with: "ED25519")),
        TranscriptCase(
            .hostKeyUnknown,
            "No RSA host key is known for web1 and you have requested strict checking.\nHost key verification failed."),
        TranscriptCase(
            .hostKeyRevoked, "@       WARNING: REVOKED HOST KEY DETECTED!               @\nHost key verification failed."),
        TranscriptCase(
            .keyPermissionsTooOpen,
            """
            @         WARNING: UNPROTECTED PRIVATE KEY FILE!          @
            Permissions 0644 for '/k' are too open.
            bad permissions: ignore key: /k
            Permission denied (publickey).
            """),
        TranscriptCase(.keyFormatInvalid, "Load key \"/k\": invalid format\na@web1: Permission denied (publickey)."),
        TranscriptCase(
            .keyPassphraseWrong,
            "Load key \"/k\": incorrect passphrase supplied to decrypt private key\na@web1: Permission denied (publickey)."),
        TranscriptCase(
            .keyNotFound,
            "Warning: Identity file /k not accessible: No such file or directory.\na@web1: Permission denied (publickey)."),
        TranscriptCase(.agentRefused, "Agent admitted failure to sign using the key.\nPermission denied (publickey)."),
        TranscriptCase(
            .agentRefused, "sign_and_send_pubkey: signing failed: agent refused operation\na@web1: Permission denied (publickey)."
        ),
        TranscriptCase(
            .authRSASHA1Rejected, "sign_and_send_pubkey: no mutual signature supported\na@web1: Permission denied (publickey)."),
        TranscriptCase(.authKeyRejected, "Permission denied (publickey)."),
        TranscriptCase(
            .authPasswordRejected, "Permission denied, please try again.\na@web1: Permission denied (publickey,password)."),
        TranscriptCase(.authTooManyAttempts, "Received disconnect from 192.0.2.1: 2: Too many authentication failures for root"),
        TranscriptCase(
            .authTooManyAttempts,
            "Received disconnect from 192.0.2.1 port 22:2: Too many authentication failures\nDisconnected from 192.0.2.1 port 22"),
        TranscriptCase(
            .channelJumpTargetUnreachable,
            "channel 0: open failed: connect failed: Connection refused\nstdio forwarding failed\nConnection closed by UNKNOWN port 65535"
        ),
        TranscriptCase(.connectProxyFailed, "nc: no such host\nConnection closed by UNKNOWN port 65535"),
        TranscriptCase(.channelExecDenied, "exec request failed on channel 0"),
        TranscriptCase(.commandOutcomeUnknown, "SSH command execution is not supported."),
        TranscriptCase(
            .channelSubsystemMissing, "subsystem request failed on channel 0\nConnection closed", exit: 255, "sftp web1"),
        TranscriptCase(.sessionConnectionLost, "Write failed: Broken pipe"),
        TranscriptCase(.sessionConnectionLost, "packet_write_wait: Connection to 192.0.2.1 port 22: Broken pipe"),
        TranscriptCase(.sessionConnectionLost, "client_loop: send disconnect: Broken pipe"),
        TranscriptCase(.sessionConnectionLost, "Connection to web1 closed by remote host."),
        TranscriptCase(.sessionKeepaliveTimedOut, "Timeout, server web1 not responding."),
        TranscriptCase(.localConfigInvalid, "Bad owner or permissions on /home/a/.ssh/config"),
        TranscriptCase(
            .localConfigInvalid, "/c: line 3: Bad configuration option: frob\n/c: terminating, 1 bad configuration options"),
        // Others that run ssh, and other libraries.
        TranscriptCase(
            .connectRefused,
            #"fatal: [w]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: ssh: connect to host web1 port 22: Connection refused", "unreachable": true}"#,
            exit: 4, "ansible w -m ping"),
        TranscriptCase(
            .authKeyRejected,
            "git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.", exit: 128,
            "git fetch"),
        TranscriptCase(
            .connectRefused,
            "ssh: connect to host web1 port 22: Connection refused\nrsync: connection unexpectedly closed (0 bytes received so far) [sender]\nrsync error: unexplained error (code 255) at io.c(228)",
            "rsync a web1:"),
        TranscriptCase(
            .hostKeyUnknown, "paramiko.ssh_exception.SSHException: Server 'web1' not found in known_hosts", exit: nil, ""),
        TranscriptCase(
            .authKeyRejected, "asyncssh.misc.PermissionDenied: Permission denied for user a on host web1", exit: nil, ""),
        // The remote command's own status, whatever it says.
        TranscriptCase(.commandExitNonzero, "Host key verification failed.", exit: 1),
        TranscriptCase(.commandNotFound, "bash: frob: command not found", exit: 127),
        TranscriptCase(.commandExitNonzero, "oops", exit: 255),
        TranscriptCase(nil, "Host key verification failed.", exit: 0),
        TranscriptCase(nil, "all is well", exit: nil, ""),
    ]
}

@Suite("Transcripts of plain clients")
struct TranscriptTests {
    @Test("each wording has its code", arguments: TranscriptTable.cases)
    func table(_ row: TranscriptCase) {
        let verdict = SSHTranscriptClassifier.classify(
            SSHTranscript(standardError: row.text, exitStatus: row.exit, command: row.command))
        #expect(verdict?.code == row.code, "\(verdict?.message ?? "")")
        if let verdict { #expect(!verdict.message.isEmpty) }
    }

    @Test(
        "words that a nested ssh could have said are a guess",
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
        // A name may have several addresses, and ssh tells of the last one's failure only.
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
        let pieces = TranscriptTable.cases.map(\.text) + ["{", "\"msg\": \"", "UNREACHABLE!", "\\", "\u{0}", "日本", ": "]
        for _ in 0..<500 {
            let text = (0..<6).map { _ in
                let piece = pieces.randomElement(using: &generator) ?? ""
                return String(piece.prefix(Int.random(in: 0...piece.count, using: &generator)))
            }.joined()
            _ = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: 255, command: text))
        }
    }
}
