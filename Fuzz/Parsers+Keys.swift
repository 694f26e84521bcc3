@testable import SSHKeys
@testable import SSHModel

/// Keys, and their holders.
extension Parsers {
    /// What an agent answers.
    @Sendable static func agent(_ bytes: [UInt8]) { _ = try? AgentMessage(body: bytes) }

    /// A private key file; an encrypted key is not decrypted.
    @Sendable static func keyFile(_ bytes: [UInt8]) { _ = try? KeyFileContent(bytes, permissions: nil) }

    /// A line of a `.pub` file or of known_hosts, and a key as it is on the wire.
    @Sendable static func publicKey(_ bytes: [UInt8]) {
        _ = try? SSHPublicKey(line: String(decoding: bytes, as: UTF8.self))
        if let key = try? SSHPublicKey(blob: bytes) { precondition(key.blob == bytes) }
    }
}
