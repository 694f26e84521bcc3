import BridgeSSH
import CPayloadTap
import Testing

@testable import SSHTransport

/// The layout of packets, by cipher and MAC.
@Suite struct PacketProtectionTests {
    @Test(
        "an encrypted length",
        arguments: [
            ("aes256-ctr", "hmac-sha2-256", 16, 32), ("aes128-cbc", "hmac-sha2-512", 16, 64), ("3des-cbc", "hmac-sha1", 8, 20),
            ("aes256-ctr", "hmac-sha1-96", 16, 12), ("rijndael-cbc@lysator.liu.se", "hmac-md5-96", 16, 12),
        ])
    func aLengthThatIsEnciphered(_ cipher: String, _ mac: String, _ block: UInt32, _ length: UInt32) throws {
        let layout = try #require(PacketProtection.layout(cipher: cipher, mac: mac))
        #expect(layout.form == bridge_packet_length_enciphered && layout.cipher_block == block && layout.mac_length == length)
    }

    @Test(
        "an unencrypted length",
        arguments: [
            ("aes128-ctr", "hmac-sha2-256-etm@openssh.com", bridge_packet_encrypt_then_mac, UInt32(16), UInt32(32)),
            ("aes256-gcm@openssh.com", "INTEGRATED-AES-GCM", bridge_packet_length_authenticated, 16, 16),
            ("chacha20-poly1305@openssh.com", "hmac-sha2-256-etm@openssh.com", bridge_packet_chacha, 8, 16),
        ])
    func aLengthInTheClear(
        _ cipher: String, _ mac: String, _ form: bridge_packet_form, _ block: UInt32, _ length: UInt32
    ) throws {
        let layout = try #require(PacketProtection.layout(cipher: cipher, mac: mac))
        #expect(layout.form == form && layout.cipher_block == block && layout.mac_length == length)
    }

    @Test(
        "an unknown cipher has no layout",
        arguments: [("aes256-ctr", "a-mac-of-tomorrow"), ("rot13", "hmac-sha1"), ("", ""), ("none", "none")])
    func whatIsNotKnownHasNoLayout(_ cipher: String, _ mac: String) {
        #expect(PacketProtection.layout(cipher: cipher, mac: mac) == nil)
    }

    /// All default algorithms can be guarded.
    @Test("every default has a layout") func everyDefaultHasALayout() {
        let offered = SSHAlgorithmPreferences()
        for cipher in offered.ciphers {
            for mac in offered.macs { #expect(PacketProtection.layout(cipher: cipher, mac: mac) != nil, "\(cipher) \(mac)") }
        }
    }
}
