/// A message that libssh2 discards, read from the payload that it is about to free.
///
/// The buffer holds the payload, then padding and the room for a MAC, so a message may end before it; nothing else about its
/// shape is taken on trust. Pure and total: any bytes give a message or nil.
enum ObservedPayload: Sendable, Equatable {
    /// SSH_MSG_USERAUTH_FAILURE (RFC 4252 section 5.1).
    case authenticationFailure(methods: [String], partialSuccess: Bool)
    /// SSH_MSG_USERAUTH_BANNER (RFC 4252 section 5.4).
    case authenticationBanner(String)
    /// SSH_MSG_CHANNEL_OPEN_CONFIRMATION (RFC 4254 section 5.1), with our number of the channel and the server's.
    case channelOpened(UInt32, theirs: UInt32)
    /// SSH_MSG_CHANNEL_OPEN_FAILURE.
    case channelOpenFailed(UInt32, reason: UInt32, description: String)
    /// SSH_MSG_CHANNEL_EOF (RFC 4254 section 5.3).
    case endOfData(UInt32)
    /// SSH_MSG_CHANNEL_CLOSE.
    case channelClosed(UInt32)
    /// `exit-status` (RFC 4254 section 6.10).
    case exitStatus(UInt32, UInt32)
    /// `exit-signal`.
    case exitSignal(UInt32, SSHExitSignal)

    /// At most padding (255) and the longest MAC that libssh2 knows (64) may follow a message.
    static let longestTail = 255 + 64

    /// So many bytes of a text are kept. A longer one does not make the fact that it explains unknown.
    static let keptText = 4096

    init?(_ buffer: UnsafeRawBufferPointer) {
        guard let type = buffer.first else { return nil }
        var reader = Reader(buffer.dropFirst())
        switch type {
        case 51:
            guard let methods = reader.ascii(longest: 1024), let partial = reader.boolean() else { return nil }
            self = .authenticationFailure(methods: methods.split(separator: ",").map(String.init), partialSuccess: partial)
        case 53:
            // A packet that never came whole ends in zeros.
            guard let text = reader.text(longest: 32768), !text.utf8.contains(0), reader.text(longest: 256) != nil
            else { return nil }
            self = .authenticationBanner(text)
        case 91:
            guard let channel = reader.uint32(), let theirs = reader.uint32(), reader.uint32() != nil, reader.uint32() != nil
            else { return nil }
            self = .channelOpened(channel, theirs: theirs)
        case 92:
            guard let channel = reader.uint32(), let reason = reader.uint32(), let text = reader.text(keeping: Self.keptText),
                reader.text(keeping: 0) != nil
            else { return nil }
            self = .channelOpenFailed(channel, reason: reason, description: text)
        case 96, 97:
            guard let channel = reader.uint32() else { return nil }
            self = type == 96 ? .endOfData(channel) : .channelClosed(channel)
        case 98:
            guard let request = Self.exit(&reader) else { return nil }
            self = request
        default: return nil
        }
        guard reader.remaining <= Self.longestTail else { return nil }
    }

    private static func exit(_ reader: inout Reader) -> ObservedPayload? {
        guard let channel = reader.uint32(), let name = reader.ascii(longest: 16), reader.boolean() == false else { return nil }
        switch name {
        case "exit-status":
            return reader.uint32().map { .exitStatus(channel, $0) }
        case "exit-signal":
            guard let signal = reader.ascii(longest: 128), let core = reader.boolean(),
                let text = reader.text(keeping: Self.keptText), reader.text(keeping: 0) != nil
            else { return nil }
            return .exitSignal(channel, SSHExitSignal(name: signal, coreDumped: core, message: text))
        default: return nil
        }
    }

    /// RFC 4251 section 5, with a bound on every string.
    private struct Reader {
        private var bytes: Slice<UnsafeRawBufferPointer>
        var remaining: Int { bytes.count }

        init(_ bytes: Slice<UnsafeRawBufferPointer>) {
            self.bytes = bytes
        }

        mutating func uint32() -> UInt32? {
            guard bytes.count >= 4 else { return nil }
            defer { bytes = bytes.dropFirst(4) }
            return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }

        mutating func boolean() -> Bool? {
            guard let byte = bytes.first, byte <= 1 else { return nil }
            bytes = bytes.dropFirst()
            return byte == 1
        }

        mutating func text(longest: Int) -> String? {
            guard let length = uint32(), length <= longest, bytes.count >= Int(length) else { return nil }
            defer { bytes = bytes.dropFirst(Int(length)) }
            return String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
        }

        /// A text of any length, of which the beginning is kept.
        mutating func text(keeping count: Int) -> String? {
            guard let length = uint32(), bytes.count >= Int(length) else { return nil }
            defer { bytes = bytes.dropFirst(Int(length)) }
            return String(decoding: bytes.prefix(min(count, Int(length))), as: UTF8.self)
        }

        /// A name: printable US-ASCII (RFC 4251 section 6).
        mutating func ascii(longest: Int) -> String? {
            text(longest: longest).flatMap { name in name.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? name : nil }
        }
    }
}
