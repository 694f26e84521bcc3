import BridgeSSH
import Foundation
import Testing

@testable import SSHTrust

@Suite struct RandomartTests {
    /// `ssh-keygen -lv` of a file of public keys: a picture each.
    private static func pictures(of file: String) throws -> [String] {
        let lines = try Oracle.sshKeygen("-l", "-v", "-f", file).split(separator: "\n")
        let drawn = lines.filter { $0.hasPrefix("+") || $0.hasPrefix("|") }
        return stride(from: 0, to: drawn.count, by: 11).map { drawn[$0..<min($0 + 11, drawn.count)].joined(separator: "\n") }
    }

    @Test(
        "a key of each kind is drawn and measured as ssh-keygen does",
        arguments: [
            ("ed25519", nil), ("ecdsa", "256"), ("ecdsa", "384"), ("ecdsa", "521"), ("rsa", "1024"), ("rsa", "2048"),
        ])
    func aKeyOfEachKind(type: String, bits: String?) throws {
        let directory = try TemporaryDirectory()
        let (key, _) = try Oracle.makeKey(type: type, bits: bits, in: directory)
        #expect(try Self.pictures(of: directory.path("key.pub")) == [key.randomart])
        #expect(key.bits == bits.flatMap { Int($0) } ?? 256)
    }

    @Test("many keys are drawn as ssh-keygen draws them") func manyKeysAreDrawnAsSsh() throws {
        let directory = try TemporaryDirectory()
        let keys = (0..<200).map { TestKeys.ed25519(UInt8($0)) }
        let file = try directory.write("keys", keys.map { $0.line + "\n" }.joined())
        #expect(try Self.pictures(of: file) == keys.map(\.randomart))
    }

    @Test("a title that does not fit loses the size, then its end") func aTitleThatDoesNotFit() {
        #expect(Randomart(digest: [0], kind: "ED25519-CERT", bits: 256).text.hasPrefix("+-[ED25519-CERT]--+\n"))
        #expect(Randomart(digest: [0], kind: "ED25519-SK", bits: 256).text.hasPrefix("+[ED25519-SK 256]-+\n"))
        #expect(
            Randomart(digest: [], kind: String(repeating: "x", count: 40), bits: nil).text.split(separator: "\n")[0].count == 19)
    }
}
