/// SSH_MSG_CHANNEL_DATA or SSH_MSG_CHANNEL_EXTENDED_DATA (RFC 4254 section 5.2), found in a payload that libssh2 frees.
///
/// Pure and total, as ``ObservedPayload`` is: padding and the room for a MAC may follow the message.
struct DataPayload: Sendable, Equatable {
    /// Our number of the channel.
    let channel: UInt32
    /// 0 for standard output, else the data type code: 1 for standard error.
    let stream: UInt32
    /// Where the data is.
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
        guard length <= rest, rest - Int(length) <= ObservedPayload.longestTail else { return nil }
        channel = number(at: 1)
        stream = type == 94 ? 0 : number(at: 5)
        content = head..<(head + Int(length))
    }
}

/// What became of the data of each stream that libssh2 received: what it let go of after it had been read, and what it frees
/// unread with the session. Its queue cannot be looked at, and it refuses every read after a DISCONNECT.
struct DataLedger: Sendable {
    struct Key: Sendable, Hashable {
        let channel: UInt32
        let stream: UInt32
    }

    /// How much of each stream of a channel has been freed.
    private struct Lengths: Sendable {
        private var output = 0
        private var error = 0

        subscript(stream: UInt32) -> Int {
            get { stream == 0 ? output : error }
            set { if stream == 0 { output = newValue } else { error = newValue } }
        }
    }

    private var lengths = OrderedTable<UInt32, Lengths>()
    private var unread: [(key: Key, bytes: ArraySlice<UInt8>)] = []
    private var keepsContent = false

    mutating func released(_ data: DataPayload, of payload: UnsafeRawBufferPointer) {
        // A server may name as many channels and types of data as there are numbers.
        guard data.stream <= 1, let index = lengths.index(of: data.channel) else { return }
        if keepsContent {
            unread.append((Key(channel: data.channel, stream: data.stream), ArraySlice(payload[data.content])))
        } else {
            lengths.change(at: index) { $0[data.stream] += data.content.count }
        }
    }

    /// Takes back what was noted of a message that turned out to be altered.
    mutating func retract(_ data: DataPayload) {
        guard data.stream <= 1, let index = lengths.index(of: data.channel) else { return }
        lengths.change(at: index) { $0[data.stream] -= data.content.count }
    }

    /// A channel begins; its number may have been another's.
    mutating func open(_ channel: UInt32) {
        lengths.set(channel, Lengths())
    }

    /// How many channels are noted.
    var count: Int { lengths.count }

    /// A channel is gone.
    mutating func close(_ channel: UInt32) {
        lengths.remove(channel)
    }

    /// From here on nothing is read any more: freed data is kept.
    mutating func closeBooks() { keepsContent = true }

    /// How much of a stream has been freed.
    func released(_ key: Key) -> Int { key.stream <= 1 ? lengths[key.channel]?[key.stream] ?? 0 : 0 }

    /// The data that was never handed out, in the order in which it arrived.
    struct Rest: Sendable, Equatable {
        struct Piece: Sendable, Equatable {
            let stream: UInt32
            let bytes: ArraySlice<UInt8>
        }
        var pieces: [Piece] = []
        var count: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
        var bytes: [UInt8] { pieces.flatMap(\.bytes) }
    }

    /// The data of a channel that was never handed out; nil where the counts do not agree.
    ///
    /// - Parameters:
    ///   - stream: which one; nil where all are read as one.
    ///   - read: how much of it has been read. A message is freed once all of it has: what of the next was read before is left
    ///     out.
    func rest(of channel: UInt32, _ stream: UInt32? = nil, read: Int) -> Rest? {
        func isMeant(_ key: Key) -> Bool { key.channel == channel && (stream == nil || key.stream == stream) }
        var begun = read - [0, 1].reduce(0) { $0 + (stream ?? $1 == $1 ? released(Key(channel: channel, stream: $1)) : 0) }
        guard begun >= 0 else { return nil }
        var rest = Rest()
        for (key, bytes) in unread where isMeant(key) {
            let left = bytes.dropFirst(begun)
            begun -= bytes.count - left.count
            if !left.isEmpty { rest.pieces.append(.init(stream: key.stream, bytes: left)) }
        }
        return begun == 0 ? rest : nil
    }
}
