import CPayloadTap
import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHTransport

/// An SSH_MSG_EXT_INFO with a false count is found before libssh2 can read it. The test plays libssh2's part.
@Suite struct ExtensionGuardTests {
    typealias Library = PacketGuardTests.Library

    private func library(_ mode: (String, String)) throws -> Library {
        let library = try Library(mode.0, mode.1)
        library.tap.reads_extensions = 1
        try library.take(21, size: 11)
        return library
    }

    private func space(_ library: Library, _ wanted: Int = 1 << 14) -> Int {
        withUnsafeMutablePointer(to: &library.tap) { bridge_tap_space($0, wanted) }
    }

    private func give(_ library: Library, _ count: Int) {
        withUnsafeMutablePointer(to: &library.tap) { bridge_tap_gave($0, count) }
    }

    private func write(count: UInt32, to block: UnsafeMutableRawPointer) {
        block.storeBytes(of: 7, as: UInt8.self)
        (block + 1).storeBytes(of: count.bigEndian, as: UInt32.self)
    }

    /// A length of whole blocks, with a valid padding length.
    private func note(_ length: Int, _ library: Library) -> Int {
        library.note(length: UInt32(length), padding: 4)
        return PacketGuardTests.size(length, library.layout)
    }

    static let shown = [("aes128-ctr", "hmac-sha2-256", 60), ("3des-cbc", "hmac-sha1", 60), ("aes128-gcm@openssh.com", "", 64)]

    @Test(
        "a false length is seen in the packet's beginning", arguments: shown,
        [(1, true), (5, true), (40, false), (.max, false)] as [(UInt32, Bool)])
    func aLieIsSeenInTheBeginning(_ mode: (String, String, Int), _ list: (UInt32, Bool)) throws {
        let library = try library((mode.0, mode.1))
        let block = Int(library.layout.cipher_block)
        #expect(space(library) == block, "less than any packet")
        give(library, block)
        let size = note(mode.2, library)
        let packet = try #require(library.packet(size))
        if block < 16 {
            #expect(space(library) == 16 - block)
            give(library, 16 - block)
        }
        write(count: list.0, to: packet)
        // The rest of the packet, and the beginning of the next.
        #expect(space(library) == (list.1 ? mode.2 + 4 + Int(library.layout.mac_length) - 16 + block : 0))
        #expect(library.tap.refused == (list.1 ? bridge_tap_nothing_refused : bridge_tap_bad_packet))
        library.free(packet)
    }

    @Test(
        "a false length is removed after its MAC was checked",
        arguments: [(1, true), (40, false), (.max, false)] as [(UInt32, Bool)])
    func aLieIsTakenAwayBehindItsMAC(_ list: (UInt32, Bool)) throws {
        let library = try library(("aes128-ctr", "hmac-sha2-256-etm@openssh.com"))
        #expect(space(library) == 1 << 14)
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
    @Test("libssh2 never gets a whole packet at once", arguments: shown, 0..<20) func noPacketIsWholeAtOnce(
        _ mode: (String, String, Int), _ seed: UInt64
    ) throws {
        let library = try library((mode.0, mode.1))
        let (block, mac) = (Int(library.layout.cipher_block), Int(library.layout.mac_length))
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let length = mode.2 + 16 * Int.random(in: 0...200, using: &random)
            var given = Int(library.tap.given - library.tap.packet_end)
            let whole = length + 4 + mac
            while given < block {
                let count = Int.random(in: 1...space(library), using: &random)
                give(library, count)
                given += count
            }
            #expect(given < whole)
            let size = note(length, library)
            let packet = try #require(library.packet(size))
            packet.storeBytes(of: 94, as: UInt8.self)
            while given < whole {
                let space = space(library)
                #expect(given >= 16 || given + space <= 16)
                #expect(given + space <= whole + block)
                let count = Int.random(in: 1...space, using: &random)
                give(library, count)
                given += count
            }
            library.free(packet)
        }
        #expect(library.tap.refused == bridge_tap_nothing_refused)
    }

    // MARK: Lists that libssh2 keeps

    private static let every = shown + [("aes128-ctr", "hmac-sha2-256-etm@openssh.com", 0)]

