internal import CPayloadTap

/// How libssh2 lays out a packet of the algorithms in use, from which follows what its length may be.
///
/// Sources: RFC 4253 sections 6 and 6.3, RFC 4344 section 4, RFC 5647, OpenSSH's PROTOCOL sections 1.5 and 1.6.
enum PacketProtection {
    /// The layout for a cipher and a MAC, both from the server to us; nil where it is not known.
    static func layout(cipher: String, mac: String) -> bridge_packet_layout? {
        if cipher.mentions("poly1305") { return layout(bridge_packet_chacha, block: 8, mac: tagLength) }
        if cipher.mentions("gcm") { return layout(bridge_packet_length_authenticated, block: 16, mac: tagLength) }
        let suffix = "-etm@openssh.com"
        let isEncryptedFirst = mac.hasSuffix(suffix)
        let name = isEncryptedFirst ? String(mac.dropLast(suffix.utf8.count)) : mac
        guard let block = block(cipher), let length = macLengths[name] else { return nil }
        let form = isEncryptedFirst ? bridge_packet_encrypt_then_mac : bridge_packet_length_enciphered
        return layout(form, block: block, mac: length)
    }

    private static func layout(_ form: bridge_packet_form, block: UInt32, mac: UInt32) -> bridge_packet_layout {
        bridge_packet_layout(form: form, cipher_block: block, mac_length: mac)
    }

    /// Of AES-GCM and of Poly1305.
    private static let tagLength: UInt32 = 16

    /// libssh2 counts eight bytes for arcfour.
    private static func block(_ cipher: String) -> UInt32? {
        if cipher.hasPrefix("aes") || cipher.hasPrefix("rijndael") { return 16 }
        return ["3des", "blowfish", "cast128", "arcfour"].contains { cipher.hasPrefix($0) } ? 8 : nil
    }

    /// RFC 4253 section 6.4, RFC 6668.
    private static let macLengths: [String: UInt32] = [
        "hmac-sha2-256": 32, "hmac-sha2-512": 64, "hmac-sha1": 20, "hmac-sha1-96": 12, "hmac-md5": 16, "hmac-md5-96": 12,
        "hmac-ripemd160": 20, "hmac-ripemd160@openssh.com": 20,
    ]
}
