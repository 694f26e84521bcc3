/// The identification exchange (RFC 4253 section 4.2). The peer's text is examined before the end of the stream: the text is the
/// cause, the close a consequence.
enum BannerRules {
    static let all = spoken + broken + unreadable + deadline

    /// Verdicts on the peer's text, regardless of how the connection ended.
    static let spoken: [FailureRule] = [
        FailureRule(
            .bannerServerBusy, .exact, source: "OpenSSH sshd.c: drop_connection", when: { $0.peerSaid("exceeded maxstartups") }
        ) {
            VerdictText(
                "\($0.endpoint) refused the connection: too many unauthenticated connections.",
                hint: "Wait a moment and try again; on the server, \(setting: "MaxStartups") in sshd_config sets the limit.")
        },
        FailureRule(
            .bannerSourcePenalised, .exact, source: "OpenSSH 9.8 sshd.c; sshd_config(5): PerSourcePenalties",
            when: { $0.peerSaid("not allowed at this time") }
        ) {
            VerdictText(
                "\($0.endpoint) temporarily refuses connections from this address: \"Not allowed at this time\".",
                hint: """
                    Wait at least 15 seconds, and do not keep trying: each failed login makes the wait longer. On the server, \
                    \(setting: "PerSourcePenalties") in sshd_config sets it.
                    """,
                alternatives: ["too many failed or unfinished logins came from this address", "MaxStartups was reached"])
        },
        FailureRule(
            .bannerNotSSH, .exact, source: "the protocols' own openings, see ForeignService",
            when: { ForeignService.named($0) != nil }
        ) {
            VerdictText(
                "The service on \($0.endpoint) is \(ForeignService.named($0) ?? "another service"), not SSH.",
                hint: "Check the port: SSH is usually on 22.")
        },
        FailureRule(.bannerUnsupportedVersion, .exact, source: "RFC 4253 section 5.1", when: speaksVersion1Only) {
            VerdictText(
                "\($0.endpoint) speaks SSH version 1 only (\($0.identification?.oneLine(80) ?? "")), which is "
                    + "insecure.",
                hint: "Update the SSH server, or enable version 2 in its settings.")
        },
        FailureRule(
            .bannerLibraryLimit, .exact, source: "libssh2 1.10 session.c: banner_receive; fixed in 1.11",
            when: { $0.identification?.hasPrefix("SSH-") == true && $0.libraryFailed(.banner) }
        ) {
            VerdictText(
                "libssh2 \($0.libraryVersion) cannot read the greeting of \($0.endpoint), although it is valid.",
                hint: "Use libssh2 1.11 or later, or remove the lines before the identification line on the server.")
        },
        FailureRule(
            .bannerLibraryLimit, .exact, source: "libssh2 1.10 session.c: banner_receive reads 255 bytes, 1.11 reads 8191",
            when: isTooLong
        ) {
            VerdictText(
                "The identification line of \($0.endpoint) is too long for libssh2 \($0.libraryVersion): "
                    + "\($0.identification?.utf8.count ?? 0) bytes, where SSH allows 253.",
                hint: $0.libraryIsOlder(than: 1, 11)
                    ? """
                    Use libssh2 1.11 or later, which reads longer ones, or shorten the line on the server \
                    (\(setting: "VersionAddendum")). \(.openSSH("Or use", "reads it."))
                    """
                    : "Shorten the line on the server (\(setting: "VersionAddendum")).")
        },
        FailureRule(
            .bannerServerBusy, .likely, source: "words of other servers and of bastions",
            when: { evidence in ["too many connections", "server busy", "too busy"].contains { evidence.peerSaid($0) } }
        ) {
            VerdictText(
                "\($0.endpoint) refused the connection: \"\(quote($0))\".",
                hint: "Wait a moment and try again.")
        },
    ]

    /// A library call failed or the stream ended before the identification line was read.
    static let broken: [FailureRule] =
        spoken + [
            FailureRule(
                .bannerNotSSH, .likely, source: "RFC 4253 section 4.2: what comes first is text",
                when: { ForeignService.isBinary($0.firstBytes) }
            ) { notSSH($0) },
            FailureRule(
                .bannerClosed, .exact, source: "the byte stream: FIN or RST before any byte",
                when: { $0.streamHasEnded && $0.spokenLines.isEmpty }
            ) {
                VerdictText(
                    "\($0.endpoint) accepted the connection and \(ending($0)) without sending anything.",
                    hint: "Try again; if it persists, look at the server's log.",
                    alternatives: [
                        "the server is overloaded", "a firewall or load balancer without a server behind it",
                        "this address is denied (hosts.deny, PerSourcePenalties)", "sshd has no host key",
                    ])
            },
            FailureRule(
                .bannerClosed, .likely, source: "RFC 4253 section 4.2: lines may come before", when: { $0.streamHasEnded }
            ) {
                VerdictText(
                    "\($0.endpoint) \($0.streamEnding) before it identified itself, after sending \"\(quote($0))\".",
                    hint: "Act on the server's message; if that does not help, check the port.",
                    alternatives: ["this is not an SSH server", "the server refuses this address"])
            },
            FailureRule(
                .bannerTimedOut, .likely, source: "libssh2 returns -9 in this stage", when: { $0.libraryError == .timeout }
            ) {
                $0.libraryClockWasSet ? $0.clockRemedy : silence($0)
            },
            FailureRule(
                .bannerClosed, .likely, source: "libssh2 returns -13 and -43 in this stage",
                when: { $0.libraryFailed(.socket) }
            ) {
                VerdictText(
                    "The connection to \($0.endpoint) broke before the server identified itself.",
                    hint: "Try again; if it persists, look at the server's log.")
            },
            FailureRule(
                .bannerNotSSH, .guess, source: "libssh2 returns -2 in this stage", when: { $0.libraryFailed(.banner) }
            ) { notSSH($0) },
            LocalRules.unforeseen,
        ]

