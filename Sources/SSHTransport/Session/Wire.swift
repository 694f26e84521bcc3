internal import NIOCore

/// The two buffers between libssh2 and the carrier of its bytes, and the record of what passed through them.
///
/// Confined to its session's event loop, or to the one thread that the session is lent to; see `Session`.
final class Wire {
    /// Bytes for libssh2 to read.
    private var inbound = InboundBytes()
    var inboundCount: Int { inbound.count }
    /// How many of them come before those that are enciphered.
    private(set) var clearCount = 0
    /// Whether what the carrier brings comes in buffers of ``ReceiveBuffers``.
    var returnsBuffers = false
    /// Bytes that libssh2 has written and that are not yet on their way.
    private var outbound = ByteBuffer()
    private var lastOutbound = 0
    /// An empty buffer for the next read of a channel that has none; all sessions of a loop share one.
    var spare = SpareBuffer()
    /// How many bytes libssh2 has taken in all: the pump's measure of progress.
    var consumedCount: Int { inbound.consumedCount }
    private(set) var receivedCount = 0
    /// How many times bytes were handed to the carrier.
    private(set) var sendCount = 0

    /// How the stream ended; the first end counts.
    private(set) var end = StreamEnd.open
    /// Makes the receive callback report the end of the stream to libssh2, which is only wanted when it is torn down.
    var reportsEnd = false

    private(set) var filter = IdentificationFilter(longestIdentification: Library.longestIdentification)
    private(set) var openingOutcome = IdentificationFilter.Outcome.more
    private(set) var keyExchangeBegun = false
    /// The packets after the identification line, up to those that are enciphered.
    private(set) var opening = OpeningPackets()
    /// What the server must not have sent in the clear; libssh2 is not shown it.
    private(set) var openingViolation: ProtocolViolation?

    private(set) var disconnect: DisconnectMessage?
    private(set) var debugMessages: [String] = []
    /// Messages that libssh2 discarded, for the session to take.
    var observed: [ObservedPayload] = []
    /// What libssh2 has let go of, and in the end never handed out, of the channels' data.
    var ledger = DataLedger()
    /// The data of channels whose streams are merged, by number, in the order in which it was read.
    private var dataRead: [UInt32: [MergedOutput.Run]] = [:]
    /// The last payload of those that are noted, if it was data.
    private var lastReleased: DataPayload?
    /// Answers keyboard-interactive prompts during such an attempt.
    var prompter: KeyboardInteractivePrompter?

    var hasOutbound: Bool { outbound.readableBytes > 0 }
    var outboundCount: Int { outbound.readableBytes }
    var hasEnded: Bool { end != .open }

    // MARK: From and to the carrier

    /// Takes bytes from the carrier.
    func received(_ buffer: ByteBuffer) {
        receivedCount += buffer.readableBytes
        if case .found = openingOutcome {
            return deliver(buffer)
        }
        guard openingOutcome == .more else { return }
        openingOutcome = filter.take(buffer.readableBytesView)
        guard case .found(let rest) = openingOutcome else { return }
        let identification = filter.identificationForLibrary
        enqueue(ByteBuffer(bytes: identification), clear: identification.count)
        var tail = buffer
        tail.moveReaderIndex(forwardBy: rest)
        deliver(tail)
    }

    private func deliver(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0, openingViolation == nil else { return }
        keyExchangeBegun = true
        guard !opening.hasEnded else { return inbound.append(buffer) }
        openingViolation = opening.take(buffer.readableBytesView)
        if openingViolation == nil { enqueue(buffer, clear: buffer.readableBytes - opening.encipheredCount) }
    }

    private func enqueue(_ buffer: ByteBuffer, clear count: Int) {
        inbound.append(buffer)
        clearCount += count
    }

    /// Notes how the stream ended.
    func ended(_ end: StreamEnd) {
        guard !hasEnded else { return }
        self.end = end
        filter.finish()
    }

    /// Everything that libssh2 has written since the last call.
    func takeOutbound() -> ByteBuffer {
        defer { outbound = ByteBuffer() }
        lastOutbound = outbound.readableBytes
        sendCount += 1
        return outbound
    }

    // MARK: From and to libssh2

    /// - Returns: how many bytes were written to `target`, 0 at the end of the stream, or a negative errno.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = inbound.read(into: target, givesBack: returnsBuffers)
        if clearCount > 0 { clearCount = max(0, clearCount - count) }
        if count > 0 { return count }
        return reportsEnd ? 0 : -Int(Errno.again)
    }

    func write(_ source: UnsafeRawBufferPointer) -> Int {
        guard !reportsEnd else { return source.count }
        // As much as went out last time, so that the buffer need not grow by copying.
        if outbound.capacity == 0 { outbound.reserveCapacity(max(lastOutbound, source.count)) }
        outbound.writeBytes(source)
        return source.count
    }

    /// Records a payload that libssh2 is about to free.
    func released(_ payload: UnsafeRawBufferPointer) {
        if let data = DataPayload(payload) {
            ledger.released(data, of: payload)
            if let index = dataRead.index(forKey: data.channel) {
                let stream: Evidence.OutputStream = data.stream == 0 ? .standardOutput : .standardError
                dataRead.values[index].append(.init(stream: stream, count: data.content.count))
            }
            lastReleased = data
        } else if let message = ObservedPayload(payload) {
            observed.append(message)
            lastReleased = nil
        }
    }

    /// Starts to record the stream of each piece of a channel's data.
    func noteData(of channel: UInt32) { dataRead[channel] = [] }

    /// What has been read to its end of such a channel's data since the last call.
    func takeDataRead(of channel: UInt32) -> [MergedOutput.Run] {
        guard let runs = dataRead[channel], !runs.isEmpty else { return [] }
        dataRead[channel] = []
        return runs
    }

    /// A channel is gone.
    func forgetData(of channel: UInt32) {
        dataRead[channel] = nil
        ledger.close(channel)
    }

    /// The last payload was none of the server's.
    func forgetLast() {
        if let data = lastReleased {
            ledger.retract(data)
            lastReleased = nil
        } else if !observed.isEmpty {
            observed.removeLast()
        }
    }

    /// Discards what libssh2 has not taken: nothing behind a fault of the stream can be trusted.
    func dropInbound() {
        inbound.removeAll()
        clearCount = 0
    }

    func disconnected(reason: Int32, message: String) {
        guard disconnect == nil else { return }
        disconnect = DisconnectMessage(reason: UInt32(bitPattern: reason), description: message)
    }

    func debugged(_ message: String) {
        if debugMessages.count < 32 { debugMessages.append(message) }
    }
}

/// Room for one read that found nothing. Confined to an event loop.
final class SpareBuffer {
    var buffer = ByteBuffer()
}
