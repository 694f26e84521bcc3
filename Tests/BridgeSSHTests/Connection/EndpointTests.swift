import BridgeSSH
import Foundation
import Testing

/// An endpoint that cannot be connected to cannot be made.
@Suite struct EndpointTests {
    @Test("a port that does not exist", arguments: [Int.min, -1, 0, 65536, 65558, Int.max]) func aPortThatDoesNotExist(
        _ port: Int
    ) {
        #expect { try SSHEndpoint(host: "web1", port: port, user: "ann") } throws: { SSHError.localUsage ~= $0 }
    }

    @Test("a user that cannot be sent", arguments: ["", "a\0b", "a\nb", "\u{1B}[2J"]) func aUserThatCannotBeSent(_ user: String) {
        let error = #expect(throws: SSHError.self) { try SSHEndpoint(host: "web1", user: user) }
        #expect(error?.code == .localUsage)
    }

    @Test("an invalid host", arguments: ["", "a b", "-x", "a\0b", "a..b", "::x"]) func aHostThatCannotBeOne(_ host: String) {
        #expect { try SSHEndpoint(host: host, user: "ann") } throws: { SSHError.resolveHostNameInvalid ~= $0 }
    }

    @Test("valid values are accepted") func whatIsRightIsTaken() throws {
        #expect(try SSHEndpoint(host: "[::1]", port: 65535, user: "ünï code").host == "::1")
        #expect(try SSHEndpoint(parsing: "ann@web1").description == "ann@web1:22")
        #expect(try SSHEndpoint(parsing: "ssh://ann@[fe80::1%25eth0]:2222").description == "ann@[fe80::1%eth0]:2222")
        #expect(try SSHEndpoint(parsing: "web1:23", user: "bob").description == "bob@web1:23")
        #expect(try SSHEndpoint(parsing: "ann@web1", user: "bob").user == "ann")
    }

    @Test("a text without a host", arguments: ["web1", "", "@web1", "ann@web1:0", "ann@web1:99999", "http://ann@web1", "ann@"])
    func aTextThatNamesNone(_ text: String) {
        let error = #expect(throws: SSHError.self) { try SSHEndpoint(parsing: text) }
        #expect([.localUsage, .resolveHostNameInvalid].contains(error?.code), "\(text)")
    }

    @Test("an endpoint survives encoding, and decoding checks it") func itIsDecodedAsItWas() throws {
        let endpoint = try SSHEndpoint(host: "::1", port: 2222, user: "alice")
        #expect(try JSONDecoder().decode(SSHEndpoint.self, from: JSONEncoder().encode(endpoint)) == endpoint)
        let destination = try SSHDestination(parsing: "alice@[::1]:2222")
        #expect(try JSONDecoder().decode([SSHDestination].self, from: JSONEncoder().encode([destination])) == [destination])
        let timeouts = SSHTimeouts(connect: .seconds(3))
        #expect(try JSONDecoder().decode(SSHTimeouts.self, from: JSONEncoder().encode(timeouts)) == timeouts)
        #expect(
            try JSONDecoder().decode(SSHEndpoint.self, from: Data(#"{"host":"web1","user":"a"}"#.utf8))
                == SSHEndpoint(host: "web1", user: "a"))
        for wrong in [#"{"host":"web1","user":"a","port":0}"#, #"{"host":"-x","user":"a"}"#, #"{"host":"web1","user":""}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(SSHEndpoint.self, from: Data(wrong.utf8)) }
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([SSHDestination].self, from: Data(#"["-x"]"#.utf8)) }
    }

    @Test("a stored user is refused as in a text", arguments: ["-oX", "-l root", "a;b", "a -b", "$(id)", "a\\"])
    func aStoredUserThatATextCannotName(_ user: String) throws {
        let stored = try JSONEncoder().encode(["host": "web1", "user": user])
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(SSHEndpoint.self, from: stored) }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.stringValue) == ["user"])
        #expect(throws: SSHError.self) { try SSHEndpoint(parsing: "\(user)@web1") }
        let endpoint = try SSHEndpoint(host: "web1", user: user)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(endpoint) }
    }

    @Test("outcomes are compared as values") func outcomesAreComparedAsValues() throws {
        let outcome = SSHCommandOutcome(value: 1, termination: .exited(3))
        #expect(outcome == SSHCommandOutcome(value: 1, termination: .exited(3)))
        let others = [
            SSHCommandOutcome(value: 2, termination: .exited(3)), SSHCommandOutcome(value: 1, termination: .exited(4)),
            SSHCommandOutcome(value: 1, termination: .exited(3), wasTerminated: true),
            SSHCommandOutcome(value: 1, termination: .exited(3), duration: .seconds(1)),
        ]
        #expect(!others.contains(outcome) && Set(others + others).count == 4)
    }

    @Test("options are made and compared as values") func optionsAreMadeAndCompared() throws {
        let options = SSHCommandOptions(timeout: .seconds(3), environment: ["B": "2", "A": "1"], outputLimit: 10)
        var same = SSHCommandOptions()
        same.timeout = .seconds(3)
        same.environment = [("A", "1"), ("B", "2")]
        same.outputLimit = 10
        #expect(options == same && options != SSHCommandOptions())
        same.environment.reverse()
        #expect(options != same)
    }
}
