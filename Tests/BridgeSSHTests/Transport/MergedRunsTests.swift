import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

/// Bytes that come before their stream is known.
@Suite struct MergedRunsTests {
    @Test("runs of one stream are joined") func runsOfOneStreamAreJoined() {
        var merged = MergedOutput()
        for count in [2, 0, 3] { merged.append(.init(stream: .standardError, count: count)) }
        var bytes = ByteBuffer(string: "hello")
        let first = merged.take(from: &bytes)
        #expect(first?.stream == .standardError)
        #expect(first?.bytes == ByteBuffer(string: "hello"))
        #expect(merged.count == 0)
        #expect(merged.take(from: &bytes)?.bytes == nil)
    }

    @Test("bytes of an unknown stream are kept") func bytesOfUnknownStreamStay() {
        var merged = MergedOutput()
        var bytes = ByteBuffer(string: "abc")
        #expect(merged.take(from: &bytes)?.bytes == nil)
        merged.append(.init(stream: .standardOutput, count: 2))
        #expect(merged.take(from: &bytes)?.bytes == ByteBuffer(string: "ab"))
        #expect(merged.take(from: &bytes)?.bytes == nil)
        #expect(bytes == ByteBuffer(string: "c"))
    }

    /// In any order of packets, reads and takes, each byte is returned once, in order, on its stream.
    @Test("every byte is returned on its stream") func everyByteComesOutOnItsStream() {
        var generator = SeededGenerator(seed: 94)
        for _ in 0..<200 {
            var merged = MergedOutput()
            var bytes = ByteBuffer()
            var expected: [UInt8] = []
            var taken: [UInt8] = []
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let isError = Bool.random(using: &generator)
                let run = [UInt8](repeating: isError ? 1 : 0, count: Int.random(in: 0...9, using: &generator))
                bytes.writeBytes(run)
                merged.append(.init(stream: isError ? .standardError : .standardOutput, count: run.count))
                expected += run
                while Bool.random(using: &generator), let next = merged.take(from: &bytes) {
                    #expect(next.bytes.readableBytesView.allSatisfy { ($0 == 1) == (next.stream == .standardError) })
                    taken += next.bytes.readableBytesView
                }
            }
            while let next = merged.take(from: &bytes) { taken += next.bytes.readableBytesView }
            #expect(taken == expected)
        }
    }
}
