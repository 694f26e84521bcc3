import BridgeSSH
import Testing

/// An endpoint that cannot be connected to cannot be made.
@Suite struct EndpointTests {
    @Test(arguments: [Int.min, -1, 0, 65536, 65558, Int.max]) func aPortThatDoesNotExist(_ port: Int) {
        #expect { try SSHEndpoint(host: "web1", port: port, user: "ann") } throws: { SSHError.localUsage ~= $0 }
    }

    @Test(arguments: ["", "a\0b", "a\nb", "\u{1B}[2J"]) func aUserThatCannotBeSent(_ user: String) {
        let error = #expect(throws: SSHError.self) { try SSHEndpoint(host: "web1", user: user) }
        #expect(error?.code == .localUsage)
    }

    @Test(arguments: ["", "a b", "-x", "a\0b", "a..b", "::x"]) func aHostThatCannotBeOne(_ host: String) {
        #expect { try SSHEndpoint(host: host, user: "ann") } throws: { SSHError.resolveHostNameInvalid ~= $0 }
    }

    @Test func whatIsRightIsTaken() throws {
        #expect(try SSHEndpoint(host: "[::1]", port: 65535, user: "ünï code").host == "::1")
        #expect(try SSHEndpoint(parsing: "ann@web1").description == "ann@web1:22")
        #expect(try SSHEndpoint(parsing: "ssh://ann@[fe80::1%25eth0]:2222").description == "ann@[fe80::1%eth0]:2222")
        #expect(try SSHEndpoint(parsing: "web1:23", user: "bob").description == "bob@web1:23")
        #expect(try SSHEndpoint(parsing: "ann@web1", user: "bob").user == "ann")
    }

    @Test(arguments: ["web1", "", "@web1", "ann@web1:0", "ann@web1:99999", "http://ann@web1", "ann@"])
    func aTextThatNamesNone(_ text: String) {
        let error = #expect(throws: SSHError.self) { try SSHEndpoint(parsing: text) }
        #expect([.localUsage, .resolveHostNameInvalid].contains(error?.code), "\(text)")
    }
}
