/// A message that libssh2 discards, read from the payload that it is about to free.
///
/// The buffer holds the payload, then padding and space for a MAC, so a message may end before the buffer does. No other
/// property of its form is trusted. Pure and total: any bytes give a message or nil.
enum ObservedPayload: Sendable, Equatable {
    /// SSH_MSG_USERAUTH_FAILURE (RFC 4252 section 5.1).
    case authenticationFailure(methods: [String], partialSuccess: Bool)
    /// SSH_MSG_USERAUTH_BANNER (RFC 4252 section 5.4).
    case authenticationBanner(String)
    /// `hostkeys-00@openssh.com` (OpenSSH's PROTOCOL, section 2.5): the blobs of the server's host keys.
    case hostKeys([[UInt8]])
    /// SSH_MSG_REQUEST_SUCCESS (RFC 4254 section 4) with signatures: the answer to `hostkeys-prove-00@openssh.com` (OpenSSH's
    /// PROTOCOL, section 2.5).
    case signatures([[UInt8]])
    /// SSH_MSG_REQUEST_FAILURE.
    case globalRequestRefused
    /// SSH_MSG_CHANNEL_OPEN_CONFIRMATION (RFC 4254 section 5.1), with the client's and the server's channel number.
    case channelOpened(UInt32, theirs: UInt32)
    /// SSH_MSG_CHANNEL_OPEN_FAILURE.
    case channelOpenFailed(UInt32, reason: UInt32, description: String)
    /// SSH_MSG_CHANNEL_EOF (RFC 4254 section 5.3).
    case endOfData(UInt32)
    /// SSH_MSG_CHANNEL_CLOSE.
    case channelClosed(UInt32)
    /// `exit-status` (RFC 4254 section 6.10).
    case exitStatus(UInt32, UInt32)
    case exitSignal(UInt32, SSHExitSignal)

    /// At most padding (255) and the longest MAC that libssh2 knows (64) may follow a message.
    static let maximumTailLength = 255 + 64

    /// The number of bytes that are kept of a text. A longer text does not invalidate its message.
    static let keptText = 4096

