import NIOCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Sends one request at a time, in order: the agent protocol has no request numbers.
///
/// Lives on its channel's event loop.
final class AgentConversation: ChannelInboundHandler {
    typealias InboundIn = [UInt8]
    typealias OutboundOut = ByteBuffer

    /// Identifies a request.
    final class Token: Sendable {}

    struct Request {
        var token: Token
        var frame: [UInt8]
        var answer: EventLoopPromise<[UInt8]>
    }

    private let timeout: TimeAmount
    private var context: ChannelHandlerContext?
    private var waiting: CircularBuffer<Request> = []
    private var current: Request?
    private var deadline: Scheduled<Void>?
    /// Set once, when the conversation is over. Every caller gets the first reason.
    private var ending: SSHAgentProblem?

    init(timeout: TimeAmount) { self.timeout = timeout }

    func submit(_ request: Request) {
        if let ending { return request.answer.fail(ending) }
        waiting.append(request)
        sendNext()
    }

    /// The caller no longer waits.
    ///
    /// A sent request keeps its place: otherwise its answer would be taken for the answer to the next one.
    func abandon(_ token: Token) {
        let cancelled = SSHAgentProblem(reason: .unavailable, detail: "The request to the agent was cancelled.")
        if let index = waiting.firstIndex(where: { $0.token === token }) {
            waiting.remove(at: index).answer.fail(cancelled)
        } else if current?.token === token {
            current?.answer.fail(cancelled)
        }
    }

    func end(_ problem: SSHAgentProblem) {
        guard ending == nil else { return }
        ending = problem
        deadline?.cancel()
        deadline = nil
        current?.answer.fail(problem)
        current = nil
        while let request = waiting.popFirst() { request.answer.fail(problem) }
        context?.close(promise: nil)
    }

    private func sendNext() {
        guard current == nil, ending == nil, let context, let request = waiting.popFirst() else { return }
        current = request
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [timeout] in
            let seconds = Double(timeout.nanoseconds) / 1e9
            self.end(SSHAgentProblem(reason: .unavailable, detail: "The agent did not answer within \(seconds) s."))
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: request.frame)), promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        sendNext()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let request = current else {
            return end(SSHAgentProblem(reason: .unavailable, detail: "The agent sent an answer without a request."))
        }
        current = nil
        deadline?.cancel()
        deadline = nil
        request.answer.succeed(unwrapInboundIn(data))
        sendNext()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(SSHAgentProblem(reason: .unavailable, detail: "The agent closed the connection."))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.from(error)) }
}

extension SSHAgentProblem {
    /// Maps an error of the connection to the agent.
    static func from(_ error: any Error) -> SSHAgentProblem {
        switch error {
        case let problem as SSHAgentProblem: return problem
        case let error as IOError:
            let text = String(cString: strerror(error.errnoCode))
            return SSHAgentProblem(
                reason: .unavailable, detail: "The agent's socket could not be used (\(text)).", systemError: error.errnoCode)
        case is SocketAddressError:
            return SSHAgentProblem(reason: .unavailable, detail: "The path of the agent's socket is too long or empty.")
        case is AgentCodecError:
            return SSHAgentProblem(
                reason: .unavailable, detail: "The program on the agent's socket does not speak the agent protocol.")
        case ChannelError.connectTimeout:
            return SSHAgentProblem(reason: .unavailable, detail: "The agent did not accept a connection in time.")
        case is ChannelError:
            return SSHAgentProblem(reason: .unavailable, detail: "The connection to the agent is closed.")
        default:
            return SSHAgentProblem(reason: .unavailable, detail: "The agent's socket could not be used (\(error)).")
        }
    }
}

/// Splits an agent's bytes into messages. It refuses an excessive length before it allocates memory for it.
struct AgentFrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = [UInt8]

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return .needMoreData }
        guard (1...AgentMessage.maximumLength).contains(Int(length)) else { throw AgentCodecError.tooLong(Int(length)) }
        guard let frame = buffer.getBytes(at: buffer.readerIndex + 4, length: Int(length)) else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: 4 + Int(length))
        context.fireChannelRead(wrapInboundOut(frame))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        .needMoreData
    }
}
