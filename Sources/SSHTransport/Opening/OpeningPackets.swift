/// Follows the packets that a server sends in the clear, from its identification to its SSH_MSG_NEWKEYS (RFC 4253 sections 6 to 7).
///
/// Pure: bytes in, findings out. It rejects, before libssh2 sees it, what libssh2 would keep without need or misread: a message
/// that has no place in a key exchange.
struct OpeningPackets: Sendable {
    /// The server's lists, once its SSH_MSG_KEXINIT has come and makes sense.
    private(set) var algorithms: SSHAlgorithmLists?
    /// Whether a whole SSH_MSG_KEXINIT has come.
    private(set) var hasLists = false
    /// Whether anything came behind it.
    private(set) var isAnswered = false
    /// Whether SSH_MSG_NEWKEYS has come: what follows is enciphered.
    private(set) var hasEnded = false

    /// Whether a server is refused that names a method of key exchange which is only a client's sign; see ``clientSigns``.
    private let refusesClientSigns: Bool

    /// How many of the bytes that came last are behind SSH_MSG_NEWKEYS.
    private(set) var encipheredCount = 0

    /// What is known of the packet that is coming: its first bytes, or all of them where they are to be read.
    private var head: [UInt8] = []
    /// How many bytes of it, behind the head, are still to come.
    private var rest = 0
    private var hasExchange = false

    /// What a client names among its methods to show what it can do (RFC 8308 section 2.1, OpenSSH's PROTOCOL section 1.10). A server
    /// must not; libssh2 1.11 would take the name for a method, and call a function that is not there.
    private static let clientSigns: Set<String> = ["ext-info-c", "kex-strict-c-v00@openssh.com"]

    /// The packet's length, its padding's length and the message number.
    private static let headLength = 6

    /// Takes the next bytes.
    ///
    /// - Returns: what the server must not have sent, if it has.
    mutating func take(_ bytes: some Collection<UInt8>) -> SSHProtocolViolation? {
        var bytes = bytes[...]
        while !bytes.isEmpty, !hasEnded {
            if hasLists { isAnswered = true }
            if rest > 0 {
                let part = bytes.prefix(rest)
                rest -= part.count
                bytes = bytes.dropFirst(part.count)
                if isKeyExchangeInit { head.append(contentsOf: part) }
                if rest == 0, let violation = finish() { return violation }
                continue
            }
            head.append(bytes.removeFirst())
            guard head.count == Self.headLength else { continue }
            if let violation = begin() { return violation }
            if rest == 0, let violation = finish() { return violation }
        }
        encipheredCount = bytes.count
        return nil
    }

    private var isKeyExchangeInit: Bool { head.count >= Self.headLength && head[5] == 20 }

    private mutating func begin() -> SSHProtocolViolation? {
        let (length, padding, message) = (KeyExchangeInit.length(head) - 4, Int(head[4]), head[5])
        // libssh2 takes no packet that is longer.
        guard length >= padding + 2, length <= 40_000 else { return .malformedPacket }
        rest = 4 + length - Self.headLength
        switch message {
        // A DISCONNECT without a reason code: libssh2 would end the session, and nothing would say that the server did.
        case 1 where length - padding - 1 < 5: return .malformedPacket
        // DISCONNECT, IGNORE, UNIMPLEMENTED, DEBUG.
        case 1...4: return nil
        case 20: return hasLists ? .unexpectedMessage(message) : nil
        // NEWKEYS ends an exchange of keys, whose methods have the numbers from 30 to 49 (RFC 4250 section 4.1.1).
        case 21: return hasExchange ? nil : .unexpectedMessage(message)
        case 30...49:
            guard hasLists else { return .unexpectedMessage(message) }
            hasExchange = true
            return nil
        default: return .unexpectedMessage(message)
        }
    }

    init(refusesClientSigns: Bool = false) { self.refusesClientSigns = refusesClientSigns }

    private mutating func finish() -> SSHProtocolViolation? {
        if isKeyExchangeInit {
            hasLists = true
            algorithms = KeyExchangeInit.parse(head)
        }
        if head[5] == 21 { hasEnded = true }
        head.removeAll(keepingCapacity: false)
        let isForeign = algorithms?.keyExchange.contains { Self.clientSigns.contains($0) } == true
        return refusesClientSigns && isForeign ? .clientOnlyMethod : nil
    }
}
