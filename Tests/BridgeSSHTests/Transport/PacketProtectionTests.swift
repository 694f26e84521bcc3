import Testing

@testable import BridgeSSH

/// What is known of packets before they come.
@Suite struct PacketProtectionTests {
    private func protection(_ cipher: String, _ mac: String, server: (String, String)? = nil) -> PacketProtection {
        var client = AlgorithmLists()
        client.cipherToClient = [cipher, "aes128-ctr"]
        client.macToClient = [mac, "hmac-sha1"]
        var other = client
        other.cipherToClient = [server?.0 ?? cipher]
        other.macToClient = [server?.1 ?? mac]
        return PacketProtection(client: client, server: other)
    }

    @Test(arguments: [
        ("aes256-ctr", "hmac-sha2-256", 16, 32), ("aes128-cbc", "hmac-sha2-512", 16, 64), ("3des-cbc", "hmac-sha1", 8, 20),
        ("aes256-ctr", "hmac-sha1-96", 16, 12),
    ])
    func aLengthThatIsProvedLate(_ cipher: String, _ mac: String, _ block: Int, _ length: Int) {
        let protection = protection(cipher, mac)
        #expect(protection.cipherBlock == block && protection.macLength == length)
    }

    @Test(arguments: [
        ("chacha20-poly1305@openssh.com", "hmac-sha2-256"), ("aes256-gcm@openssh.com", "hmac-sha2-256"),
        ("aes256-ctr", "hmac-sha2-256-etm@openssh.com"), ("aes256-ctr", "a-mac-of-tomorrow"), ("rot13", "hmac-sha1"),
    ])
    func nothingToExpect(_ cipher: String, _ mac: String) { #expect(protection(cipher, mac).cipherBlock == 0) }

    @Test func theServersChoiceCounts() {
        let protection = protection("chacha20-poly1305@openssh.com", "hmac-sha2-256", server: ("aes128-ctr", "hmac-sha1"))
        #expect(protection.cipherBlock == 16 && protection.macLength == 20)
    }
}
