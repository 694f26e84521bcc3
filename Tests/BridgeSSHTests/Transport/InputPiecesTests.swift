import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

/// Pieces on their way out.
@Suite struct InputPiecesTests {
    /// Cut and sent in any way, every byte is sent once and in order.
    @Test("every byte goes once and in order") func everyByteGoesOnceAndInOrder() {
        var generator = SeededGenerator(seed: 94)
        for _ in 0..<200 {
            let pieces = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<Int.random(in: 0...9, using: &generator)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }
            var rest = InputPieces(pieces.map { Bool.random(using: &generator) ? .bytes($0) : .buffer(ByteBuffer(bytes: $0)) })
            var sent: [UInt8] = []
            while !rest.isEmpty {
                let count = rest.withFirst { source in
                    let count = Int.random(in: 1...source.count, using: &generator)
                    sent += source.prefix(count)
                    return count
                }
                rest.remove(count ?? 0)
            }
            #expect(sent == pieces.flatMap { $0 })
            #expect(rest.withFirst { _ in 1 } == nil)
        }
    }
}
