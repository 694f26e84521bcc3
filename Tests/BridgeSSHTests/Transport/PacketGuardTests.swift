import BridgeSSH
import CPayloadTap
import Testing

@testable import SSHTransport

/// Which packets the allocator lets libssh2 have a block for, with libssh2's part played by the test.
@Suite struct PacketGuardTests {
    /// libssh2's session, as far as the guard looks at it, and the one place that asks for packets.
    final class Library {
        var tap = bridge_tap()
        var layout = bridge_packet_layout()
        var mayGoOn = true
        var keyChanges = 0
        /// The message numbers that the observer was shown.
        var shown: [UInt8] = []
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        static let lengthOffset = 20

        init(_ cipher: String, _ mac: String) throws {
            layout = try #require(PacketProtection.layout(cipher: cipher, mac: mac))
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            tap.owner = Unmanaged.passUnretained(self).toOpaque()
            tap.session = memory.baseAddress
            tap.method = { session, _ in session.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) } }
            tap.slack = 64
            tap.describe = { owner, _, _, layout in
                guard let owner else { return 1 }
                layout?.pointee = Unmanaged<Library>.fromOpaque(owner).takeUnretainedValue().layout
                return 0
            }
            tap.keys_changed = { owner in
                guard let owner else { return 1 }
                let library = Unmanaged<Library>.fromOpaque(owner).takeUnretainedValue()
                library.keyChanges += 1
                return library.mayGoOn ? 0 : 1
            }
            let block = try #require(packet(1))
            tap.places.packet_site = bridge_tap_site(block)
            tap.places.packet_length_offset = Self.lengthOffset
            tap.places.knows_packet_length = 1
            free(block)
        }

        deinit {
            bridge_tap_release_blocks(&tap)
            memory.deallocate()
        }

        private func withAbstract<Result>(_ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Result) -> Result {
            withUnsafeMutablePointer(to: &tap) { tap in
                var abstract: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(tap)
                return withUnsafeMutablePointer(to: &abstract, body)
            }
        }

        @inline(never) func packet(_ size: Int) -> UnsafeMutableRawPointer? { withAbstract { bridge_tap_alloc(size, $0) } }
        @inline(never) func other(_ size: Int) -> UnsafeMutableRawPointer? { withAbstract { bridge_tap_alloc(size, $0) } }
        func free(_ block: UnsafeMutableRawPointer?) { withAbstract { bridge_tap_free(block, $0) } }

        /// A message of one byte comes, and is freed.
        func take(_ message: UInt8, size: Int) throws {
            let block = try #require(packet(size))
            block.storeBytes(of: message, as: UInt8.self)
            free(block)
        }

        /// An encrypted message of the least length comes and is freed: with encrypt-then-MAC in a block from another call
        /// site.
        func receive(_ message: UInt8) throws {
            let length = layout.form == bridge_packet_length_enciphered ? 28 : 32
            note(length: UInt32(length), padding: 10)
            let block = self.packet(PacketGuardTests.size(length, layout))
            let packet = try #require(block)
            guard layout.form == bridge_packet_encrypt_then_mac else {
                packet.storeBytes(of: message, as: UInt8.self)
                return free(packet)
            }
            let second = other(length)
            let plain = try #require(second)
            plain.storeBytes(of: message, as: UInt8.self)
            free(packet)
            free(plain)
        }

        /// libssh2's record of the last packet.
        func note(length: UInt32, padding: UInt8) {
            memory.storeBytes(of: length, toByteOffset: Self.lengthOffset, as: UInt32.self)
            memory[Self.lengthOffset + 4] = padding
        }

        var padding: UInt8 { memory[Self.lengthOffset + 4] }
    }

    /// The size of libssh2's block for a packet of this length.
    static func size(_ length: Int, _ layout: bridge_packet_layout) -> Int {
        switch layout.form {
        case bridge_packet_encrypt_then_mac, bridge_packet_chacha: length + 4 + Int(layout.mac_length)
        default: length - 1 + Int(layout.mac_length)
        }
    }

    /// A block that must be there.
    private func taken(_ block: UnsafeMutableRawPointer?) throws -> UnsafeMutableRawPointer { try #require(block) }

    static let modes = [
        ("aes128-ctr", "hmac-sha2-256"), ("3des-cbc", "hmac-sha1"), ("aes256-ctr", "hmac-sha2-512-etm@openssh.com"),
        ("aes128-gcm@openssh.com", ""), ("chacha20-poly1305@openssh.com", ""),
    ]

    /// NEWKEYS with any padding that a server may choose puts the guard to work.
    @Test("only whole blocks pass", arguments: modes, [1, 11, 19, 27, 259])
    func whatIsWholeBlocksPassesAndNothingElse(_ mode: (String, String), _ newKeysSize: Int) throws {
        let library = try Library(mode.0, mode.1)
        // libssh2 accepts any length of an unencrypted packet.
        for size in [1, 2, 7, 12, 100] { library.free(try taken(library.packet(size))) }
        try library.take(21, size: newKeysSize)
        #expect(library.keyChanges == 1)
        let layout = library.layout
        let counted = layout.form == bridge_packet_length_enciphered ? 4 : 0
        for length in 0...2000 {
            let size = Self.size(length, layout)
            guard size >= 0 else { continue }
            let isWhole = (length + counted).isMultiple(of: Int(layout.cipher_block)) && length >= 2
            library.note(length: UInt32(length), padding: 0)
            let block = library.packet(size)
            #expect((block != nil) == isWhole, "length \(length)")
            #expect(library.tap.refused == (isWhole ? bridge_tap_nothing_refused : bridge_tap_bad_packet))
            library.tap.refused = bridge_tap_nothing_refused
            library.free(block)
            library.tap.refused = bridge_tap_nothing_refused
        }
        // Lengths that wrapped around 32 bits, and that are longer than libssh2 takes.
        for size in [0, 1, Int(layout.mac_length), 41_024, 1 << 20] {
            #expect(library.packet(size) == nil, "size \(size)")
            library.tap.refused = bridge_tap_nothing_refused
        }
        // Blocks allocated elsewhere are not packets.
        library.free(try taken(library.other(13)))
    }

    @Test("padding longer than its packet is removed") func paddingThatIsLongerThanItsPacketIsTakenAway() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256-etm@openssh.com")
        try library.take(21, size: 11)
        for (length, padding, isTrue) in [(16, 4, true), (16, 14, true), (16, 15, false), (16, 255, false), (32, 255, false)] {
            let block = try #require(library.packet(length + 4 + 32))
            library.note(length: UInt32(length), padding: UInt8(padding))
            library.free(block)
            #expect(library.tap.refused == (isTrue ? bridge_tap_nothing_refused : bridge_tap_bad_packet))
            #expect(library.padding == (isTrue ? UInt8(padding) : 0))
            library.tap.refused = bridge_tap_nothing_refused
        }
        // The length differs from the block's.
        let block = try #require(library.packet(16 + 4 + 32))
        library.note(length: 4096, padding: 4)
        library.free(block)
        #expect(library.tap.refused == bridge_tap_bad_packet)
    }

    /// AES with a MAC, and AES-GCM: the padding is known before the block is asked for.
    @Test(
        "padding that leaves no message is refused",
        arguments: [("aes128-ctr", "hmac-sha2-256", 28), ("aes128-gcm@openssh.com", "", 32)])
    func paddingThatLeavesNoMessageIsRefused(_ cipher: String, _ mac: String, _ length: Int) throws {
        let library = try Library(cipher, mac)
        try library.take(21, size: 11)
        for padding in UInt8.min ... .max {
            library.note(length: UInt32(length), padding: padding)
            let block = library.packet(Self.size(length, library.layout))
            #expect((block != nil) == (Int(padding) <= length - 2), "padding \(padding)")
            library.free(block)
            library.tap.refused = bridge_tap_nothing_refused
        }
    }

    /// libssh2 continues with the old keys, and waits for bytes that never come.
    @Test("a key exchange that fails is noticed", arguments: modes) func aKeyExchangeThatFailsIsNoticed(_ mode: (String, String))
        throws
    {
        let library = try Library(mode.0, mode.1)
        // The lists of the first exchange come unencrypted, and are freed when its keys are in use.
        let lists = try taken(library.packet(400))
        lists.storeBytes(of: 20, as: UInt8.self)
        try library.take(21, size: 11)
        library.free(lists)
        #expect(library.tap.refused == bridge_tap_nothing_refused)
        for _ in 0..<3 {
            try library.receive(21)
            try library.receive(20)
            #expect(library.tap.refused == bridge_tap_nothing_refused)
        }
        try library.receive(94)
        #expect(library.tap.refused == bridge_tap_nothing_refused)
        try library.receive(20)
        #expect(library.tap.refused == bridge_tap_exchange_failed)
    }

    @Test("the padding of a packet with a wrong MAC is ignored") func aPacketWhoseMACIsWrongSaysNothingOfItsPadding() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256-etm@openssh.com")
        try library.take(21, size: 11)
        let block = try #require(library.packet(16 + 4 + 32))
        library.note(length: 16, padding: 255)
        library.tap.rejected = UnsafeRawPointer(block)
        library.free(block)
        #expect(library.tap.refused == bridge_tap_nothing_refused)
    }

    @Test("a packet that is still enciphered is not taken for a message")
    func encipheredBytes() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256-etm@openssh.com")
        try library.take(21, size: 11)
        library.tap.observe = { owner, payload, _ in
            guard let owner, let payload else { return }
            Unmanaged<Library>.fromOpaque(owner).takeUnretainedValue().shown.append(payload[0])
        }
        for byte: UInt8 in [53, 80, 94, 97] {
            library.note(length: 32, padding: 10)
            try library.take(byte, size: Self.size(32, library.layout))
        }
        #expect(library.shown.isEmpty)
        try library.receive(97)
        #expect(library.shown == [97])
    }

    @Test("new keys are reported in every mode", arguments: modes) func newKeysAreReportedInEveryMode(_ mode: (String, String))
        throws
    {
        let library = try Library(mode.0, mode.1)
        try library.take(21, size: 11)
        library.mayGoOn = false
        try library.receive(21)
        #expect(library.keyChanges == 2)
        #expect(library.tap.refused == bridge_tap_keys_refused)
        // No further packet is allowed, but libssh2 may end a call that it has begun.
        #expect(library.packet(library.layout.form == bridge_packet_encrypt_then_mac ? 52 : 16 - 5 + 32) == nil)
        library.free(try taken(library.other(1)))
    }

    /// libssh2 1.11 would process a packet that it cannot decrypt forever.
    @Test("a packet that never ends is refused") func aPacketThatComesAgainAndAgainIsRefused() throws {
        let library = try Library("chacha20-poly1305@openssh.com", "")
        try library.take(21, size: 11)
        var blocks: [UnsafeMutableRawPointer] = []
        while blocks.count < 1000, let block = library.packet(16 + 4 + 16) { blocks.append(block) }
        #expect(blocks.count == 64)
        #expect(library.tap.refused == bridge_tap_bad_packet)
        for block in blocks { library.free(block) }
    }

    /// Packets that are read one by one may be of any number, and all of one size.
    @Test("packets that arrive one by one pass") func packetsThatComeOneByOnePass() throws {
        let library = try Library("chacha20-poly1305@openssh.com", "")
        try library.take(21, size: 11)
        for _ in 0..<500 {
            _ = try taken(library.packet(16 + 4 + 16))
            withUnsafeMutablePointer(to: &library.tap) { bridge_tap_progress($0) }
        }
        #expect(library.tap.refused == bridge_tap_nothing_refused)
    }

    @Test("held packets have a limit") func whatIsHeldHasALimit() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256")
        try library.take(21, size: 11)
        library.tap.limit = 100_000
        library.note(length: 156, padding: 4)
        var blocks: [UnsafeMutableRawPointer] = []
        while blocks.count < 10_000, let block = library.packet(160 - 5 + 32) { blocks.append(block) }
        #expect(blocks.count == 100_000 / (187 + 64 + Int(bridge_tap_block_cost)))
        #expect(library.tap.refused == bridge_tap_over_limit)
        for block in blocks { library.free(block) }
        #expect(library.tap.held == 0)
    }

    @Test("with an unknown layout no packet passes") func aLayoutThatIsNotKnownLetsNoPacketPass() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256")
        try library.take(21, size: 11)
        library.tap.describe = { _, _, _, _ in 1 }
        library.note(length: 12, padding: 4)
        #expect(library.packet(16 - 5 + 32) == nil)
        #expect(library.tap.refused == bridge_tap_bad_packet)
    }

    /// libssh2 1.10 trusts the length that a question's title claims.
    @Test("no title is longer than its question") func noTitleIsLongerThanItsQuestion() throws {
        let library = try Library("aes128-ctr", "hmac-sha2-256")
        try library.take(21, size: 11)
        library.tap.questions = bridge_questions_to_send
        let request = try #require(library.other(60_000))
        library.free(request)
        library.note(length: 156, padding: 4)
        let question = try #require(library.packet(160 - 5 + 32))
        question.storeBytes(of: 60, as: UInt8.self)
        library.free(try taken(library.other(100)))
        #expect(library.other(200) == nil)
        #expect(library.tap.refused == bridge_tap_bad_packet)
        library.tap.refused = bridge_tap_nothing_refused
        // The answers may have any length.
        library.tap.questions = bridge_questions_to_send
        library.free(try taken(library.other(200)))
        // After any other packet the general limit applies.
        library.free(question)
        #expect(library.other(65) == nil)
        library.tap.refused = bridge_tap_nothing_refused
        library.free(try taken(library.other(64)))
    }
}
