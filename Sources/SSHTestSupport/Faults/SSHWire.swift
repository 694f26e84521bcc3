/// The wire encoding (RFC 4251 section 5), and the clear-text messages of a misbehaving server (RFC 4253 sections 4.2, 6, 7.1
/// and 11.1).
enum SSHWire {
    static let identification = Array("SSH-2.0-FaultServer_1\r\n".utf8)

    /// A binary packet without a MAC, padded to whole blocks with at least four bytes.
    static func packet(_ payload: [UInt8], blockLength: Int = 8) -> [UInt8] {
        let unpadded = 5 + payload.count
        var padding = blockLength - unpadded % blockLength
        if padding < 4 { padding += blockLength }
        let length = UInt32(1 + payload.count + padding)
        return uint32(length) + [UInt8(padding)] + payload + [UInt8](repeating: 0, count: padding)
    }

    static func disconnect(reason: UInt32, text: String) -> [UInt8] {
        packet([1] + uint32(reason) + string(text) + string(""))
    }

    static func keyExchangeInit(_ lists: KeyExchangeLists) -> [UInt8] { packet(keyExchangeInitPayload(lists)) }

    static func keyExchangeInitPayload(_ lists: KeyExchangeLists) -> [UInt8] {
        let names = [
            lists.keyExchange, lists.hostKey, lists.cipher, lists.cipher, lists.mac, lists.mac, lists.compression,
            lists.compression, [], [],
        ]
        let cookie = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return [20] + cookie + names.flatMap { string($0.joined(separator: ",")) } + [0] + uint32(0)
    }

    static func uint32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    static func boolean(_ value: Bool) -> [UInt8] { [value ? 1 : 0] }
    static func string(_ bytes: [UInt8]) -> [UInt8] { uint32(UInt32(bytes.count)) + bytes }
    static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }

    /// A positive number from its big-endian digits.
    static func mpint(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = magnitude.drop { $0 == 0 }
        return string((digits.first ?? 0) & 0x80 == 0 ? Array(digits) : [0] + digits)
    }
}

/// The algorithm names of a KEXINIT message, the same for both directions.
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

    /// Lists that every client supports.
    public init() {}
}