    private static func extensions(_ list: [(String, [UInt8])]) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.byte(7)
        writer.uint32(UInt32(list.count))
        for (name, value) in list {
            writer.string(name)
            writer.string(value)
        }
        return writer.bytes
    }

    private static func copy(_ value: [UInt8], to block: UnsafeMutableRawPointer) {
        block.copyMemory(from: value + [0], byteCount: value.count + 1)
    }

    private static func text(_ block: UnsafeMutableRawPointer) -> String {
        String(cString: block.assumingMemoryBound(to: CChar.self))
    }

    /// The data that libssh2 keeps of a message after freeing it.
    ///
    /// - Parameters:
    ///   - tail: the bytes after the message in its block: padding and a MAC.
    ///   - kept: the bytes that libssh2 has copied.
    private func kept(
        _ message: [UInt8], tail: [UInt8] = [UInt8](repeating: 0, count: 40), _ kept: [UInt8], _ mode: (String, String)
    ) throws -> String {
        let library = try library(mode)
        let isBehindMAC = library.layout.form == bridge_packet_encrypt_then_mac
        let content = message + tail
        // Whole cipher blocks, including the length field if it is encrypted too (RFC 4253 section 6, RFC 5647 section 7.2).
        let isLengthClear = isBehindMAC || mode.0.contains("gcm")
        let length = (content.count + 64) / 16 * 16 + (isLengthClear ? 0 : 12)
        let size = note(length, library)
        let packet = try #require(library.packet(size))
        var deciphered = packet
        if isBehindMAC {
            deciphered = try #require(library.other(length))
            library.free(packet)
        }
        deciphered.copyMemory(from: content, byteCount: content.count)
        let copy = try #require(library.other(kept.count + 1))
        Self.copy(kept, to: copy)
        library.free(deciphered)
        defer { library.free(copy) }
        return Self.text(copy)
    }

    static let lists = [
        ("rsa-sha2-256", "rsa-sha2-256"),
        ("rsa-sha2-512,rsa-sha2-256,ssh-rsa", "rsa-sha2-512,rsa-sha2-256,ssh-rsa"),
        ("a,a", "a"), ("ab,a,a", "ab,a"), (",,a,,a", "a"), ("", ""), (",", ""),
        ("ssh-rsa,ssh-rsa", "ssh-rsa"), ("x,rsa-sha2-256,x,x,x,x", "x,rsa-sha2-256"),
        (String(repeating: "ssh-rsa,rsa-sha2-512,", count: 1000), "ssh-rsa,rsa-sha2-512"),
        (
            "ssh-rsa," + (1..<200).map { "n\($0)" }.joined(separator: ","),
            "ssh-rsa," + (1..<64).map { "n\($0)" }.joined(separator: ",")
        ),
        // No algorithm of an RSA key is offered: refusing one is enough.
        ("ssh-ed25519", "ssh-rsa"), ("a,b,c,d", "ssh-rsa"), ("rsa-sha2-25,xssh-rsa,ssh-rsax", "ssh-rsa"),
    ]

    @Test("no name remains twice", arguments: every, lists) func noNameStaysTwice(
        _ mode: (String, String, Int), _ list: (String, String)
    ) throws {
        let value = Array(list.0.utf8)
        let message = Self.extensions([("ping@openssh.com", [48]), ("server-sig-algs", value)])
        #expect(try kept(message, value, (mode.0, mode.1)) == list.1)
    }

    /// A list in the padding after the message does not hide the one that libssh2 has read.
    @Test("padding hides nothing") func paddingHidesNothing() throws {
        let value = Array("a,a".utf8)
        var message = Self.extensions([("server-sig-algs", value), ("x", [])])
        message.removeLast(9)
        let tail = Self.extensions([("server-sig-algs", Array("b,b".utf8))]).dropFirst(5) + [UInt8](repeating: 0, count: 40)
        #expect(try kept(message, tail: Array(tail), value, ("aes128-ctr", "hmac-sha2-256")) == "a")
    }

    /// Other blocks of libssh2 are not touched.
    @Test("nothing else is changed") func nothingElseIsChanged() throws {
        let mode = ("aes128-ctr", "hmac-sha2-256")
        let other = Array("a,a".utf8)
        for list in [[("server-sig-algs", Array("b,b".utf8))], [("server-sig-alg", other)], []] {
            #expect(try kept(Self.extensions(list), other, mode) == "a,a")
        }
        #expect(try kept([7], other, mode) == "a,a")
    }

    @Test("a client's extension names are not methods after the first exchange")
    func aClientsSignsAreNoMethodsAfterTheFirstExchange() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256")
        let lists = [
            ("ext-info-c,kex-strict-c-v00@openssh.com,curve25519-sha256,x", "curve25519-sha256,x"), ("a,ext-info-c", "a"),
            ("ext-info-s,kex-strict-s-v00@openssh.com", "ext-info-s,kex-strict-s-v00@openssh.com"), ("ext-info-c", ""),
        ]
        for (offered, matched) in lists {
            let methods = try #require(library.other(offered.utf8.count + 1))
            Self.copy(Array(offered.utf8), to: methods)
            withUnsafeMutablePointer(to: &library.tap) { bridge_tap_note_methods($0) }
            #expect(Self.text(methods) == offered)
            try library.take(21, size: 11)
            #expect(Self.text(methods) == matched)
            library.free(methods)
            #expect(library.tap.methods == nil)
            library.tap.enciphered = 0
        }
    }

    /// Bytes after SSH_MSG_NEWKEYS are not read as unencrypted packets.
    @Test("no packet is passed on between NEWKEYS and the keys") func nothingIsGivenBeforeTheKeys() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256")
        library.tap.reads_extensions = 1
        #expect(space(library) == 0)
        #expect(library.tap.refused == bridge_tap_bad_packet)
    }
}
