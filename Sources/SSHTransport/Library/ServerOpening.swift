internal import NIOCore

/// What a server says before its packets are enciphered: its identification line and the first packets. All of it is looked at
/// before libssh2 is shown it.
struct ServerOpening {
    private(set) var filter = IdentificationFilter(longestIdentification: Library.longestIdentification)
    private(set) var outcome = IdentificationFilter.Outcome.more
    private(set) var keyExchangeBegun = false
    /// The packets after the identification line, up to those that are enciphered.
    private(set) var packets = OpeningPackets(refusesClientSigns: Library.readsExtensions)
    private var reply = HostKeyReply()
    /// What the server must not have sent in the clear; libssh2 is not shown it.
    private(set) var violation: SSHProtocolViolation?

    /// Whether all that comes is enciphered, and nothing of it remains to be looked at here.
    var hasEnded: Bool { packets.hasEnded && violation == nil }

    /// What libssh2 may be shown, and how many bytes of it come before those that are enciphered.
    typealias Shown = (bytes: ByteBuffer, clearCount: Int)

    /// Takes what has arrived.
    mutating func take(_ buffer: ByteBuffer) -> [Shown] {
        if case .found = outcome { return takePackets(buffer).map { [$0] } ?? [] }
        guard outcome == .more else { return [] }
        outcome = filter.take(buffer.readableBytesView)
        guard case .found(let rest) = outcome else { return [] }
        let identification = filter.identificationForLibrary
        let line = Shown(ByteBuffer(bytes: identification), identification.count)
        var tail = buffer
        tail.moveReaderIndex(forwardBy: rest)
        return [line] + (takePackets(tail).map { [$0] } ?? [])
    }

    private mutating func takePackets(_ buffer: ByteBuffer) -> Shown? {
        guard buffer.readableBytes > 0, violation == nil else { return nil }
        keyExchangeBegun = true
        guard !packets.hasEnded else { return (buffer, 0) }
        violation = packets.take(buffer.readableBytesView)
        guard violation == nil else { return nil }
        var enciphered = buffer
        guard let clear = enciphered.readSlice(length: buffer.readableBytes - packets.encipheredCount) else { return nil }
        var shown = reply.take(clear)
        let clearCount = shown.readableBytes
        if packets.encipheredCount > 0 { shown.writeImmutableBuffer(enciphered) }
        return (shown, clearCount)
    }

    /// The stream has ended.
    mutating func finish() { filter.finish() }
}
