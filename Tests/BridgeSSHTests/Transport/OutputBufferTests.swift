import BridgeSSH
import NIOCore
import Testing

@testable import SSHTransport

@Suite("Output that waits for its reader") struct OutputBufferTests {
    @Test("the shared spare buffer never becomes the storage of a command's whole output")
    func spareStaysSmall() {
        var (output, spare) = (OutputBuffer(.standardOutput, window: 2 << 20), ByteBuffer())
        output.collect(4 << 20)
        for _ in 0..<64 {
            _ = output.fill(sharing: &spare) { target in
                target.initializeMemory(as: UInt8.self, repeating: 7)
                return .success(LibraryChannel.readLength)
            }
        }
        spare = ByteBuffer()
        #expect(output.takeCollected().count == 64 * LibraryChannel.readLength)
        _ = output.fill(sharing: &spare) { _ in .success(0) }
        #expect(spare.capacity <= 2 * OutputBuffer.maximumReadAhead)
    }

    @Test(
        "a part of a narrow window is read ahead, and a fixed amount of a wide one",
        arguments: [(32, 1), (96, 1), (511, 2), (1024, 8), (32768, 8)])
    func readAhead(kibibytes: Int, reads: Int) {
        var (output, spare) = (OutputBuffer(.standardOutput, window: kibibytes << 10), ByteBuffer())
        for read in 1...reads {
            #expect(output.hasSpace, "before read \(read)")
            _ = output.fill(sharing: &spare) { .success($0.count) }
        }
        #expect(!output.hasSpace)
    }

    @Test("with a narrow window no read exceeds the free space, and no memory stays allocated", arguments: [7, 100, 5000, 32768])
    func narrow(piece: Int) {
        var (output, spare) = (OutputBuffer(.standardOutput, window: 32 << 10), ByteBuffer())
        var (value, expected, taken): (UInt8, [UInt8], [UInt8]) = (0, [], [])
        for _ in 0..<8 {
            while output.hasSpace {
                _ = output.fill(sharing: &spare) { target in
                    let count = min(piece, target.count)
                    value &+= 1
                    target.initializeMemory(as: UInt8.self, repeating: value)
                    expected += [UInt8](repeating: value, count: count)
                    return .success(count)
                }
                #expect(output.count <= 8 << 10)
            }
            guard let chunk = output.take(isLast: false) else { continue }
            #expect(chunk.bytes.capacity <= 8 << 10)
            taken += chunk.bytes.readableBytesView
        }
        #expect(taken == expected)
        #expect(output.readCount == expected.count)
        #expect(spare.capacity >= LibraryChannel.readLength)
    }

    @Test("bytes that do not fit into a narrow window stay in the library")
    func nothingMore() {
        var (output, spare) = (OutputBuffer(.standardError, window: 32 << 10), ByteBuffer())
        var most: [Int] = []
        while output.hasSpace {
            _ = output.fill(sharing: &spare) { target in
                most.append(target.count)
                return .success(min(3000, target.count))
            }
        }
        #expect(most == [8192, 5192, 2192])
    }
}
