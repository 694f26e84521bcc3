import BridgeSSH
import Foundation
import Testing

/// RevokedHostKeys: keys that no server may present.
@Suite struct RevokedKeysTests {
    private let directory: TemporaryDirectory
    private let key = TestKeys.ed25519(1)
    private let other = TestKeys.ecdsa(2)

    init() throws { directory = try TemporaryDirectory() }

    private func verdict(_ list: String, known: String? = nil) throws -> SSHHostKeyVerdict {
        let revoked = try directory.write("revoked", list)
        var files = SSHKnownHostsFiles(user: [try directory.write("known", known ?? "web1 \(key.line)\n")])
        files.revoked = [revoked]
        return try files.load(policy: .strict).verdict(on: key, host: "web1", port: 22)
    }

    @Test("a listed key is revoked for every host, regardless of known_hosts") func aListedKeyIsRevoked() throws {
        let list = "# comment\n\n\r\n\(other.line)\n  \(key.line) reason\n"
        let place = SSHKnownHostsLocation(file: directory.path("revoked"), line: 5)
        #expect(try verdict(list) == .revoked(place))
        #expect(try verdict(list, known: "") == .revoked(place))
        #expect(try verdict("\(key.line)\r\n") == .revoked(SSHKnownHostsLocation(file: directory.path("revoked"), line: 1)))
    }

    @Test("any other key is not", arguments: ["", "# nothing\n", "OTHER\n"]) func anyOtherKeyIsNot(list: String) throws {
        let verdict = try verdict(list.replacing("OTHER", with: other.line))
        #expect(verdict == .trusted(SSHKnownHostsLocation(file: directory.path("known"), line: 1)))
    }

    @Test("types of revoked keys are not requested first") func itsTypesAreNotAskedFor() throws {
        var files = SSHKnownHostsFiles(user: [try directory.write("known", "web1 \(key.line)\nweb1 \(other.line)\n")])
        files.revoked = [try directory.write("revoked", key.line + "\n")]
        let known = try files.load(policy: .strict)
        let order = known.preferredAlgorithms(host: "web1", port: 22, from: [key.algorithm, other.algorithm])
        #expect(order == [other.algorithm, key.algorithm])
    }

    @Test("a missing list is a problem", arguments: SSHHostKeyPolicy.allCases) func aListThatIsNotThere(
        policy: SSHHostKeyPolicy
    ) throws {
        var files = SSHKnownHostsFiles(user: [], areExplicit: false)
        files.revoked = [directory.path("missing")]
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try files.load(policy: policy) }
        #expect(problem.code == .unreadable && problem.errno == ENOENT)
    }

    @Test(
        "a line that is not a key spoils the list", arguments: ["nonsense", "web1 KEY", "ssh-ed25519 AAAA", "@revoked web1 KEY"])
    func aLineThatIsNoEntry(line: String) throws {
        let problem = try #require(throws: SSHKnownHostsProblem.self) {
            try verdict("\(other.line)\n" + line.replacing("KEY", with: key.line) + "\n")
        }
        #expect(problem.code == .revocationListUnusable && problem.line == 2)
    }

    @Test("a binary list of ssh-keygen is refused with its name") func aBinaryListOfSshKeygen() throws {
        let (_, _) = try Oracle.makeKey(type: "ed25519", in: directory, name: "bad")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-keygen")
        process.arguments = ["-q", "-k", "-f", directory.path("krl"), directory.path("bad.pub")]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var files = SSHKnownHostsFiles(user: [], areExplicit: false)
        files.revoked = [directory.path("krl")]
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try files.load(policy: .strict) }
        #expect(problem.code == .revocationListUnusable)
        #expect(problem.description.contains("KRL") && problem.description.contains("RevokedHostKeys"))
    }
}