    init?(_ buffer: UnsafeRawBufferPointer) {
        guard let type = buffer.first else { return nil }
        var reader = Reader(buffer.dropFirst())
        switch type {
        case 51:
            guard let methods = reader.ascii(maximumLength: 1024), let partial = reader.boolean() else { return nil }
            self = .authenticationFailure(methods: methods.split(separator: ",").map(String.init), partialSuccess: partial)
        case 53:
            // A packet that never came whole ends in zeros.
            guard let text = reader.text(maximumLength: 32768), !text.utf8.contains(0), reader.text(maximumLength: 256) != nil
            else { return nil }
            self = .authenticationBanner(text)
        case 80:
            guard let keys = Self.announcement(&reader) else { return nil }
            self = .hostKeys(keys)
        case 81:
            guard let signatures = Self.signatures(&reader) else { return nil }
            self = .signatures(signatures)
        case 82: self = .globalRequestRefused
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
        guard reader.remaining <= Self.maximumTailLength else { return nil }
    }

    /// The most host keys that are read: OpenSSH has four types.
    private static let maximumKeys = 32

    private static func announcement(_ reader: inout Reader) -> [[UInt8]]? {
        guard reader.ascii(maximumLength: 64) == "hostkeys-00@openssh.com", reader.boolean() != nil else { return nil }
        var keys: [[UInt8]] = []
        // The message does not contain its end. Padding does not begin with the name of a key type.
        while keys.count < maximumKeys, let key = reader.publicKey() { keys.append(key) }
        return keys.isEmpty ? nil : keys
    }

    private static func signatures(_ reader: inout Reader) -> [[UInt8]]? {
        var signatures: [[UInt8]] = []
        while signatures.count < maximumKeys, let signature = reader.signature() { signatures.append(signature) }
        return signatures.isEmpty ? nil : signatures
    }

    private static func exit(_ reader: inout Reader) -> ObservedPayload? {
        guard let channel = reader.uint32(), let name = reader.ascii(maximumLength: 16), reader.boolean() == false else {
            return nil
        }
        switch name {
        case "exit-status":
            return reader.uint32().map { .exitStatus(channel, $0) }
        case "exit-signal":
            guard let signal = reader.ascii(maximumLength: 128), let core = reader.boolean(),
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

        mutating func text(maximumLength: Int) -> String? {
            guard let length = uint32(), length <= maximumLength, bytes.count >= Int(length) else { return nil }
            defer { bytes = bytes.dropFirst(Int(length)) }
            return String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
        }

        /// The beginning of a text of any length.
        mutating func text(keeping count: Int) -> String? {
            guard let length = uint32(), bytes.count >= Int(length) else { return nil }
            defer { bytes = bytes.dropFirst(Int(length)) }
            return String(decoding: bytes.prefix(min(count, Int(length))), as: UTF8.self)
        }

        /// The blob of a public key, which begins with the name of its type (RFC 4253 section 6.6).
        mutating func publicKey() -> [UInt8]? { blob(beginningWith: PublicKeyAlgorithm.isKnown) }

        /// A signature, which begins with the name of its algorithm.
        mutating func signature() -> [UInt8]? { blob { !$0.isEmpty } }

        private mutating func blob(beginningWith isKnown: (String) -> Bool) -> [UInt8]? {
            var ahead = self
            guard let length = ahead.uint32(), length <= 16384, ahead.bytes.count >= Int(length) else { return nil }
            let blob = ahead.bytes.prefix(Int(length))
            var inside = Reader(blob)
            guard let name = inside.ascii(maximumLength: 64), isKnown(name) else { return nil }
            bytes = ahead.bytes.dropFirst(Int(length))
            return Array(blob)
        }

        /// A name: printable US-ASCII (RFC 4251 section 6).
        mutating func ascii(maximumLength: Int) -> String? {
            text(maximumLength: maximumLength).flatMap { name in name.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? name : nil
            }
        }
    }
}

/// SSH_MSG_CHANNEL_DATA or SSH_MSG_CHANNEL_EXTENDED_DATA (RFC 4254 section 5.2), found in a payload that libssh2 frees.
///
/// Pure and total, like ``ObservedPayload``: padding and space for a MAC may follow the message.
struct DataPayload: Sendable, Equatable {
    /// The client's channel number.
    let channel: UInt32
    /// 0 for standard output, else the data type code: 1 for standard error.
    let stream: UInt32
    /// The position of the data.
    let content: Range<Int>

    init?(_ payload: UnsafeRawBufferPointer) {
        guard let type = payload.first, type == 94 || type == 95 else { return nil }
        let head = type == 94 ? 9 : 13
        guard payload.count >= head else { return nil }
        func number(at offset: Int) -> UInt32 {
            UInt32(bigEndian: payload.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let rest = payload.count - head
        let length = number(at: head - 4)
        guard length <= rest, rest - Int(length) <= ObservedPayload.maximumTailLength else { return nil }
        channel = number(at: 1)
        stream = type == 94 ? 0 : number(at: 5)
        content = head..<(head + Int(length))
    }
}

/// The channel data that libssh2 has freed: data that was read, and data that it frees unread with the session. libssh2's queue
/// cannot be inspected, and libssh2 refuses every read after a DISCONNECT.
struct DataLedger: Sendable {
    struct Key: Sendable, Hashable {
        let channel: UInt32
        let stream: UInt32
    }

    /// The freed bytes of each stream of a channel.
    private struct StreamLengths: Sendable {
        private var output = 0
        private var error = 0

        subscript(stream: UInt32) -> Int {
            get { stream == 0 ? output : error }
            set { if stream == 0 { output = newValue } else { error = newValue } }
        }
    }

    private var lengths = OrderedTable<UInt32, StreamLengths>()
    private var unread: [(key: Key, bytes: ArraySlice<UInt8>)] = []
    private var keepsContent = false

    mutating func released(_ data: DataPayload, of payload: UnsafeRawBufferPointer) {
        // A server may name any number of channels and data types.
        guard data.stream <= 1, let index = lengths.index(of: data.channel) else { return }
        if keepsContent {
            unread.append((Key(channel: data.channel, stream: data.stream), ArraySlice(payload[data.content])))
        } else {
            lengths.change(at: index) { $0[data.stream] += data.content.count }
        }
    }

    /// Removes the note of a message that turned out to be altered.
    mutating func retract(_ data: DataPayload) {
        guard data.stream <= 1, let index = lengths.index(of: data.channel) else { return }
        lengths.change(at: index) { $0[data.stream] -= data.content.count }
    }

    /// A channel was opened. Another channel may have had its number before.
    mutating func open(_ channel: UInt32) {
        lengths.set(channel, StreamLengths())
    }

    /// The number of noted channels.
    var count: Int { lengths.count }

    /// A channel was freed.
    mutating func close(_ channel: UInt32) {
        lengths.remove(channel)
    }

    /// Reading ends here: from now on freed data is kept.
    mutating func keepFreedData() { keepsContent = true }

    /// The freed bytes of a stream.
    func released(_ key: Key) -> Int { key.stream <= 1 ? lengths[key.channel]?[key.stream] ?? 0 : 0 }

    /// The data that was never handed out, in the order in which it arrived.
    struct UnreadData: Sendable, Equatable {
        struct UnreadPiece: Sendable, Equatable {
            let stream: UInt32
            let bytes: ArraySlice<UInt8>
        }
        var pieces: [UnreadPiece] = []
        var count: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
        var bytes: [UInt8] { pieces.flatMap(\.bytes) }
    }

    /// The data of a channel that was never handed out; nil if the counts do not agree.
    ///
    /// - Parameters:
    ///   - stream: the stream; nil if the streams are merged.
    ///   - read: the bytes of it that were read. A message is freed only after all of it was read. Bytes of the next message
    ///     that were already read are left out.
    func rest(of channel: UInt32, _ stream: UInt32? = nil, read: Int) -> UnreadData? {
        func isMeant(_ key: Key) -> Bool { key.channel == channel && (stream == nil || key.stream == stream) }
        var begun = read - [0, 1].reduce(0) { $0 + (stream ?? $1 == $1 ? released(Key(channel: channel, stream: $1)) : 0) }
        guard begun >= 0 else { return nil }
        var rest = UnreadData()
        for (key, bytes) in unread where isMeant(key) {
            let left = bytes.dropFirst(begun)
            begun -= bytes.count - left.count
            if !left.isEmpty { rest.pieces.append(.init(stream: key.stream, bytes: left)) }
        }
        return begun == 0 ? rest : nil
    }
}
