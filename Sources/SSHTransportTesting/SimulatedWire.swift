package import NIOCore
package import SSHTestSupport
package import SSHTransport

/// Carries bytes between a session and a server in the same thread, under the control of a test in simulated time or of a fuzzer.
///
/// Unchecked, because sessions use a transport on its loop only, and so does the driver.
package final class SimulatedWire: ByteTransport, @unchecked Sendable {
    package let eventLoop: any EventLoop
    private let server: InMemoryServer
    private let closed: EventLoopPromise<Void>
    private var client: (any ByteTransportClient)?
    private var wantsBytes = false
    private var toServer: [UInt8] = []
    private var toClient: ArraySlice<UInt8> = []
    private var isOpen = true

    package init(to server: InMemoryServer, on loop: SimulatedLoop) {
        self.server = server
        eventLoop = loop
        closed = loop.makePromise()
    }

    // MARK: The session's side

    package var closeFuture: EventLoopFuture<Void> { closed.futureResult }
    package var unsentCount: Int { 0 }
    package var isWritable: Bool { true }
    package func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { proceed() }

    package func attach(_ client: any ByteTransportClient) {
        self.client = client
        client.transportIsReady(bytes: [], end: nil, by: nil, givesBuffersBack: false)
    }

    package func read() { wantsBytes = true }
    package func write(_ bytes: ByteBuffer) { toServer += bytes.readableBytesView }
    package func acknowledge() {}

    package func close() {
        guard isOpen else { return }
        isOpen = false
        client = nil
        server.end()
        closed.succeed()
    }

    // MARK: The driver's side

    /// Delivers all of the client's bytes to the server.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: the server's error for bytes that it cannot read.
    package func carryToServer() throws -> Bool {
        guard isOpen, !toServer.isEmpty else { return false }
        let bytes = toServer
        toServer = []
        try server.receive(bytes)
        return true
    }

    /// If the client reads, delivers the next piece of the server's data to it; after the last one, the end.
    ///
    /// - Parameter length: how many of the given number of bytes to deliver, at least 1.
    /// - Returns: whether there was anything.
    package func carryToClient(_ length: (Int) -> Int) throws -> Bool {
        guard isOpen, wantsBytes, let client else { return false }
        toClient += try server.takeOutput()
        if toClient.isEmpty {
            guard server.hasEnded, !server.isSilent else { return false }
            client.transportEnded(.closed, by: nil)
            close()
            return true
        }
        let buffer = ByteBuffer(bytes: toClient.prefix(length(toClient.count)))
        toClient = toClient.dropFirst(buffer.readableBytes)
        wantsBytes = false
        client.transportBrought(buffer)
        client.transportBroughtAll()
        return true
    }

    /// Ends the stream, and drops the bytes in flight.
    package func end() { client?.transportEnded(.closed, by: nil) }
}
