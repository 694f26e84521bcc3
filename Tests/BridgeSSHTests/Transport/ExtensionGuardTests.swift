import CPayloadTap
import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHTransport

/// SSH_MSG_EXT_INFO whose count is a lie is found before libssh2 can read it, with libssh2's part played by the test.
@Suite struct ExtensionGuardTests {
    typealias Library = PacketGuardTests.Library

    private func library(_ mode: (String, String)) throws -> Library {
        let library = try Library(mode.0, mode.1)
        library.tap.reads_extensions = 1
        try library.take(21, size: 11)
        return library
    }

    private func room(_ library: Library, _ wanted: Int = 1 << 14) -> Int {
        withUnsafeMutablePointer(to: &library.tap) { bridge_tap_room($0, wanted) }
    }

    private func give(_ library: Library, _ count: Int) {
        withUnsafeMutablePointer(to: &library.tap) { bridge_tap_gave($0, count) }
    }

    private func write(count: UInt32, to block: UnsafeMutableRawPointer) {
        block.storeBytes(of: 7, as: UInt8.self)
        (block + 1).storeBytes(of: count.bigEndian, as: UInt32.self)
    }

    /// A length that is whole blocks, and padding that is possible.
    private func note(_ length: Int, _ library: Library) -> Int {
        library.note(length: UInt32(length), padding: 4)
        return PacketGuardTests.size(length, library.layout)
    }

    static let shown = [("aes128-ctr", "hmac-sha2-256", 60), ("3des-cbc", "hmac-sha1", 60), ("aes128-gcm@openssh.com", "", 64)]

    @Test(arguments: shown, [(1, true), (5, true), (40, false), (.max, false)] as [(UInt32, Bool)])
    func aLieIsSeenInTheBeginning(_ mode: (String, String, Int), _ list: (UInt32, Bool)) throws {
        let library = try library((mode.0, mode.1))
        let block = Int(library.layout.cipher_block)
        #expect(room(library) == block, "less than any packet")
        give(library, block)
        let size = note(mode.2, library)
        let packet = try #require(library.packet(size))
        if block < 16 {
            #expect(room(library) == 16 - block)
            give(library, 16 - block)
        }
        write(count: list.0, to: packet)
        // The rest of the packet, and the beginning of the next.
        #expect(room(library) == (list.1 ? mode.2 + 4 + Int(library.layout.mac_length) - 16 + block : 0))
        #expect(library.tap.refused == (list.1 ? bridge_tap_nothing_refused : bridge_tap_bad_packet))
        library.free(packet)
    }

    @Test(arguments: [(1, true), (40, false), (.max, false)] as [(UInt32, Bool)])
    func aLieIsTakenAwayBehindItsMAC(_ list: (UInt32, Bool)) throws {
        let library = try library(("aes128-ctr", "hmac-sha2-256-etm@openssh.com"))
        #expect(room(library) == 1 << 14)
        let size = note(64, library)
        let packet = try #require(library.packet(size))
        let deciphered = try #require(library.other(64))
        write(count: list.0, to: deciphered)
        library.free(packet)
        #expect(library.tap.refused == (list.1 ? bridge_tap_nothing_refused : bridge_tap_bad_packet))
        #expect((deciphered + 1).loadUnaligned(as: UInt32.self) == (list.1 ? list.0.bigEndian : 0))
        library.free(deciphered)
    }

    /// However the bytes come, libssh2 has the beginning of a packet before it has the whole.
    @Test(arguments: shown, 0..<20) func noPacketIsWholeAtOnce(_ mode: (String, String, Int), _ seed: UInt64) throws {
        let library = try library((mode.0, mode.1))
        let (block, mac) = (Int(library.layout.cipher_block), Int(library.layout.mac_length))
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let length = mode.2 + 16 * Int.random(in: 0...200, using: &random)
            var given = Int(library.tap.given - library.tap.packet_end)
            let whole = length + 4 + mac
            while given < block {
                let count = Int.random(in: 1...room(library), using: &random)
                give(library, count)
                given += count
            }
            #expect(given < whole)
            let size = note(length, library)
            let packet = try #require(library.packet(size))
            packet.storeBytes(of: 94, as: UInt8.self)
            while given < whole {
                let room = room(library)
                #expect(given >= 16 || given + room <= 16)
                #expect(given + room <= whole + block)
                let count = Int.random(in: 1...room, using: &random)
                give(library, count)
                given += count
            }
            library.free(packet)
        }
        #expect(library.tap.refused == bridge_tap_nothing_refused)
    }

    /// Bytes behind SSH_MSG_NEWKEYS are not read as if they were in the clear.
    @Test func nothingIsGivenBeforeTheKeys() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256")
        library.tap.reads_extensions = 1
        #expect(room(library) == 0)
        #expect(library.tap.refused == bridge_tap_bad_packet)
    }
}
