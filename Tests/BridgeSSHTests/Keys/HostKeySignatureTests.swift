import Crypto
import Foundation
import SSHTestSupport
import Testing

@testable import SSHKeys

/// Signatures that are checked as a client checks those of a server.
@Suite("Signatures of all key types") struct HostKeySignatureTests {
    private static let data = Array("what was signed".utf8)

    static let kinds: [(TestKeyKind, String)] = [
        (.ed25519, "ssh-ed25519"), (.ecdsa, "ecdsa-sha2-nistp256"), (.ecdsa384, "ecdsa-sha2-nistp384"),
        (.ecdsa521, "ecdsa-sha2-nistp521"), (.rsa, "rsa-sha2-256"), (.rsa, "rsa-sha2-512"),
    ]

    private func key(_ kind: TestKeyKind, _ name: String = "signer") async throws -> SSHPrivateKey {
        let key = try await TestKey.make(kind, name: name)
        return try await ScratchDirectory.with { scratch in
            let path = try key.write(to: scratch, as: "key")
            return try KeyFile.read(path: path).decrypted(with: nil)
        }
    }

    @Test("a signature is valid for its key and data only", arguments: kinds)
    func holds(_ kind: TestKeyKind, _ algorithm: String) async throws {
        let key = try await key(kind)
        let other = try await self.key(kind, "another signer")
        let blob = try key.sign(Self.data, algorithm: algorithm)
        let signature = try #require(HostKeySignature(blob: blob))
        #expect(signature.algorithm == algorithm)
        #expect(signature.isValid(for: Self.data, by: key.publicKey.blob))
        #expect(!signature.isValid(for: Self.data + [0], by: key.publicKey.blob))
        #expect(!signature.isValid(for: Self.data, by: other.publicKey.blob))
        #expect(!signature.isValid(for: Self.data, by: []))
        #expect(HostKeySignature(blob: blob + [0]) == nil && HostKeySignature(blob: blob.dropLast()) == nil)
        var (reader, longer) = (SSHWireReader(blob), SSHWireWriter())
        longer.string(try reader.string())
        longer.string(try reader.string() + [0])
        #expect(HostKeySignature(blob: longer.bytes)?.isValid(for: Self.data, by: key.publicKey.blob) == false)
        for index in [blob.count - 1, blob.count / 2] {
            var altered = blob
            altered[index] ^= 1
            #expect(HostKeySignature(blob: altered)?.isValid(for: Self.data, by: key.publicKey.blob) != true)
        }
    }

    @Test("a signature with SHA-1 proves nothing") func weak() async throws {
        let key = try await key(.rsa)
        let signature = try #require(HostKeySignature(blob: try key.sign(Self.data, algorithm: "ssh-rsa")))
        #expect(!signature.isValid(for: Self.data, by: key.publicKey.blob))
    }
}
