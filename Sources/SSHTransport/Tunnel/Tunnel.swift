internal import NIOCore

/// A channel that carries the session of the next hop, on the same event loop. Confined to the outer session.
///
/// Bytes leave in the order in which they were written, one call of libssh2's at a time. Deliveries are scheduled one at a time.
/// The inner session learns of the end once, behind all bytes; closing it waits for that end, for a limited time.
final class Tunnel {
    /// From here on the inner session holds back what it would send.
    private static let highWater = 1 << 18

    let channel: SessionChannel
    /// Nil once the end was reported to it, or it has closed the tunnel.
    private(set) var inner: (any CarrierClient)?
    /// What libssh2 is being given; until it is gone its front must stay as it is, whatever a call that is repeated has begun.
    private(set) var sending = ByteBuffer()
    /// What comes after it.
    private var waiting = ByteBuffer()
    private var isSending = false
    private var wantsBytes = false
    private var deliveryIsDue = false
    private var innerMayWait = false
    /// Set once the inner session has closed it.
    private var closing: Closing?

    private struct Closing {
        /// Succeeds when the channel has ended, or its time is over.
        let done: EventLoopPromise<Void>
        let timer: Scheduled<Void>
        var hasSentEnd = false
    }

    init(channel: SessionChannel, inner: any CarrierClient) {
        self.channel = channel
        self.inner = inner
    }

    // MARK: Sending

    var unsentCount: Int { sending.readableBytes + waiting.readableBytes }
    private var isWritable: Bool { unsentCount < Self.highWater }

    /// Whether the inner session may write more. Where not, it is called when it may.
    func mayWrite() -> Bool {
        if !isWritable { innerMayWait = true }
        return isWritable
    }

    /// Whether the inner session waits to write, and may.
    var owesRoom: Bool { innerMayWait && isWritable }

    /// The inner session learns now that it may write.
    func takeRoom() -> Bool {
        guard owesRoom else { return false }
        innerMayWait = false
        return true
    }

    func enqueue(_ bytes: ByteBuffer) {
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeImmutableBuffer(bytes) }
    }

    /// Begins to send, if there is something and nothing else is being sent.
    ///
    /// - Returns: whether ``sending`` is to be given to libssh2 now.
    func beginSending() -> Bool {
        guard !isSending, unsentCount > 0 else { return false }
        if sending.readableBytes == 0 {
            sending = waiting
            waiting = ByteBuffer()
        }
        isSending = true
        return true
    }

    /// libssh2 has taken so much; nil where the hop accepts no more bytes. If it sends none either, the end of the stream reports
    /// that.
    func sent(_ count: Int?) {
        isSending = false
        if let count { sending.moveReaderIndex(forwardBy: count) } else { (sending, waiting) = (ByteBuffer(), ByteBuffer()) }
    }

    // MARK: Delivering

    /// The inner session asks for bytes.
    func ask() { wantsBytes = true }

    /// - Returns: whether a delivery is to be scheduled.
    func scheduleDelivery() -> Bool {
        guard !deliveryIsDue, inner != nil || closing != nil else { return false }
        deliveryIsDue = true
        return true
    }

    func beginDelivery() { deliveryIsDue = false }

    /// The bytes for the inner session, if it has asked and there are any.
    func takeBytes() -> ByteBuffer? {
        guard wantsBytes, let bytes = channel.take(0) else { return nil }
        wantsBytes = false
        return bytes
    }

    /// The inner session is about to learn of the end: nothing is delivered any more.
    func forgetInner() {
        inner = nil
        channel.endConsuming()
    }

    // MARK: Closing

    var isClosing: Bool { closing != nil }

    /// The inner session closes it.
    ///
    /// - Parameters:
    ///   - done: succeeds when the channel has ended.
    ///   - timer: ends the wait for that.
    func close(_ done: EventLoopPromise<Void>, timer: Scheduled<Void>) {
        inner = nil
        closing = Closing(done: done, timer: timer)
        channel.discardOutput()
    }

    /// Whether the end of our bytes is to be sent now: once, behind all of them.
    func mayEnd() -> Bool {
        guard unsentCount == 0, closing?.hasSentEnd == false else { return false }
        closing?.hasSentEnd = true
        return true
    }

    /// It is over; once.
    func finish() {
        channel.endConsuming()
        closing?.timer.cancel()
        closing?.done.succeed()
        closing = nil
    }
}
