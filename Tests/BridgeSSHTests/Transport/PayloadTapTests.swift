import CPayloadTap
import Testing

@testable import BridgeSSH

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The allocator that libssh2 is given, as libssh2 would use it.
@Suite struct PayloadTapTests {
    private final class Seen {
        var payloads: [[UInt8]] = []
    }

    /// Lends an allocator whose observations are kept.
    private func with(
        _ body: (UnsafeMutablePointer<bridge_tap>, UnsafeMutablePointer<UnsafeMutableRawPointer?>, Seen) throws -> Void
    ) rethrows {
        let seen = Seen()
        var tap = bridge_tap()
        tap.owner = Unmanaged.passUnretained(seen).toOpaque()
        tap.observe = { owner, payload, length in
            guard let owner, let payload else { return }
            let bytes = Array(UnsafeBufferPointer(start: payload, count: length))
            Unmanaged<Seen>.fromOpaque(owner).takeUnretainedValue().payloads.append(bytes)
        }
        try withUnsafeMutablePointer(to: &tap) { tap in
            var abstract: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(tap)
            try withUnsafeMutablePointer(to: &abstract) { try body(tap, $0, seen) }
        }
    }

    @Test func showsPayloadsThatAreFreed() throws {
        try with { _, abstract, seen in
            for type in UInt8.min ... .max {
                let block = try #require(bridge_tap_alloc(3, abstract))
                block.storeBytes(of: type, as: UInt8.self)
                bridge_tap_free(block, abstract)
            }
            #expect(seen.payloads == [51, 53, 91, 92, 94, 95, 96, 97, 98].map { [$0, 0, 0] })
        }
    }

    @Test func doesNotShowAPayloadWhoseMACIsWrong() throws {
        try with { tap, abstract, seen in
            let block = try #require(bridge_tap_alloc(8, abstract))
            block.storeBytes(of: 98, as: UInt8.self)
            tap.pointee.rejected = UnsafeRawPointer(block)
            bridge_tap_free(block, abstract)
            #expect(seen.payloads.isEmpty)
            // Another block may be given the same place.
            #expect(tap.pointee.rejected == nil)
        }
    }

    @Test func handsOutNothingOfOldMemory() throws {
        try with { _, abstract, _ in
            for size in [1, 100, 5000, 40_000] {
                let block = try #require(bridge_tap_alloc(size, abstract))
                #expect(UnsafeRawBufferPointer(start: block, count: size).allSatisfy { $0 == 0 })
                block.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size)
                bridge_tap_free(block, abstract)
            }
        }
    }

    @Test func stopsWhoAsksForTheSameForEver() {
        with { tap, abstract, _ in
            var blocks: [UnsafeMutableRawPointer] = []
            while blocks.count < 1000, let block = bridge_tap_alloc(316, abstract) { blocks.append(block) }
            #expect(blocks.count < 100)
            #expect(tap.pointee.refused != 0)
            for block in blocks { bridge_tap_free(block, abstract) }
        }
    }

    /// AES and a MAC of 32 bytes: packets of 16 bytes and more, of which five are read before.
    @Test func refusesAPacketThatIsNotWholeBlocks() throws {
        try with { tap, abstract, _ in
            tap.pointee.cipher_block = 16
            tap.pointee.mac_length = 32
            // One place asks for all packets.
            func packet(_ length: Int) -> UnsafeMutableRawPointer? { allocation(length, abstract) }
            let keys = try #require(packet(11))
            keys.storeBytes(of: 21, as: UInt8.self)
            bridge_tap_free(keys, abstract)
            for blocks in 1...100 {
                let block = try #require(packet(blocks * 16 - 5 + 32))
                bridge_tap_free(block, abstract)
            }
            #expect(tap.pointee.refused == 0)
            // Not from where packets come.
            bridge_tap_free(bridge_tap_alloc(60, abstract), abstract)
            #expect(tap.pointee.refused == 0)
            for length in [1, 12, 31, 44, 58, 60, 1000] where (length + 5) % 16 != 0 {
                tap.pointee.refused = 0
                #expect(packet(length) == nil)
                #expect(tap.pointee.refused != 0)
            }
        }
    }

    @inline(never) private func allocation(
        _ length: Int, _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> UnsafeMutableRawPointer? { bridge_tap_alloc(length, abstract) }

    @Test func letsWhoGetsOnAskForAsMuchAsItNeeds() throws {
        try with { tap, abstract, _ in
            var blocks: [UnsafeMutableRawPointer] = []
            for round in 0..<500 {
                // Packets that are kept, and packets that come one by one.
                for size in round < 250 ? [350, 64] : [316] {
                    blocks.append(try #require(bridge_tap_alloc(size, abstract)))
                }
                if round >= 250 { bridge_tap_progress(tap) }
            }
            #expect(tap.pointee.refused == 0)
            for block in blocks { bridge_tap_free(block, abstract) }
        }
    }

    #if os(Linux)
        @Test func givesBackPagesOfZerosAndNothingElse() throws {
            let page = sysconf(Int32(_SC_PAGESIZE))
            try with { _, abstract, _ in
                let size = page * 20
                let block = try #require(bridge_tap_alloc(size, abstract))
                let first = Int((UInt(page) - UInt(bitPattern: block) % UInt(page)) % UInt(page))
                // One byte that is not zero: in no whole page, at the beginning of one, in the middle, and at the end.
                let marks = [first - 1, first + 2 * page, first + 7 * page + 99, first + 12 * page - 1].filter { $0 >= 0 }
                for mark in marks { block.storeBytes(of: 0xA5, toByteOffset: mark, as: UInt8.self) }
                #expect(bridge_tap_give_back_zeros(block) == ((size - first) / page - 3) * page)
                let bytes = UnsafeRawBufferPointer(start: block, count: size)
                #expect(bytes.indices.filter { bytes[$0] != 0 } == marks)
                bridge_tap_free(block, abstract)
            }
        }

        /// Most of libssh2's session is room for packets that are larger than most.
        @Test func aSessionHoldsLittleUntilItIsUsed() throws {
            let session = try LibrarySession()
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let start = (UInt(bitPattern: session.raw) + page - 1) / page * page
            var states = [UInt8](repeating: 0, count: 12)
            let length = states.count * Int(page)
            try #require(mincore(UnsafeMutableRawPointer(bitPattern: start), length, &states) == 0)
            #expect(states.count { $0 & 1 == 1 } <= 4)
        }
    #endif
}
