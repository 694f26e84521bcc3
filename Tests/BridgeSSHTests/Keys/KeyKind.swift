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

    /// Writes a key of ssh-keygen, and its `.pub`. Keys of the same kind in different directories are the same key.
    @discardableResult
    func generate(
        in directory: KeyDirectory, name: String = "id", passphrase: String = "", comment: String = "alice@example",
        options: [String] = []
    ) async throws -> String {
        let arguments = ["-q", "-t", type, "-b", "\(bits)", "-N", passphrase, "-C", comment, "-a", "1"] + options
        let made = try await GeneratedKeys.shared.key(arguments, number: directory.nextKey(arguments))
        try directory.write(made.publicKey, to: name + ".pub")
        return try directory.write(made.privateKey, to: name)
    }
}

/// The keys that this process's tests have made, because making one takes long.
private actor GeneratedKeys {
    struct Pair {
        var privateKey: [UInt8]
        var publicKey: [UInt8]
    }

    static let shared = GeneratedKeys()
    private var keys: [[String]: Task<Pair, any Error>] = [:]

    /// The key with this number of those that ssh-keygen makes with these arguments.
    func key(_ arguments: [String], number: Int) async throws -> Pair {
        let description = arguments + ["\(number)"]
        let making =
            keys[description]
            ?? Task {
                let directory = try KeyDirectory()
                let path = directory.path("id")
                try await Program.run("ssh-keygen", arguments + ["-f", path])
                return Pair(privateKey: try directory.bytes("id"), publicKey: try directory.bytes("id.pub"))
            }
        keys[description] = making
        return try await making.value
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
