import SSHTransport
import Testing

@testable import BridgeSSH

@Suite("Learning announced host keys") struct HostKeyLearningTests {
    @Test("a key that is revoked for the host and its port is not learned", arguments: ["[web1]:2222", "web1", "[web1]:22"])
    func revoked(name: String) throws {
        let directory = try TemporaryDirectory()
        let (known, new) = (TestKeys.ed25519(1), TestKeys.ecdsa(2))
        let user = try directory.write("known", "[web1]:2222 \(known.line)\n")
        var configuration = SSHConnectionConfiguration()
        configuration.knownHosts = SSHKnownHostsFiles(
            user: [user], system: [try directory.write("system", "@revoked \(name) \(new.line)\n")], learnsAnnouncedKeys: true)
        let hops = Hop.hops(to: try SSHEndpoint(host: "web1", port: 2222, user: "alice"), configuration)
        let learning = HostKeyLearning(hop: hops[0], place: SSHKnownHostsLocation(file: user, line: 1), isConfirmed: true)
        let update = learning.update(AnnouncedHostKeys(all: [known, new], unknown: [new], asked: [new], proven: [new]))
        let isRevoked = name != "[web1]:22"
        #expect(update.reason == (isRevoked ? "it is revoked" : ""))
        #expect(update.learned.map(\.key) == (isRevoked ? [] : [new]))
    }
}
