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
        func number(at offset: Int) -> UInt32 { payload[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
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

    private var lengths: [Key: Int] = [:]
    private var unread: [Key: [UInt8]] = [:]
    private var keepsContent = false

    mutating func released(_ data: DataPayload, of payload: UnsafeRawBufferPointer) {
        let key = Key(channel: data.channel, stream: data.stream)
        if keepsContent {
            unread[key, default: []].append(contentsOf: payload[data.content])
        } else {
            lengths[key, default: 0] += data.content.count
        }
    }

    /// Takes back what was noted of a message that turned out to be altered.
    mutating func retract(_ data: DataPayload) {
        lengths[Key(channel: data.channel, stream: data.stream), default: 0] -= data.content.count
    }

    /// A channel begins; its number may have been another's.
    mutating func open(_ channel: UInt32) {
        for stream in 0...1 { lengths[Key(channel: channel, stream: UInt32(stream))] = 0 }
    }

    /// From here on nothing is read any more: what is freed is kept.
    mutating func closeBooks() { keepsContent = true }

    /// How much of a stream has been let go of.
    func released(_ key: Key) -> Int { lengths[key] ?? 0 }

    /// What of a stream was never handed out; nil where the books do not balance.
    ///
    /// - Parameter read: how much of it has been read. A message is freed once all of it has: what of the next was read
    ///   before is left out.
    func rest(of key: Key, read: Int) -> ArraySlice<UInt8>? {
        let begun = read - (lengths[key] ?? 0)
        let kept = unread[key] ?? []
        return begun >= 0 && begun <= kept.count ? kept.dropFirst(begun) : nil
    }
}
