import Foundation
import Testing

@testable import BridgeSSH

@Suite struct HostKeyTests {
    @Test(
        arguments: [
            ("ed25519", nil), ("rsa", "2048"), ("ecdsa", "256"), ("ecdsa", "384"), ("ecdsa", "521"),
        ] as [(String, String?)])
    func `a real key is whole, and has ssh-keygen's fingerprint`(type: String, bits: String?) throws {
        let directory = try TemporaryDirectory()
        let (key, fingerprint) = try Oracle.makeKey(type: type, bits: bits, in: directory)
        #expect(key.fingerprint == fingerprint)
        #expect(HostKeyBlob.isWellFormed(key.blob, type: key.algorithm))
        for length in 0..<key.blob.count {
            #expect(!HostKeyBlob.isWellFormed(Array(key.blob.prefix(length)), type: key.algorithm), "cut at \(length)")
        }
        #expect(!HostKeyBlob.isWellFormed(key.blob + [0], type: key.algorithm))
        #expect(!HostKeyBlob.isWellFormed(key.blob, type: "ssh-dss"))
    }

    @Test(arguments: 0..<70)
    func `base64 is Foundation's`(count: Int) {
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        let text = Base64Text.encode(bytes)
        #expect(text == Data(bytes).base64EncodedString())
        #expect(Base64Text.decode(text.utf8) == bytes)
    }

    @Test(arguments: ["A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA=A", "AAAA=", "AA==AAAA", "A AA", "AA-_", "AAAA\n"])
    func `damaged base64 is refused`(text: String) {
        #expect(Base64Text.decode(text.utf8) == nil)
    }
}
