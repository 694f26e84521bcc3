import BridgeSSH
import CPayloadTap
import Glibc
import Testing

@testable import SSHTransport

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

    @Test("shows payloads that are freed") func showsPayloadsThatAreFreed() throws {
        try with { _, abstract, seen in
            for type in UInt8.min ... .max {
                let block = try #require(bridge_tap_alloc(3, abstract))
                block.storeBytes(of: type, as: UInt8.self)
                bridge_tap_free(block, abstract)
            }
            #expect(seen.payloads == [51, 53, 80, 91, 92, 94, 95, 96, 97, 98].map { [$0, 0, 0] })
        }
    }

    @Test("does not show a payload whose MAC is wrong") func doesNotShowAPayloadWhoseMACIsWrong() throws {
        try with { tap, abstract, seen in
            let block = try #require(bridge_tap_alloc(8, abstract))
            block.storeBytes(of: 98, as: UInt8.self)
            tap.pointee.rejected = UnsafeRawPointer(block)
            bridge_tap_free(block, abstract)
            #expect(seen.payloads.isEmpty)
            // Another block may get the same address.
            #expect(tap.pointee.rejected == nil)
        }
    }

    @Test("old memory is never exposed") func handsOutNothingOfOldMemory() throws {
        try with { _, abstract, _ in
            for size in [1, 100, 5000, 40_000] {
                let block = try #require(bridge_tap_alloc(size, abstract))
                #expect(UnsafeRawBufferPointer(start: block, count: size).allSatisfy { $0 == 0 })
                block.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size)
                bridge_tap_free(block, abstract)
            }
        }
    }

    @Test("held bytes are counted, and more than the limit is refused") func countsWhatIsHeldAndRefusesMoreThanTheLimit() throws {
        try with { tap, abstract, _ in
            tap.pointee.limit = 80_000
            var blocks: [UnsafeMutableRawPointer] = []
            for size in [70_000, 2000, 7000] { blocks.append(try #require(bridge_tap_alloc(size, abstract))) }
            #expect(tap.pointee.held == 79_000 + 3 * Int(bridge_tap_block_cost))
            blocks[0] = try #require(bridge_tap_realloc(blocks[0], 200, abstract))
            #expect(tap.pointee.held == 9200 + 3 * Int(bridge_tap_block_cost))
            #expect(tap.pointee.refused == bridge_tap_nothing_refused)
            #expect(bridge_tap_alloc(80_000, abstract) == nil)
            #expect(tap.pointee.refused == bridge_tap_over_limit)
            // Small blocks are for libssh2's own use.
            bridge_tap_free(bridge_tap_alloc(1, abstract), abstract)
            for block in blocks { bridge_tap_free(block, abstract) }
            #expect(tap.pointee.held == 0)
        }
    }

    @Test("an impossible size is refused", arguments: [Int.max, Int.max / 2, Int.max - 31, 1 << 40])
    func aSizeThatCannotBeIsRefused(_ size: Int) {
        with { tap, abstract, _ in
            tap.pointee.limit = 1 << 20
            #expect(bridge_tap_alloc(size, abstract) == nil)
        }
    }

    /// A signature, or an answer, is made without a session and freed with one.
    @Test("uncounted blocks are not subtracted") func whatWasNotCountedIsNotCountedBack() throws {
        try with { tap, abstract, _ in
            let block = try #require(bridge_tap_alloc(500, nil))
            bridge_tap_free(block, abstract)
            #expect(tap.pointee.held == 0)
        }
    }

    @Test("forgotten blocks are freed") func freesWhatWasForgotten() throws {
        try with { tap, abstract, seen in
            let blocks = try [1, 300, 70_000, 2].map { try #require(bridge_tap_alloc($0, abstract)) }
            _ = try #require(bridge_tap_realloc(blocks[1], 5000, abstract))
            bridge_tap_free(blocks[2], abstract)
            bridge_tap_free(try #require(bridge_tap_alloc(500, nil)), abstract)
            #expect(tap.pointee.held == 5003 + 3 * Int(bridge_tap_block_cost))
            bridge_tap_release_blocks(tap)
            #expect(tap.pointee.held == 0 && tap.pointee.blocks == nil)
            // Nothing in it is trusted.
            #expect(seen.payloads.isEmpty)
        }
    }

    #if os(Linux)
        @Test("only pages of zeros are given back") func givesBackPagesOfZerosAndNothingElse() throws {
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

        /// Most of libssh2's session is buffer space for unusually large packets.
        @Test("an unused session takes little memory") func aSessionHoldsLittleUntilItIsUsed() throws {
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
