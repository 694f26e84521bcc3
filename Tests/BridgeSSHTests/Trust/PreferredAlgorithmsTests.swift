import BridgeSSH
import SSHTestSupport
import Testing

@Suite struct PreferredAlgorithmsTests {
    private let available = [
        "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "rsa-sha2-512", "rsa-sha2-256", "ssh-rsa",
    ]

    private func order(_ contents: String, port: Int = 22) -> [String] {
        SSHKnownHosts(contents).preferredAlgorithms(host: "web1", port: port, from: available)
    }

    @Test("known types come first, in the given order") func whatIsKnownComesFirst() {
        let rsa = ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"]
        #expect(order("web1 \(TestKeys.rsa(1).line)") == rsa + available.dropLast(3))
        #expect(order("web1 \(TestKeys.ecdsa(1).line)").first == "ecdsa-sha2-nistp256")
        #expect(
            order("web1 \(TestKeys.rsa(1).line)\nweb1 \(TestKeys.ecdsa(1).line)")
                == ["ecdsa-sha2-nistp256"] + rsa + ["ssh-ed25519", "ecdsa-sha2-nistp384"])
    }

    @Test("an empty answer changes nothing") func whatSaysNothingChangesNothing() {
        #expect(order("") == available)
        #expect(order("web2 \(TestKeys.rsa(1).line)") == available)
        #expect(order("@cert-authority web1 \(TestKeys.rsa(1).line)") == available)
        #expect(order("@revoked web1 \(TestKeys.rsa(1).line)\nweb1 \(TestKeys.rsa(1).line)") == available)
        #expect(order("web1 ssh-dss \(Base64.encode(TestKeys.rsa(1).blob))") == available)
    }

    @Test("another port requests its own types, else those of the plain host") func anotherPortAsksForItsOwn() {
        let both = "web1 \(TestKeys.rsa(1).line)\n[web1]:2222 \(TestKeys.ecdsa(1).line)"
        #expect(order(both, port: 2222).first == "ecdsa-sha2-nistp256")
        #expect(order(both, port: 2222)[1] == "ssh-ed25519")
        #expect(order(both, port: 2223).first == "rsa-sha2-512")
        // What the plain host has revoked is refused at every port.
        let revoked = "@revoked web1 \(TestKeys.rsa(1).line)\n[web1]:2222 \(TestKeys.rsa(1).line)"
        #expect(order(revoked, port: 2222) == available)
    }

    @Test("nothing is added or lost", arguments: 0..<10)
    func nothingIsAddedOrLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let lines = [TestKeys.rsa(1), TestKeys.ecdsa(1), TestKeys.ed25519(1)].filter { _ in Bool.random(using: &random) }
        let shuffled = (available + ["future@example.com"]).shuffled(using: &random)
        let known = SSHKnownHosts(lines.map { "web1 \($0.line)" }.joined(separator: "\n"))
        let result = known.preferredAlgorithms(host: "web1", port: 22, from: shuffled)
        #expect(result.sorted() == shuffled.sorted())
    }
}
