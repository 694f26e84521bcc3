import CPayloadTap
import Testing

/// libssh2 keeps messages that no call of it asks for. The observer sees them while libssh2 holds them.
@Suite("Held payloads") struct HeldPayloadTests {
    private final class Library {
        var tap = bridge_tap()
        private(set) var seen: [[UInt8]] = []

        init() throws {
            tap.owner = Unmanaged.passUnretained(self).toOpaque()
            tap.observe = { owner, payload, count in
                guard let owner, let payload else { return }
                let bytes = Array(UnsafeRawBufferPointer(start: payload, count: count))
                Unmanaged<Library>.fromOpaque(owner).takeUnretainedValue().seen.append(bytes)
            }
            let block = try packet([0])
            tap.places.packet_site = bridge_tap_site(block)
            free(block)
        }

        deinit { bridge_tap_release_blocks(&tap) }

        private func withAbstract<Result>(_ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Result) -> Result {
            withUnsafeMutablePointer(to: &tap) { tap in
                var abstract: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(tap)
                return withUnsafeMutablePointer(to: &abstract, body)
            }
        }

        /// A packet comes; its block is asked for from one place, as libssh2 does.
        @inline(never) func packet(_ bytes: [UInt8]) throws -> UnsafeMutableRawPointer {
            let block = try #require(withAbstract { bridge_tap_alloc(bytes.count, $0) })
            block.copyMemory(from: bytes, byteCount: bytes.count)
            return block
        }

        func free(_ block: UnsafeMutableRawPointer) { withAbstract { bridge_tap_free(block, $0) } }

        /// Shows the banners, as once the keys are in use.
        func showBanners() {
            tap.enciphered = 1
            withUnsafeMutablePointer(to: &tap) { bridge_tap_show_held($0, 53) }
            tap.enciphered = 0
        }
    }

    @Test("held messages are shown once, in order, and only if complete")
    func order() throws {
        let library = try Library()
        var blocks = [try library.packet([53, 1]), try library.packet([51, 9]), try library.packet([53, 2])]
        library.showBanners()
        #expect(library.seen == [[53, 1]])
        blocks.append(try library.packet([52]))
        library.showBanners()
        library.showBanners()
        #expect(library.seen == [[53, 1], [53, 2]])
        for block in blocks { library.free(block) }
        #expect(library.seen == [[53, 1], [53, 2], [51, 9]])
    }

    @Test("before the new keys are in use no message is held")
    func clearText() throws {
        let library = try Library()
        let banner = try library.packet([53, 1])
        let other = try library.packet([52])
        withUnsafeMutablePointer(to: &library.tap) { bridge_tap_show_held($0, 53) }
        #expect(library.seen == [])
        for block in [other, banner] { library.free(block) }
        #expect(library.seen == [[53, 1]])
    }
}
