import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

/// Sessions that are freed in the middle of the handshake.
@Suite("Handshakes cut short") struct CutHandshakeTests {
    /// libssh2 frees the numbers of a key exchange when the exchange ends, and not with its session.
    @Test("freeing a session ends a handshake that waits for bytes, however many have arrived", arguments: 0..<16)
    func ends(_ sixteenths: Int) throws {
        let whole = try handshake(.max, LibrarySession())
        let library = try LibrarySession()
        _ = try handshake(whole * sixteenths / 16, library)
        #expect(library.isShakingHands)
        library.free()
        #expect(!library.isShakingHands)
    }

    /// Runs until the handshake has ended, or waits after this many of the server's bytes.
    ///
    /// - Returns: how many bytes came.
    private func handshake(_ limit: Int, _ library: LibrarySession) throws -> Int {
        let server = InMemoryServer()
        try server.connect()
        var count = 0
        while case .again = library.handshake(), count < limit {
            try server.receive(Array(library.wire.takeOutbound().readableBytesView))
            let bytes = try server.takeOutput().prefix(limit - count)
            if bytes.isEmpty { break }
            count += bytes.count
            library.wire.received(ByteBuffer(bytes: bytes))
        }
        return count
    }
}
