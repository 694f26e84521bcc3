import CPayloadTap
import Testing

@testable import BridgeSSH

/// What is found out about the loaded libssh2.
@Suite struct LibraryPlacesTests {
    @Test func everythingIsFound() throws {
        let places = try #require(LibraryPlaces.found)
        #expect(places.packetSite != 0)
        let offset = try #require(places.packetLengthOffset)
        let session = try LibrarySession()
        #expect(offset > 0 && offset + 5 <= bridge_tap_size(UnsafeRawPointer(session.raw)))
    }

    @Test(arguments: [
        ("1.10.0", nil, true), ("1.11.1", nil, true), ("1.11.1", "1.11.1-1", true), ("1.11.1", "1.11.1-1+deb13u1", true),
        ("1.11.1", "1.11.1-1+deb13u2", false), ("1.11.1", "1.11.1-1+deb13u10", false), ("1.12.0", nil, false),
        ("1.11.2_DEV", nil, false),
    ] as [(String, String?, Bool)])
    func aHoleIsOpenByVersionAndRevision(_ version: String, _ package: String?, _ isOpen: Bool) throws {
        let version = try #require(LibraryHole.Version(version))
        #expect(LibraryHole.symbolicLink.isOpen(in: version, package: package) == isOpen)
    }

    @Test func holesHaveABeginning() throws {
        let old = try #require(LibraryHole.Version("1.10.0"))
        #expect(!LibraryHole.etmPadding.isOpen(in: old, package: nil))
        #expect(LibraryHole.packetLength.isOpen(in: old, package: nil))
        #expect(LibraryHole.Version("later") == nil)
    }

    /// Not while one altered packet would keep it busy for ever.
    @Test func chachaIsOfferedOnlyWhereItIsSound() {
        let isOffered = AlgorithmPreferences().ciphers.contains("chacha20-poly1305@openssh.com")
        #expect(isOffered == !LibraryHole.isOpen(.chachaPacket))
    }
}
