/// What speaks on a port where SSH was expected, known by its first bytes or words.
struct ForeignService: Sendable {
    /// What it is, with its article.
    let name: String
    private let matches: @Sendable (Opening) -> Bool

    /// What a peer said first.
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
        /// A reply line of the FTP and SMTP family (RFC 959 section 4.2, RFC 5321 section 4.2).
        func replies(_ codes: String...) -> Bool {
            codes.contains { text.hasPrefix($0 + " ") || text.hasPrefix($0 + "-") || text == $0 }
        }
    }

    /// The service that opened like this, if it is one that is known.
    static func named(_ evidence: SSHEvidence) -> String? {
        let opening = Opening(evidence)
        guard !opening.bytes.isEmpty, evidence.identification?.hasPrefix("SSH-") != true else { return nil }
        return rows.first { $0.matches(opening) }?.name
    }

    private init(_ name: String, _ matches: @escaping @Sendable (Opening) -> Bool) {
        self.name = name
        self.matches = matches
    }

    /// First match wins: the more telling rows come first.
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

    /// Whether bytes are not text: a NUL, or another control character than those that lines hold.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x07 || (0x0E..<0x1B).contains($0) || $0 == 0xFF || $0 == 0xFE }
    }
}
