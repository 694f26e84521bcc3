internal import NIOCore
internal import NIOPosix

/// SFTP over a local stream socket, or through functions. Another process or object has the channel and relays its bytes.
package actor SFTPPipe: LoopActor {
    nonisolated let executor = LoopExecutor.next()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let link = SFTPLink()
    private var channel: (any Channel)?
    private var sink: Sink?
    /// Whether the other side has ended.
    package private(set) var hasEnded = false

    /// Takes bytes for the server, and nil for their end. The client's requests bound the bytes in transit.
    package typealias Sink = @Sendable ([UInt8]?) -> Void

    package init() {}

    /// Waits for the version of the server at the other end of `descriptor`.
    ///
    /// - Parameters:
    ///   - descriptor: a connected socket; the pipe owns it from now on.
    ///   - seconds: the time that the server may take.
    package func begin(over descriptor: Int32, within seconds: Double) async throws(Fault) -> SFTPVersion {
        do {
            channel = try await ClientBootstrap(group: executor.loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SFTPPipeHandler(pipe: self))
                    }
                }
                .withConnectedSocket(descriptor).get()
        } catch {
            throw Fault(.internalFailure(problem: "the socket of an SFTP channel: \(error)"), stage: .local)
        }
        return try await begin(within: seconds)
    }

    /// As above, for a server that `sink` sends to. Pass the server's bytes to ``received(_:)``.
    package func begin(through sink: @escaping Sink, within seconds: Double) async throws(Fault) -> SFTPVersion {
        self.sink = sink
        return try await begin(within: seconds)
    }

    private func begin(within seconds: Double) async throws(Fault) -> SFTPVersion {
        let late = Fault(.deadlinePassed(SSHDeadline(kind: .connect, seconds: seconds)), stage: .channel)
        let timer = executor.loop.scheduleTask(in: .seconds(seconds)) {
            self.assumeIsolated { $0.link.fail(late) }
        }
        defer { timer.cancel() }
        link.enqueueInit()
        send()
        return try await version(of: link)
    }

    /// Sends requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether to send them even if the task is cancelled. Then the wait has its own time limit.
    package func exchange(_ requests: [SFTPRequest], isCleanup: Bool = false) async throws(Fault) -> [SFTPReply] {
        try await exchange(requests, on: link, isCleanup: isCleanup) { send() }
    }

    /// Sends the end of input to the other side. Does not wait until the other side reads it.
    package func finish() {
        channel?.close(mode: .output, promise: nil)
        sink?(nil)
    }

    /// Closes the socket.
    package func close() {
        link.fail(Fault(.cancelled(signal: nil), stage: .local))
        channel?.close(promise: nil)
    }

    private func send() {
        guard channel != nil || sink != nil else { return }
        while link.takeNext() {
            let bytes = link.sending
            link.sent(bytes.readableBytes)
            channel?.write(bytes, promise: nil)
            sink?(Array(bytes.readableBytesView))
        }
        channel?.flush()
    }

    // MARK: From the other side

    /// Takes the server's bytes if no socket carries them.
    package func received(_ chunk: SSHOutputChunk) { chunk.withUnsafeBytes { received(ByteBuffer(bytes: $0)) } }

    fileprivate func received(_ bytes: ByteBuffer) {
        link.receive(bytes)
        // An answer may have queued another request.
        send()
    }

    /// The server's stream has ended.
    package func ended() {
        hasEnded = true
        link.fail(.sftpServerEnded(exitStatus: nil))
    }
}

/// Passes on what arrives.
private final class SFTPPipeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let pipe: SFTPPipe

    init(pipe: SFTPPipe) { self.pipe = pipe }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        pipe.assumeIsolated { $0.received(bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) { pipe.assumeIsolated { $0.ended() } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
