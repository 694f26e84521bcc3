/// The few clear-text messages that a broken server says (RFC 4253 sections 4.2, 6, 7.1 and 11.1).
enum SSHWire {
    static let identification = Array("SSH-2.0-FaultServer_1\r\n".utf8)

    /// A binary packet before keys are in use: no MAC, padded to eight bytes with at least four.
    static func packet(_ payload: [UInt8]) -> [UInt8] {
        let unpadded = 5 + payload.count
        var padding = 8 - unpadded % 8
        if padding < 4 { padding += 8 }
        let length = UInt32(1 + payload.count + padding)
        return uint32(length) + [UInt8(padding)] + payload + [UInt8](repeating: 0, count: padding)
    }

    static func disconnect(reason: UInt32, text: String) -> [UInt8] {
        packet([1] + uint32(reason) + string(Array(text.utf8)) + string([]))
    }

    static func keyExchangeInit(_ lists: KeyExchangeLists) -> [UInt8] {
        let names = [
            lists.keyExchange, lists.hostKey, lists.cipher, lists.cipher, lists.mac, lists.mac, lists.compression,
            lists.compression, [], [],
        ]
        let cookie = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return packet([20] + cookie + names.flatMap { string(Array($0.joined(separator: ",").utf8)) } + [0] + uint32(0))
    }

    static func uint32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    static func string(_ bytes: [UInt8]) -> [UInt8] { uint32(UInt32(bytes.count)) + bytes }
}

/// The algorithm names of a KEXINIT message, the same ones both ways.
public struct KeyExchangeLists: Sendable {
    /// kex_algorithms.
    public var keyExchange = ["curve25519-sha256", "ecdh-sha2-nistp256", "diffie-hellman-group14-sha256"]
    /// server_host_key_algorithms.
    public var hostKey = ["ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-256"]
    /// encryption_algorithms.
    public var cipher = ["aes128-ctr", "aes256-ctr"]
    /// mac_algorithms.
    public var mac = ["hmac-sha2-256"]
    /// compression_algorithms.
    public var compression = ["none"]

    /// What every client has.
    public init() {}
}
