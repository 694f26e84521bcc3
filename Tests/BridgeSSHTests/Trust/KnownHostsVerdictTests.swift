import BridgeSSH
import Foundation
import Testing

@testable import SSHTrust

@Suite struct KnownHostsVerdictTests {
    private let key = TestKeys.ed25519(1)
    private let other = TestKeys.ed25519(2)

    private func at(_ line: Int, _ file: String = "kh") -> SSHKnownHostsLocation { SSHKnownHostsLocation(file: file, line: line) }

    private func verdict(_ contents: String, _ host: String = "web1", _ port: Int = 22) -> SSHHostKeyVerdict {
        SSHKnownHosts(contents).verdict(on: key, host: host, port: port)
    }

    private let unknown = SSHHostKeyVerdict.unknown(skippedLines: 0, certificateAuthority: nil)

    @Test("the same key is trusted in any line") func theVeryKeyIsTrustedWherever() {
        #expect(verdict("web1 \(key.line)") == .trusted(at(1)))
        #expect(verdict("# comment\n\n  \t\nweb2,WEB1\t \(key.line) a comment\n") == .trusted(at(4)))
        #expect(verdict("web1 \(other.line)\nweb1 \(key.line)\n") == .trusted(at(2)))
        #expect(verdict("web1 \(key.line)\r\n") == .trusted(at(1)))
        #expect(verdict("web1 \(key.line)", "WeB1") == .trusted(at(1)))
        #expect(verdict("w \(key.line)", "w") == .trusted(at(1)))
        #expect(verdict("::1 \(key.line)", "::1") == .trusted(at(1)))
        #expect(verdict("fe80::1%eth0 \(key.line)", "fe80::1%eth0") == .trusted(at(1)))
    }

    @Test("another key of the type is a change, reported with all its places") func anotherKeyOfTheType() throws {
        let known = SSHKnownHosts("web1 \(other.line)\n* \(TestKeys.ed25519(3).line)\nweb1 \(TestKeys.rsa(1).line)\n")
        guard case .changed(let presented, let keys) = known.verdict(on: key, host: "web1", port: 22) else {
            Issue.record("not a change")
            return
        }
        #expect(presented == key.fingerprint)
        #expect(keys.map(\.location) == [at(1), at(2)])
        #expect(keys.first?.fingerprint == other.fingerprint)
    }

    @Test("if only other key types are known, that is a verdict of its own") func onlyOtherKeyTypes() {
        let rsa = TestKeys.rsa(1)
        let expected = SSHKnownHostKey(algorithm: "ssh-rsa", fingerprint: rsa.fingerprint, location: at(1))
        #expect(verdict("web1 \(rsa.line)\n") == .otherTypeKnown([expected]))
        let signature = SSHHostKey(algorithm: "rsa-sha2-512", blob: rsa.blob)
        #expect(SSHKnownHosts("web1 \(rsa.line)\n").verdict(on: signature, host: "web1", port: 22) == .trusted(at(1)))
    }

    @Test("a revoked key beats every other line") func aRevokedKeyBeatsEveryOther() {
        #expect(verdict("web1 \(key.line)\n@revoked * \(key.line)\n") == .revoked(at(2)))
        // OpenSSH misses a marker that a tab ends; a revocation is honoured here all the same.
        #expect(verdict("@revoked\tweb1 \(key.line)\nweb1 \(key.line)\n") == .revoked(at(1)))
        #expect(verdict("@revoked web2 \(key.line)\nweb1 \(key.line)\n") == .trusted(at(2)))
        #expect(verdict("@revoked web1 \(other.line)\n") == unknown)
        #expect(verdict("@revoked web1 \(key.line)\n", "web1", 2222) == .revoked(at(1)))
        #expect(verdict("@revoked web1 \(key.line)\n[web1]:2222 \(key.line)\n", "web1", 2222) == .revoked(at(1)))
    }

    @Test("a certificate authority is reported, and never taken for a host key") func aCertificateAuthorityIsReported() {
        #expect(verdict("@cert-authority * \(key.line)\n") == .unknown(skippedLines: 0, certificateAuthority: at(1)))
        #expect(verdict("@cert-authority * \(other.line)\n") == .unknown(skippedLines: 0, certificateAuthority: at(1)))
        #expect(verdict("@cert-authority *.example \(key.line)\n") == unknown)
    }

