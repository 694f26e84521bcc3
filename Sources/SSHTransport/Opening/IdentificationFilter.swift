/// Finds the server's identification line (RFC 4253 section 4.2) in its first bytes.
///
/// Pure: bytes in, verdict out. libssh2 gets nothing before that line, because 1.10 treats a blank line in a server's greeting
/// as a failure, and any version reads any amount of other text.
struct IdentificationFilter: Sendable {
    /// The first bytes received, from which the kind of service is recognised.
    private(set) var firstBytes: [UInt8] = []
    /// Lines before the identification line.
    private(set) var linesBefore: [String] = []
    /// The line itself, without its line terminator.
    private(set) var identification: String?

    private var line: [UInt8] = []
    private var total = 0

    static let maximumFirstBytes = 512
    /// The longest identification line, without its end, that libssh2 may be given.
    let maximumIdentificationLength: Int
    /// The most bytes that a peer may send before it identifies itself: far more than any greeting, far less than a flood.
    static let maximumOpeningLength = 1 << 20
    /// The longest line that OpenSSH reads (SSH_MAX_BANNER_LEN). No identification line follows a longer line.
    static let maximumLineLength = 8192

    /// - Parameter maximumIdentificationLength: 253 is what RFC 4253 allows, CR LF excluded.
    init(maximumIdentificationLength: Int = 253) { self.maximumIdentificationLength = maximumIdentificationLength }

    /// The verdict on the bytes so far.
    enum Outcome: Sendable, Equatable {
        /// Undecided: more bytes must come.
        case more
        /// The identification line is complete; the bytes from this index of the input on follow it.
        case found(rest: Int)
        /// The bytes are not SSH.
        case notSSH
    }

    /// Takes the next bytes. After `found` or `notSSH` it must not be called again.
    mutating func take(_ bytes: some Collection<UInt8>) -> Outcome {
        if firstBytes.count < Self.maximumFirstBytes {
            firstBytes.append(contentsOf: bytes.prefix(Self.maximumFirstBytes - firstBytes.count))
        }
        total += bytes.count
        var index = 0
        for byte in bytes {
            index += 1
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Self.maximumLineLength {
                    line.append(byte)
                } else if !isIdentification {
                    return .notSSH
                }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if isIdentification {
                identification = String(decoding: line, as: UTF8.self)
                return isReadable ? .found(rest: index) : .notSSH
            }
            keep(line)
            line.removeAll(keepingCapacity: true)
        }
        return total > Self.maximumOpeningLength || ServiceGreeting.isForeign(firstBytes) ? .notSSH : .more
    }

    /// Whether the line begins with `SSH-`. This is checked for each byte of a line that is too long.
    private var isIdentification: Bool {
        line.count >= 4 && line[0] == UInt8(ascii: "S") && line[1] == UInt8(ascii: "S") && line[2] == UInt8(ascii: "H")
            && line[3] == UInt8(ascii: "-")
    }

    /// Whether libssh2 may be given this line: protocol 2 (1.99 means 2 with compatibility), and not longer than it reads.
    private var isReadable: Bool {
        let isVersion2 = line.starts(with: Array("SSH-2.0-".utf8)) || line.starts(with: Array("SSH-1.99-".utf8))
        return isVersion2 && line.count <= maximumIdentificationLength && !line.contains(0)
    }

    /// The bytes that libssh2 gets in place of everything up to the end of the identification line.
    var identificationForLibrary: [UInt8] {
        identification.map { Array($0.utf8) + Array("\r\n".utf8) } ?? []
    }

    private mutating func keep(_ line: [UInt8]) {
        guard linesBefore.count < 16 else { return }
        linesBefore.append(String(decoding: line.prefix(512), as: UTF8.self))
    }

    /// At the end of the stream: a last line without a line end counts as a line.
    mutating func finish() {
        guard identification == nil, !line.isEmpty else { return }
        keep(line)
        line = []
    }
}

/// First bytes of other services that speak first or answer the client's identification line.
enum ServiceGreeting {
    /// Whether these first bytes can only belong to another protocol, so that waiting for more is useless.
    static func isForeign(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        if bytes[0] == 0x15 || bytes[0] == 0x16, bytes[1] == 0x03 { return true }  // TLS record: alert, handshake
        return prefixes.contains { bytes.starts(with: $0.utf8) }
    }

    // A numeric greeting is complete only with its line: "220" alone could still be a banner's first word.
    private static let prefixes = [
        "HTTP/", "220 ", "220-", "554 ", "421 ", "+OK ", "* OK ", "* BYE ", "RFB 00", "-ERR ", "-DENIED", "ERROR\r\n",
        "<!DOCTYPE", "<html", "<?xml",
    ]
}
