@testable import SSHKeys
@testable import SSHModel

/// Keys and agents.
extension Parsers {
    /// Answers of an agent.
    @Sendable static func agent(_ bytes: [UInt8]) { _ = try? AgentMessage(body: bytes) }

    /// A private key file; an encrypted key is not decrypted.
    @Sendable static func keyFile(_ bytes: [UInt8]) { _ = try? KeyFileContent(bytes, permissions: nil) }

    /// A line of a `.pub` file or of known_hosts, and a key in wire format.
    @Sendable static func publicKey(_ bytes: [UInt8]) {
        _ = try? SSHPublicKey(line: String(decoding: bytes, as: UTF8.self))
        if let key = try? SSHPublicKey(blob: bytes) { precondition(key.blob == bytes) }
    }
}
