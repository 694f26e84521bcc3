import BridgeSSH
import NIOCore
import Testing

@testable import SSHTransport

@Suite struct ReceiveBuffersTests {
    /// Simulates NIO's read of a socket: takes a buffer, then reads `count` bytes.
    private func capacities(reading counts: [Int]) -> [Int] {
        // With one read at a time, as the channel is set up.
        var pool = NIOPooledRecvBufferAllocator(capacity: 1, recvAllocator: ReceiveBufferAllocator())
        return counts.map { count in
            let (buffer, capacity) = pool.buffer(allocator: ByteBufferAllocator()) { buffer in
                defer { buffer.writeRepeatingByte(1, count: count) }
                return buffer.writableBytes
            }
            pool.record(actualReadBytes: count)
            ReceiveBuffers.shared.giveBack(buffer)
            return capacity
        }
    }

    @Test("buffers are small until they are filled") func smallUntilFilled() {
        let (first, small, large) = (
            ReceiveBufferAllocator.first, ReceiveBufferAllocator.smallSize, ReceiveBufferAllocator.largeSize
        )
        #expect(
            capacities(reading: [100, small - 1, small, large, 5000, 100]) == [first, small, small, large, large, large])
    }

    /// NIO keeps the first buffer for good, and it stays small; filling it does not indicate bulk data.
    @Test("after bulk transfers the buffers are small again") func smallAfterBulk() {
        let (first, small, large) = (
            ReceiveBufferAllocator.first, ReceiveBufferAllocator.smallSize, ReceiveBufferAllocator.largeSize
        )
        #expect(
            capacities(reading: [first, small, large, large, 1, 1, small, 1, 1]) == [
                first, small, large, large, large, small, small, large, small,
            ])
    }

    @Test("read buffers are reused", arguments: [false, true]) func whatWasReadIsUsedAgain(isLarge: Bool) {
        let buffers = ReceiveBuffers()
        func address(_ buffer: ByteBuffer) -> UnsafeRawPointer? { buffer.withVeryUnsafeBytes { $0.baseAddress } }
        var first = address(ByteBuffer())
        do {
            let buffer = buffers.take(isLarge: isLarge, ByteBufferAllocator())
            first = address(buffer)
            buffers.giveBack(buffer)
        }
        #expect(address(buffers.take(isLarge: isLarge, ByteBufferAllocator())) == first)
    }

    @Test("buffers in use are not reused", arguments: [false, true]) func whatIsStillReadIsLeftAlone(isLarge: Bool) {
        let buffers = ReceiveBuffers()
        var kept = buffers.take(isLarge: isLarge, ByteBufferAllocator())
        kept.writeString("still wanted")
        buffers.giveBack(kept)
        var next = buffers.take(isLarge: isLarge, ByteBufferAllocator())
        next.writeString("something else")
        #expect(kept.getString(at: 0, length: 12) == "still wanted")
    }

    @Test("foreign buffers are not taken", arguments: [false, true]) func buffersOfOthersAreNotTaken(isLarge: Bool) {
        let buffers = ReceiveBuffers()
        var small = ByteBufferAllocator().buffer(capacity: 64)
        small.writeString("x")
        buffers.giveBack(small)
        #expect(
            buffers.take(isLarge: isLarge, ByteBufferAllocator()).capacity
                == (isLarge ? ReceiveBufferAllocator.largeSize : ReceiveBufferAllocator.smallSize))
    }
}
