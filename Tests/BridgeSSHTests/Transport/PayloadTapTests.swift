import CPayloadTap
import Testing

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
            #expect(seen.payloads == [51, 53, 91, 92, 98].map { [$0, 0, 0] })
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
            #expect(tap.pointee.ran_away != 0)
            for block in blocks { bridge_tap_free(block, abstract) }
        }
    }

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
            #expect(tap.pointee.ran_away == 0)
            for block in blocks { bridge_tap_free(block, abstract) }
        }
    }
}
