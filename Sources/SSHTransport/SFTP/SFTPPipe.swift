internal import NIOCore
internal import NIOPosix

/// SFTP over a stream socket of this machine: another process has the channel, and passes its bytes on.
package actor SFTPPipe: LoopActor {
    nonisolated let executor = LoopExecutor.next()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let link = SFTPLink()
    private var channel: (any Channel)?
    /// Whether the other process has closed its end.
    package private(set) var hasEnded = false

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

    /// Asks nothing more: the other process reads the end of its input. Does not wait for one that reads nothing.
    package func finish() { channel?.close(mode: .output, promise: nil) }

    /// Lets go of the socket.
    package func close() {
        link.fail(Fault(.cancelled(signal: nil), stage: .local))
        channel?.close(promise: nil)
    }

    private func send() {
        guard let channel else { return }
        while link.takeNext() {
            let bytes = link.sending
            link.sent(bytes.readableBytes)
            channel.write(bytes, promise: nil)
        }
        channel.flush()
    }

    // MARK: From the other process

    fileprivate func received(_ bytes: ByteBuffer) {
        link.receive(bytes)
        // An answer may have led to a request of our own.
        send()
    }

    fileprivate func ended() {
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