    @Test("another port has different names") func anotherPortHasItsOwnNames() {
        #expect(verdict("[web1]:2222 \(key.line)", "web1", 2222) == .trusted(at(1)))
        #expect(verdict("[WEB1]:2222 \(key.line)", "Web1", 2222) == .trusted(at(1)))
        #expect(verdict("[::1]:2222 \(key.line)", "::1", 2222) == .trusted(at(1)))
        #expect(verdict("[web1]:2222 \(key.line)") == unknown)
        #expect(verdict("[web1]:22 \(key.line)") == unknown)
        #expect(verdict("[web1]:2223 \(key.line)", "web1", 2222) == unknown)
    }

    @Test("for another port, an entry of the plain host can accept a key but not reject one")
    func forAnotherPortThePlainHost() {
        #expect(verdict("web1 \(key.line)", "web1", 2222) == .trusted(at(1)))
        #expect(verdict("web1 \(other.line)", "web1", 2222) == unknown)
        #expect(verdict("web1 \(TestKeys.rsa(1).line)", "web1", 2222) == unknown)
        #expect(verdict("web1 \(key.line)\n[web1]:2222 \(TestKeys.rsa(1).line)", "web1", 2222) != .trusted(at(1)))
        #expect(verdict("[web1]:2222 \(key.line)\n@revoked web1 \(key.line)", "web1", 2222) == .revoked(at(2)))
    }

    @Test("broken lines are skipped and counted, and do not hide other lines") func brokenLinesAreSkippedAndCounted() {
        let broken = [
            "web1", "web1 ", "web1 ssh-ed25519", "web1 ssh-ed25519 !!!!", "web1 ssh-ed25519 AAAA", "web1 ssh-rsa \(blobText)",
            "web1 1024 35 1234567890", "@bogus web1 \(key.line)", "@revoked @cert-authority web1 \(key.line)", "@revoked",
            "|1|AAAA|BBBB \(key.line)", "|2|x \(key.line)", "web1 ssh-ed25519 \(blobText.dropLast(4))",
            String(repeating: "a", count: 1023) + " \(key.line)", "web1 ssh-ed25519 \(blobText)AAAA",
        ]
        let contents = (broken + ["web1 \(key.line)"]).joined(separator: "\n")
        let known = SSHKnownHosts(contents)
        #expect(known.skippedLines.map(\.line) == Array(1...broken.count))
        #expect(known.verdict(on: key, host: "web1", port: 22) == .trusted(at(broken.count + 1)))
        #expect(
            known.verdict(on: key, host: "web9", port: 22)
                == .unknown(skippedLines: broken.count, certificateAuthority: nil))
    }

    private var blobText: String { Base64.encode(key.blob) }

    @Test("lines may have any length") func linesAreOfAnyLength() {
        let names = (0..<20_000).map { "host\($0)" }.joined(separator: ",")
        let comment = String(repeating: "x", count: 200_000)
        #expect(verdict("\(names) \(key.line) \(comment)\n", "host19999") == .trusted(at(1)))
    }

    @Test("several files are read as one, in order") func severalFilesAreOneInOrder() {
        var known = SSHKnownHosts("web1 \(other.line)", file: "first")
        known.add(contents: Array("nonsense\nweb1 \(key.line)\n".utf8), file: "second")
        #expect(known.verdict(on: key, host: "web1", port: 22) == .trusted(at(2, "second")))
        #expect(known.skippedLines == [at(1, "second")])
    }

    @Test("a verdict survives JSON") func aVerdictSurvivesJSON() throws {
        let verdicts: [SSHHostKeyVerdict] = [
            .trusted(at(1)), .revoked(at(2)), unknown, .unknown(skippedLines: 3, certificateAuthority: at(4)),
            verdict("web1 \(other.line)"), verdict("web1 \(TestKeys.rsa(1).line)"),
        ]
        let again = try JSONDecoder().decode([SSHHostKeyVerdict].self, from: JSONEncoder().encode(verdicts))
        #expect(again == verdicts)
    }

    @Test("the key's other names are reported, hashed ones without their name") func theOtherNamesOfAKey() {
        let hashed = HashedHostName(KnownHostName(host: "web3", port: 22)).text
        let known = SSHKnownHosts("web1,web2 \(key.line)\n\(hashed) \(key.line)\nweb4 \(other.line)\n[web5]:22 \(key.line)\n")
        #expect(known.otherNames(of: key, host: "web9", port: 22) == ["web1,web2", "[hashed name]", "[web5]:22"])
        #expect(known.otherNames(of: key, host: "web1", port: 22) == ["[hashed name]", "[web5]:22"])
    }
}
