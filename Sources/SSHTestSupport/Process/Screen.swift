import NIOCore
import NIOPosix
import SystemPackage

extension PseudoTerminal {
    /// Hands the outer side to a channel that copies all that it shows to `transcript`.
    func show(on transcript: Transcript) async throws -> any Channel {
        do {
            return try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ScreenHandler(transcript: transcript))
                    }
                }
                .takingOwnershipOfDescriptor(inputOutput: outer.rawValue).get()
        } catch {
            try? outer.close()
            closeInner()
            throw error
        }
    }
}

private final class ScreenHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let transcript: Transcript

    init(transcript: Transcript) { self.transcript = transcript }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        transcript.append(unwrapInboundIn(data).readableBytesView)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Linux says the end of a terminal with EIO.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { transcript.finish() }
}
