import BridgeSSH
import Foundation
import Testing

/// A key type and size that ssh-keygen makes and the library must read.
struct KeyKind: Sendable, CustomTestStringConvertible {
    var type: String
    var bits: Int

    var testDescription: String { "\(type)-\(bits)" }

    static let all = [
        KeyKind(type: "ed25519", bits: 256), KeyKind(type: "ecdsa", bits: 256), KeyKind(type: "ecdsa", bits: 384),
        KeyKind(type: "ecdsa", bits: 521), KeyKind(type: "rsa", bits: 1024), KeyKind(type: "rsa", bits: 2048),
        KeyKind(type: "rsa", bits: 3072),
    ]

    static let ed25519 = all[0]

    var algorithms: [String] {
        switch type {
        case "ed25519": ["ssh-ed25519"]
        case "ecdsa": ["ecdsa-sha2-nistp\(bits)"]
        default: ["rsa-sha2-512", "rsa-sha2-256"]
        }
    }

    /// Makes a key with ssh-keygen, and its `.pub`.
    @discardableResult
    func generate(
        in directory: KeyDirectory, name: String = "id", passphrase: String = "", comment: String = "alice@example",
        options: [String] = []
    ) async throws -> String {
        let path = directory.path(name)
        try await Program.run(
            "ssh-keygen",
            ["-q", "-t", type, "-b", "\(bits)", "-N", passphrase, "-C", comment, "-a", "1", "-f", path] + options)
        return path
    }
}

/// Signs with the library, and verifies with ssh-keygen, for every algorithm of the key.
func expectSignaturesVerify(_ key: SSHPrivateKey, kind: KeyKind, in directory: KeyDirectory) async throws {
    for algorithm in kind.algorithms {
        try await expectSignatureVerifies(by: key.publicKey, algorithm: algorithm, in: directory) { data in
            try key.sign(data, algorithm: algorithm)
        }
    }
}

/// Wraps a signature by OpenSSH's PROTOCOL.sshsig and passes it to `ssh-keygen -Y verify`.
func expectSignatureVerifies(
    by publicKey: SSHPublicKey, algorithm: String, in directory: KeyDirectory,
    sign: ([UInt8]) async throws -> [UInt8]
) async throws {
    let message = Array("what is signed \(algorithm)\n".utf8)
    let signature = try await SSHSIG.make(message: message, publicKey: publicKey, sign: sign)
    let name = "verify-\(UInt64.random(in: 0...UInt64.max))"
    let messagePath = try directory.write(message, to: name + ".message")
    let signaturePath = try directory.write(signature.utf8, to: name + ".sig")
    let signersPath = try directory.write("alice \(publicKey.authorizedKeysLine)\n".utf8, to: name + ".signers")
    let verdict = try await Program.output(
        of: "ssh-keygen", ["-Y", "verify", "-f", signersPath, "-I", "alice", "-n", "file", "-s", signaturePath],
        input: .init(fileURLWithPath: messagePath))
    #expect(verdict.status == 0, "\(algorithm): \(verdict.standardError) \(verdict.standardOutput)")
}
