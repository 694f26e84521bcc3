package import NIOCore

/// The session whose bytes a carrier carries. All calls come on the carrier's event loop.
package protocol CarrierClient: AnyObject, Sendable {
    /// The first call: the client may ask for bytes from now on.
    ///
    /// - Parameters:
    ///   - bytes: what has come before, in order.
    ///   - end: how the stream has ended behind them; nil while it goes on.
    ///   - cause: the fault of the earlier hop that ended it.
    ///   - givesBuffersBack: whether the buffers are those of ``ReceiveBuffers``.
    func carrierIsReady(bytes: [ByteBuffer], end: SSHStreamEnd?, by cause: Fault?, givesBuffersBack: Bool)
    /// Some of what the client has asked for has come.
    func carrierBrought(_ bytes: ByteBuffer)
    /// All that there was has come; the client may ask again.
    func carrierBroughtAll()
    /// The stream has ended, behind everything that has come.
    func carrierEnded(_ end: SSHStreamEnd, by cause: Fault?)
    /// The carrier accepts bytes again.
    func carrierAcceptsMore()
}
