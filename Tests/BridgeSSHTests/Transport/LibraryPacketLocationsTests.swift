import BridgeSSH
import CPayloadTap
import Testing

@testable import SSHTransport

/// The packet locations that are found in the loaded libssh2.
@Suite struct LibraryPacketLocationsTests {
    @Test("all locations are found") func everythingIsFound() throws {
        let places = try LibraryPacketLocations.find()
        #expect(places.packetSite != 0)
        let offset = try #require(places.packetLengthOffset)
        let session = try LibrarySession()
        #expect(offset > 0 && offset + 5 <= bridge_tap_size(UnsafeRawPointer(session.raw)))
    }

    @Test(
        "a vulnerability is open depending on version and revision",
        arguments: [
            ("1.10.0", nil, true), ("1.10.0", "1.10.0-3+b1", true), ("1.10.0", "1.10.0-3+deb12u1", false),
            ("1.11.1", "1.11.1-1+deb14u1", true), ("1.11.1", nil, true), ("1.11.1", "1.11.1-1", true),
            ("1.11.1", "1.11.1-1+deb13u1", true),
            ("1.11.1", "1.11.1-1+deb13u2", false), ("1.11.1", "1.11.1-1+deb13u10", false), ("1.12.0", nil, false),
            ("1.11.2_DEV", nil, false),
        ] as [(String, String?, Bool)])
    func aHoleIsOpenByVersionAndRevision(_ version: String, _ package: String?, _ isOpen: Bool) throws {
        let version = try #require(LibraryVulnerability.Version(version))
        #expect(LibraryVulnerability.fileHandle.isOpen(in: version, package: package) == isOpen)
    }

    /// dpkg's list of packages, with others around.
    @Test(
        "a package's version is read",
        arguments: [
            (
                "Package: libssh2-1t64\nStatus: install ok installed\nVersion: 1.11.1-1+deb13u2\n\nPackage: z\nVersion: 9\n",
                "1.11.1-1+deb13u2"
            ),
            ("Package: libssh2-1\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.10.0-3+b1\n", "1.10.0-3+b1"),
            ("Package: libssh2-1\nStatus: deinstall ok config-files\nVersion: 1.10.0-3\n", nil),
            ("Package: libssh2-1-dev\nStatus: install ok installed\nVersion: 1\n", nil), ("", nil),
        ] as [(String, String?)])
    func aPackagesVersionIsRead(_ list: String, _ version: String?) {
        #expect(LibraryPackage.version(in: "Package: adduser\nStatus: install ok installed\nVersion: 3\n\n" + list) == version)
    }

    @Test("vulnerabilities have a first version") func holesHaveABeginning() throws {
        let old = try #require(LibraryVulnerability.Version("1.10.0"))
        #expect(!LibraryVulnerability.etmPadding.isOpen(in: old, package: nil))
        #expect(LibraryVulnerability.packetLength.isOpen(in: old, package: nil))
        #expect(LibraryVulnerability.Version("later") == nil)
    }

    /// It is not offered with a libssh2 that one altered packet would keep busy forever.
    @Test("chacha20-poly1305 is offered only if it is safe") func chachaIsOfferedOnlyWhereItIsSound() {
        let isOffered = SSHAlgorithmPreferences().ciphers.contains("chacha20-poly1305@openssh.com")
        #expect(isOffered == !LibraryVulnerability.isOpen(.chachaPacket))
    }
}
