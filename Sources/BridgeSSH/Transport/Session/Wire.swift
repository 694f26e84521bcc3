internal import CLibSSH2
internal import CPayloadTap
internal import NIOCore

/// The two buffers between libssh2 and whatever carries its bytes, and the record of what was seen on the way.
///
/// Confined to its session's event loop, or to the one thread that the session is lent to; see `Session`.
final class Wire {
    /// Bytes for libssh2 to read, oldest first.
    private var inbound = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private(set) var inboundCount = 0
    /// Bytes that libssh2 has written and that are not yet on their way.
    private var outbound = ByteBuffer()
    /// How many bytes libssh2 has taken in all: the pump's measure of progress.
    private(set) var consumedCount = 0
    private(set) var receivedCount = 0

    /// How the stream ended; the first end counts.
    private(set) var end = StreamEnd.open
    /// Makes the receive callback report the end of the stream to libssh2, which is only wanted when it is torn down.
    var reportsEnd = false

    private(set) var filter = IdentificationFilter()
    private(set) var openingOutcome = IdentificationFilter.Outcome.more
    private(set) var keyExchangeBegun = false
    private(set) var serverAlgorithms: AlgorithmLists?
    /// The clear-text bytes after the identification line, until the KEXINIT in them has been read.
    private var clearText: [UInt8]? = []

    private(set) var disconnect: DisconnectMessage?
    private(set) var debugMessages: [String] = []
    /// Messages that libssh2 threw away, for the session to take.
    var observed: [ObservedPayload] = []

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
        enqueue(ByteBuffer(bytes: filter.identificationForLibrary))
        var tail = buffer
        tail.moveReaderIndex(forwardBy: rest)
        deliver(tail)
    }

    private func deliver(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        if serverAlgorithms == nil, clearText != nil { recordClearText(buffer) }
        enqueue(buffer)
    }

    private func enqueue(_ buffer: ByteBuffer) {
        inbound.append(buffer)
        inboundCount += buffer.readableBytes
    }

    private func recordClearText(_ buffer: ByteBuffer) {
        keyExchangeBegun = true
        clearText?.append(contentsOf: buffer.readableBytesView.prefix(KeyExchangeInit.longestPacket))
        serverAlgorithms = clearText.flatMap(KeyExchangeInit.parse)
        if serverAlgorithms != nil || (clearText?.count ?? 0) >= KeyExchangeInit.longestPacket { clearText = nil }
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
        return outbound
    }

    // MARK: From and to libssh2

    fileprivate func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        guard inboundCount > 0 else { return reportsEnd ? 0 : -Int(EAGAIN) }
        var copied = 0
        while copied < target.count, var first = inbound.first {
            let part = first.readableBytesView.prefix(target.count - copied)
            UnsafeMutableRawBufferPointer(rebasing: target[copied...]).copyBytes(from: part)
            copied += part.count
            first.moveReaderIndex(forwardBy: part.count)
            if first.readableBytes == 0 { inbound.removeFirst() } else { inbound[inbound.startIndex] = first }
        }
        inboundCount -= copied
        consumedCount += copied
        return copied
    }

    fileprivate func write(_ source: UnsafeRawBufferPointer) -> Int {
        if !reportsEnd { outbound.writeBytes(source) }
        return source.count
    }

    fileprivate func disconnected(reason: Int32, message: String) {
        guard disconnect == nil else { return }
        disconnect = DisconnectMessage(reason: UInt32(bitPattern: reason), description: message)
    }

    fileprivate func debugged(_ message: String) {
        if debugMessages.count < 32 { debugMessages.append(message) }
    }
}

// MARK: - The C callbacks

extension Wire {
    /// The session's abstract, which the allocator and every callback are given.
    static func makeTap(for wire: Wire) -> UnsafeMutablePointer<bridge_tap> {
        let tap = UnsafeMutablePointer<bridge_tap>.allocate(capacity: 1)
        tap.initialize(
            to: bridge_tap(
                owner: Unmanaged.passUnretained(wire).toOpaque(),
                observe: { owner, payload, length in
                    guard let owner, let payload,
                        let message = ObservedPayload(UnsafeRawBufferPointer(start: payload, count: length))
                    else { return }
                    Unmanaged<Wire>.fromOpaque(owner).takeUnretainedValue().observed.append(message)
                }))
        return tap
    }

    private static func of(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Wire? {
        guard let tap = abstract?.pointee?.assumingMemoryBound(to: bridge_tap.self), let owner = tap.pointee.owner else { return nil }
        return Unmanaged<Wire>.fromOpaque(owner).takeUnretainedValue()
    }

    static func setCallbacks(of session: OpaquePointer) {
        bridge_set_callbacks(
            session,
            { _, buffer, length, _, abstract in
                guard let wire = Wire.of(abstract), let buffer else { return -Int(EIO) }
                return wire.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
            },
            { _, buffer, length, _, abstract in
                guard let wire = Wire.of(abstract), let buffer else { return -Int(EIO) }
                return wire.write(UnsafeRawBufferPointer(start: buffer, count: length))
            },
            { _, reason, message, length, _, _, abstract in
                Wire.of(abstract)?.disconnected(reason: reason, message: text(message, length, longest: 1024))
            },
            { _, _, message, length, _, _, abstract in
                Wire.of(abstract)?.debugged(text(message, length, longest: 512))
            })
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int32, longest: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(Int(length), longest)), as: UTF8.self)
    }
}
