import BridgeSSH
import Foundation
import Synchronization
import Testing

@testable import SSHKeys
@testable import SSHModel

@Suite struct SSHPrivateKeyTests {
    @Test("signs only with its own algorithms", arguments: KeyKind.all)
    func signsOnlyWithItsOwnAlgorithms(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        let key = try KeyFile.read(path: try await kind.generate(in: directory)).decrypted(with: nil)
        for algorithm in ["ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-512", "rsa-sha2-1", "ssh-dss", ""]
        where !kind.algorithms.contains(algorithm) {
            #expect(throws: SigningError.algorithmDoesNotMatchKey(algorithm: algorithm, keyAlgorithm: key.publicKey.algorithm)) {
                try key.sign([1], algorithm: algorithm)
            }
        }
    }

    @Test("a person is asked once for a key that signs twice") func lockedKey() async throws {
        let directory = try KeyDirectory()
        let key = try KeyFile.read(path: try await KeyKind.ed25519.generate(in: directory)).decrypted(with: nil)
        let openings = Mutex(0)
        let signer = LockedKeySigner(publicKey: key.publicKey, path: "id") {
            openings.withLock { $0 += 1 }
            return key
        }
        for _ in 0..<2 { _ = try await signer.sign([1], algorithm: "ssh-ed25519") }
        #expect(openings.withLock { $0 } == 1)
    }

    /// ssh-keygen verifies no SHA-1 signature, so openssl does.
    @Test("old RSA signatures", arguments: [1024, 2048])
    func oldRSASignatures(bits: Int) async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind(type: "rsa", bits: bits).generate(in: directory)
        let key = try KeyFile.read(path: path).decrypted(with: nil)
        let message = Array("old".utf8)
        var reader = SSHWireReader(try key.sign(message, algorithm: "ssh-rsa"))
        #expect(try reader.text() == "ssh-rsa")
        let signature = try directory.write(try reader.string(), to: "signature")
        try reader.expectEnd()
        let pem = try await Program.run("ssh-keygen", ["-e", "-m", "PKCS8", "-f", path])
        let verdict = try await Program.run(
            "openssl",
            [
                "dgst", "-sha1", "-verify", try directory.write(pem.utf8, to: "pem"), "-signature", signature,
                try directory.write(message, to: "message"),
            ])
        #expect(verdict == "Verified OK\n")
    }

    @Test("the largest RSA keys are named") func theLargestRSAKeysAreNamed() throws {
        let modulus = [UInt8](repeating: 0xFF, count: 2048)
        let numbers = RSANumbers(
            modulus: modulus[...], exponent: [1, 0, 1], privateExponent: [3], prime1: [3], prime2: [5], coefficient: [2])
        let defect = #expect(throws: KeyDefect.self) { try SSHPrivateKey.rsa(numbers) }
        #expect(defect?.reason == .typeUnsupported)
        #expect(defect?.detail.contains("16384") == true)
    }

    /// Compares with Swift's own arithmetic, for numbers that fit.
    @Test("remainders") func remainders() {
        func bytes(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }
        for _ in 0..<200 {
            let value = UInt64.random(in: 0...UInt64.max)
            let odd = UInt64.random(in: 1...(UInt64.max >> UInt64.random(in: 1...50))) | 3
            let rest = RSANumbers.remainder(of: bytes(value)[...], byPredecessorOf: bytes(odd)[...])
            #expect(Array(rest.suffix(8)) == bytes(value % (odd - 1)), "\(value) mod \(odd - 1)")
        }
    }

    @Test("descriptions show no secret") func descriptionsShowNoSecret() async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "pass phrase")
        let file = try KeyFile.read(path: path)
        let key = try file.decrypted(with: SSHSecret("pass phrase"))
        let secret = SSHSecret("pass phrase")
        for shown in ["\(secret)", String(reflecting: secret), "\([secret])", "\(key)", String(reflecting: [key])] {
            #expect(!shown.contains("pass phrase") && !shown.contains("PrivateKey(raw"))
        }
        var text = ""
        dump(secret, to: &text)
        dump(SecretBytes(copying: Array("pass phrase".utf8)), to: &text)
        dump(key, to: &text)
        #expect(!text.contains("pass phrase") && !text.contains("112"), "112 is the first byte of the passphrase")
    }
}
