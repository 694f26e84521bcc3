import NIOCore

/// Splits an agent's bytes into messages; a length that no agent sends is an error, before memory is allocated for it.
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
