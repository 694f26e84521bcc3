internal import NIOCore
internal import NIOPosix

/// SFTP over a stream socket of this machine, or through functions: somebody else has the channel, and passes its bytes on.
package actor SFTPPipe: LoopActor {
    nonisolated let executor = LoopExecutor.next()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let link = SFTPLink()
    private var channel: (any Channel)?
    private var sink: Sink?
    /// Whether the other side has ended.
    package private(set) var hasEnded = false

    /// Takes bytes for the server, and nil for their end. What is on its way is bounded by what the client has asked for.
    package typealias Sink = @Sendable ([UInt8]?) -> Void

    package init() {}

    /// Waits for the version of the server at the other end of `descriptor`.
    ///
    /// - Parameters:
    ///   - descriptor: a connected socket; the pipe's from now on.
    ///   - seconds: how long the server may take.
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

    /// The same for a server that `sink` has a way to; its bytes come by ``received(_:)``.
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
    /// - Parameter isCleanup: whether they are sent although the task is cancelled. Then the wait has an end of its own.
    package func exchange(_ requests: [SFTPRequest], isCleanup: Bool = false) async throws(Fault) -> [SFTPReply] {
        try await exchange(requests, on: link, isCleanup: isCleanup) { send() }
    }

    /// Asks nothing more: the other side reads the end of its input. Does not wait for one that reads nothing.
    package func finish() {
        channel?.close(mode: .output, promise: nil)
        sink?(nil)
    }

    /// Lets go of the socket.
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

    /// Bytes of the server's, where no socket carries them.
    package func received(_ chunk: SSHOutputChunk) { chunk.withUnsafeBytes { received(ByteBuffer(bytes: $0)) } }

    fileprivate func received(_ bytes: ByteBuffer) {
        link.receive(bytes)
        // An answer may have led to a request of our own.
        send()
    }

    /// Nothing more comes from the server.
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
