import BridgeSSH
import NIOCore
import Testing

@testable import SSHTransport

@Suite("What has been read and waits for its reader") struct OutputBufferTests {
    @Test("the spare room that all share never becomes what a command's whole output was kept in")
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
        #expect(spare.capacity <= 2 * OutputBuffer.mostReadAhead)
    }

    @Test("of a narrow window a part is read ahead, of a wide one a limit", arguments: [(32, 1), (96, 1), (1024, 8), (32768, 8)])
    func readAhead(kibibytes: Int, reads: Int) {
        var (output, spare) = (OutputBuffer(.standardOutput, window: kibibytes << 10), ByteBuffer())
        for read in 1...reads {
            #expect(output.hasRoom, "before read \(read)")
            _ = output.fill(sharing: &spare) { _ in .success(LibraryChannel.readLength) }
        }
        #expect(!output.hasRoom)
    }
}
