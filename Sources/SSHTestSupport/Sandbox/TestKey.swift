import Foundation

/// A key type for ssh-keygen.
public enum TestKeyKind: String, Sendable, Hashable, CaseIterable {
    /// ssh-ed25519.
    case ed25519
    /// ecdsa-sha2-nistp256.
    case ecdsa
    /// ecdsa-sha2-nistp384.
    case ecdsa384
    /// ecdsa-sha2-nistp521.
    case ecdsa521
    /// ssh-rsa, 2048 bits.
    case rsa

    var arguments: [String] {
        switch self {
        case .ed25519: ["-t", "ed25519"]
        case .ecdsa: ["-t", "ecdsa", "-b", "256"]
        case .ecdsa384: ["-t", "ecdsa", "-b", "384"]
        case .ecdsa521: ["-t", "ecdsa", "-b", "521"]
        case .rsa: ["-t", "rsa", "-b", "2048"]
        }
    }
}

/// The format of a private key file.
///
/// ssh-keygen writes an Ed25519 key as ``openSSH`` only.
public enum TestKeyFormat: String, Sendable, Hashable, CaseIterable {
    /// `BEGIN OPENSSH PRIVATE KEY`.
    case openSSH = "RFC4716"
    /// `BEGIN RSA PRIVATE KEY`, `BEGIN EC PRIVATE KEY`.
    case pem = "PEM"
    /// `BEGIN PRIVATE KEY`, `BEGIN ENCRYPTED PRIVATE KEY`.
    case pkcs8 = "PKCS8"
}

/// A key pair from ssh-keygen. It is made once per test process and kept in memory only.
public struct TestKey: Sendable, Hashable {
    /// The contents of the private key file.
    public let privateKey: String
    /// The public key's type and base64, without a comment.
    public let publicKey: String
    /// The passphrase of the private key; nil if it is not encrypted.
    public let passphrase: String?

    /// Returns the pair with this description, always the same one within a process.
    ///
    /// - Parameter name: Distinguishes several otherwise equal pairs.
    /// - Throws: ``MissingTool`` without ssh-keygen, ``ProcessFailed`` if it fails.
    public static func make(
        _ kind: TestKeyKind = .ed25519, format: TestKeyFormat = .openSSH, passphrase: String? = nil, name: String = "client"
    ) async throws -> TestKey {
        try await TestKeyCache.shared.key(
            TestKeyCache.Description(kind: kind, format: format, passphrase: passphrase, name: name))
    }

    /// Writes `name`, with mode 0600, and `name.pub` to a directory, and returns the path of `name`.
    @discardableResult
    public func write(to directory: ScratchDirectory, as name: String) throws -> String {
        try directory.write(publicKey + " test\n", to: name + ".pub", mode: 0o644)
        return try directory.write(privateKey, to: name)
    }
}

private actor TestKeyCache {
    struct Description: Hashable, Sendable {
        let kind: TestKeyKind
        let format: TestKeyFormat
        let passphrase: String?
        let name: String
    }

    static let shared = TestKeyCache()
    private var keys: [Description: Task<TestKey, any Error>] = [:]

    func key(_ description: Description) async throws -> TestKey {
        // Tests that need the same key at the same time wait for one ssh-keygen.
        let making = keys[description] ?? Task { try await Self.generate(description) }
        keys[description] = making
        return try await making.value
    }

    private static func generate(_ description: Description) async throws -> TestKey {
        try await ScratchDirectory.with { directory in
            let path = directory.path("key")
            let format = description.format == .openSSH ? [] : ["-m", description.format.rawValue]
            try await ProcessRun.check(
                "ssh-keygen",
                // One round of key derivation: the usual sixteen are slow in a debug build.
                ["-q", "-a", "1"] + description.kind.arguments + format
                    + ["-N", description.passphrase ?? "", "-C", "test", "-f", path])
            let publicKey = try String(contentsOfFile: path + ".pub", encoding: .utf8)
            return TestKey(
                privateKey: try String(contentsOfFile: path, encoding: .utf8),
                publicKey: publicKey.split(separator: " ").prefix(2).joined(separator: " "), passphrase: description.passphrase)
        }
    }
}
