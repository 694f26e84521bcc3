import NIOCore
import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHTransport

/// Bytes from the transport, taken in other pieces.
@Suite struct InboundBytesTests {
    @Test("any pieces are read in order", arguments: 0..<50) func anyPiecesAreReadInOrder(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let inbound = InboundBytes()
        var (sent, read): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                let piece = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                sent += piece
                inbound.append(ByteBuffer(bytes: piece))
            } else {
                var target = [UInt8](repeating: 0, count: Int.random(in: 0...40, using: &random))
                let waiting = inbound.count
                let count = target.withUnsafeMutableBytes { inbound.read(into: $0, givesBack: false) }
                #expect(count == min(waiting, target.count))
                read += target[..<count]
            }
            #expect(inbound.count == sent.count - read.count)
            #expect(inbound.consumedCount == read.count)
        }
        #expect(read.elementsEqual(sent.prefix(read.count)))
        inbound.removeAll()
        #expect(inbound.count == 0)
    }
}
