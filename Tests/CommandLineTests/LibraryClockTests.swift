import BridgeSSH
import CLocalSocket
import Foundation
import Testing

/// In the programs libssh2 has no clock, so setting the time of day during a login does not end the login.
@Suite("libssh2's clock") struct LibraryClockTests {
    private static func symbol(_ name: String) throws -> UnsafeRawPointer {
        UnsafeRawPointer(try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), name)))
    }

    @Test("time stops only for libssh2") func standsStillForTheLibraryAlone() throws {
        // Functions within libssh2's code, also near its beginning and its end.
        for name in ["libssh2_version", "libssh2_session_handshake", "libssh2_userauth_publickey", "libssh2_banner_set"] {
            #expect(bridge_time_for(try Self.symbol(name)) == 1)
        }
        let before = Int(Date().timeIntervalSince1970) - 1
        for caller in [try Self.symbol("malloc"), try Self.symbol("EVP_sha256"), try Self.symbol("time"), nil] {
            #expect((before...before + 600).contains(Int(bridge_time_for(caller))))
        }
        var result: time_t = 0
        #expect(time(&result) == result && (before...before + 600).contains(Int(result)))
    }

    /// The dynamic linker takes the program's own function before the C library's.
    @Test("the program's clock replaces the system's") func isAskedInPlaceOfTheSystems() throws {
        let address = UInt(bitPattern: try Self.symbol("time"))
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let line = maps.split(separator: "\n").first { line in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 && (ends[0]..<ends[1]).contains(address)
        }
        #expect(line?.hasSuffix(own) == true, "\(line ?? "")")
    }
}
