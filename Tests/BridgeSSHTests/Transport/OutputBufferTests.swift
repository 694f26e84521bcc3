import BridgeSSH
import NIOCore
import Testing

@testable import SSHTransport

@Suite("What has been read and waits for its reader") struct OutputBufferTests {
    @Test("the spare room that all share never becomes what a command's whole output was kept in")
    func spareStaysSmall() {
        var (output, spare) = (OutputBuffer(.standardOutput), ByteBuffer())
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
        #expect(spare.capacity <= 2 * OutputBuffer.readAhead)
    }
}