    static let unreadable: [FailureRule] =
        spoken + [
            FailureRule(
                .bannerNotSSH, .likely, source: "RFC 4253 section 4.2: no line that begins with SSH-",
                when: { !$0.spokenLines.isEmpty }
            ) { notSSH($0) },
            FailureRule(
                .bannerClosed, .likely, source: "nothing came to be read", when: { $0.streamHasEnded }
            ) {
                VerdictText(
                    "\($0.endpoint) \(ending($0)) before it identified itself.",
                    hint: "Try again; if it persists, look at the server's log.")
            },
            FailureRule(.bannerNotSSH, .guess, source: "what came is not an identification line") { notSSH($0) },
        ]

    static let deadline: [FailureRule] =
        spoken + [
            FailureRule(
                .bannerNotSSH, .likely, source: "RFC 4253 section 4.2: what comes first is text",
                when: { ForeignService.isBinary($0.firstBytes) }
            ) { notSSH($0) },
            FailureRule(.bannerTimedOut, .exact, source: "our own clock", when: { $0.spokenLines.isEmpty }) { silence($0) },
            FailureRule(.bannerTimedOut, .exact, source: "our own clock; a tarpit sends lines for ever") {
                VerdictText(
                    "\($0.endpoint) sent lines for \($0.awaitedTime), but none that identifies an SSH server; the first was \"\(quote($0))\".",
                    hint: "Check the port. A tarpit, which only keeps clients busy, behaves like this.",
                    alternatives: ["a tarpit", "another service than SSH"])
            },
        ]

    /// `SSH-1.99` also supports version 2.
    private static func speaksVersion1Only(_ evidence: SSHEvidence) -> Bool {
        guard let line = evidence.identification else { return false }
        return line.hasPrefix("SSH-1.") && !line.hasPrefix("SSH-1.99-")
    }

    /// Whether the only fault of a version 2 line is its length.
    private static func isTooLong(_ evidence: SSHEvidence) -> Bool {
        guard evidence.event == .identificationUnreadable, let line = evidence.identification else { return false }
        return (line.hasPrefix("SSH-2.0-") || line.hasPrefix("SSH-1.99-")) && line.utf8.count > 253 && !line.contains("\0")
    }

    private static func silence(_ evidence: SSHEvidence) -> VerdictText {
        if let proxy = evidence.proxy {
            return VerdictText(
                "Nothing from \(evidence.endpoint) came through the proxy command within \(evidence.awaitedTime).",
                hint: "Run it by itself to see what it waits for: \(run: proxy.command.oneLine())",
                alternatives: ["the proxy command waits for input", "the server is overloaded or hangs"])
        }
        return VerdictText(
            "\(evidence.endpoint) accepted the connection but sent nothing for \(evidence.awaitedTime).",
            hint: "Check the port, and whether the server is overloaded or stopped.",
            alternatives: [
                "a service that waits for the client to speak first", "the server is overloaded or hangs",
                "a firewall that accepts connections and does not pass them on",
            ])
    }

    private static func notSSH(_ evidence: SSHEvidence) -> VerdictText {
        let quoted =
            evidence.spokenLines.isEmpty || ForeignService.isBinary(evidence.firstBytes)
            ? "" : ": it sent \"\(quote(evidence))\""
        return VerdictText(
            "The service on \(evidence.endpoint) does not speak SSH\(quoted).",
            hint: "Check the port: SSH is usually on 22.")
    }

    private static func ending(_ evidence: SSHEvidence) -> String {
        evidence.stream == .closed ? "closed it" : evidence.stream == .reset ? "reset it" : evidence.streamEnding
    }

    private static func quote(_ evidence: SSHEvidence) -> String { evidence.spokenLines.first?.oneLine(120) ?? "" }
}

/// A service other than SSH, recognised by its first bytes or words.
struct ForeignService: Sendable {
    /// The name, with an article.
    let name: String
    private let matches: @Sendable (Opening) -> Bool

