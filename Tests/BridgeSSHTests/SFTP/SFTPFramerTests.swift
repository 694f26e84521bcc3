import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite("Cutting a stream into SFTP packets")
struct SFTPFramerTests {
    @Test("packets are read completely and in order, wherever the stream is cut")
    func anyCut() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let packets = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                Packet.random(Int.random(in: 5...[6, 40, 3000].randomElement(using: &generator)!, using: &generator), &generator)
            }
            var stream = ByteBuffer()
            for packet in packets {
                stream.writeInteger(UInt32(packet.count))
                stream.writeBytes(packet)
            }
            let longestCut = [1, 7, 100, 10_000].randomElement(using: &generator)!
            var framer = SFTPFramer()
            var found: [[UInt8]] = []
            while stream.readableBytes > 0 {
                let count = min(stream.readableBytes, Int.random(in: 1...longestCut, using: &generator))
                if let part = stream.readSlice(length: count) { framer.append(part) }
                // Sometimes packets are not taken at once, so that pending bytes join later ones.
                guard Bool.random(using: &generator) || stream.readableBytes == 0 else { continue }
                while let packet = try framer.next() { found.append(Array(packet.readableBytesView)) }
            }
            #expect(found == packets)
        }
    }

    @Test(
        "an impossible length ends the stream at its fourth byte",
        arguments: [0, 4, UInt32(SFTPFramer.maximumPacketLength + 1), .max])
    func lengths(length: UInt32) throws {
        var framer = SFTPFramer()
        let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        framer.append(ByteBuffer(bytes: bytes.prefix(3)))
        #expect(try framer.next() == nil)
        framer.append(ByteBuffer(bytes: bytes.suffix(1)))
        #expect(throws: SFTPProtocolViolation("a packet of \(length) bytes")) { try framer.next() }
    }

    @Test("text in place of the first packet is reported, even if it arrives in pieces")
    func text() throws {
        var framer = SFTPFramer()
        framer.append(ByteBuffer(string: "We"))
        #expect(try framer.next() == nil)
        framer.append(ByteBuffer(string: "lcome!"))
        #expect(throws: SFTPProtocolViolation("it sent the text \"Welcome!\"")) { try framer.next() }
    }
}

private enum Packet {
    static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