    /// The first bytes from a peer.
    struct Opening: Sendable {
        let bytes: [UInt8]
        let text: String
        init(_ evidence: SSHEvidence) {
            let lines = evidence.linesBeforeIdentification + [evidence.identification].compactMap { $0 }
            let joined = lines.joined(separator: "\n")
            bytes = evidence.firstBytes.isEmpty ? Array(joined.utf8) : evidence.firstBytes
            text = joined.isEmpty ? String(decoding: evidence.firstBytes, as: UTF8.self) : joined
        }

        func begins(_ bytes: UInt8...) -> Bool { self.bytes.starts(with: bytes) }
        func begins(_ words: String) -> Bool { text.hasPrefix(words) }
        func holds(_ words: String...) -> Bool {
            let lower = text.lowercased()
            return words.contains { lower.contains($0) }
        }
        /// Whether it begins with a reply line of the FTP and SMTP family (RFC 959 section 4.2, RFC 5321 section 4.2).
        func replies(_ codes: String...) -> Bool {
            codes.contains { text.hasPrefix($0 + " ") || text.hasPrefix($0 + "-") || text == $0 }
        }
    }

    /// The service with this opening, if known.
    static func named(_ evidence: SSHEvidence) -> String? {
        let opening = Opening(evidence)
        guard !opening.bytes.isEmpty, evidence.identification?.hasPrefix("SSH-") != true else { return nil }
        return rows.first { $0.matches(opening) }?.name
    }

    private init(_ name: String, _ matches: @escaping @Sendable (Opening) -> Bool) {
        self.name = name
        self.matches = matches
    }

    /// The first match applies, so more specific rows come first.
    private static let rows: [ForeignService] = [
        ForeignService("a TLS server (such as HTTPS)") {  // RFC 8446 section 5.1: alert and handshake records
            $0.begins(0x15, 0x03) || $0.begins(0x16, 0x03)
        },
        ForeignService("a web server (HTTP)") {
            $0.begins("HTTP/") || $0.holds("<!doctype html", "<html", "400 bad request")
        },
        ForeignService("a streaming server (RTSP)") { $0.begins("RTSP/") },
        ForeignService("a telephony server (SIP)") { $0.begins("SIP/2.0") },
        ForeignService("a mail server (SMTP)") {
            $0.replies("220", "421", "451", "500", "502", "550", "554") && $0.holds("smtp", "mail", "postfix", "exim")
        },
        ForeignService("a file server (FTP)") { $0.replies("220", "421", "500", "530") && $0.holds("ftp", "filezilla") },
        ForeignService("a mail or file server (SMTP or FTP)") { $0.replies("220", "421", "500", "502", "530", "554") },
        ForeignService("a news server (NNTP)") { $0.replies("200", "201") && $0.holds("nntp", "news", "posting", "inn") },
        ForeignService("a mail server (POP3)") { $0.begins("+OK") },
        ForeignService("a Redis server") {
            $0.begins("-DENIED") || $0.begins("-NOAUTH") || $0.begins("-MISCONF") || $0.begins("-LOADING")
                || $0.begins("-ERR") && $0.holds("unknown command", "wrong number of arguments", "protocol error", "max number")
        },
        ForeignService("a mail server (POP3) or Redis") { $0.begins("-ERR") },
        ForeignService("a mail server (IMAP)") { $0.begins("* OK") || $0.begins("* BYE") || $0.begins("* PREAUTH") },
        ForeignService("a memcached server") {
            $0.text == "ERROR" || $0.begins("ERROR\r") || $0.begins("ERROR\n") || $0.begins("CLIENT_ERROR")
        },
        ForeignService("a MySQL or MariaDB server") {  // a packet header with sequence 0, then protocol 10 or an error
            $0.bytes.count > 5 && $0.bytes[3] == 0 && $0.bytes[2] == 0 && ($0.bytes[4] == 0x0A || $0.bytes[4] == 0xFF)
        },
        ForeignService("a PostgreSQL server") {  // ErrorResponse: 'E' and a length, or its words before version 3
            $0.begins(0x45, 0x00, 0x00) || $0.holds("unsupported frontend protocol", "invalid length of startup packet")
        },
        ForeignService("a remote desktop server (RDP)") { $0.begins(0x03, 0x00, 0x00) },  // TPKT, RFC 1006 section 6
        ForeignService("a VNC server") { $0.begins("RFB 0") },
        ForeignService("a telnet server") {  // IAC and WILL, WONT, DO or DONT (RFC 854)
            $0.bytes.count > 1 && $0.bytes[0] == 0xFF && (0xFB...0xFE).contains($0.bytes[1])
        },
        ForeignService("an rsync server") { $0.begins("@RSYNCD:") },
        ForeignService("an XMPP server") { $0.holds("<stream:stream", "<?xml") },
        ForeignService("an AMQP server") { $0.begins("AMQP") },
        ForeignService("an IRC server") {
            $0.begins("NOTICE AUTH") || $0.begins("ERROR :") || $0.holds(" notice * :", " notice auth :")
        },
    ]

    /// Whether the bytes are not text: they contain a NUL, or a control character that does not occur in lines.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x07 || (0x0E..<0x1B).contains($0) || $0 == 0xFF || $0 == 0xFE }
    }
}
