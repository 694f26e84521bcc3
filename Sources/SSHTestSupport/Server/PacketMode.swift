/// The protection of a connection's packets: a cipher and a MAC, the same for both directions.
public struct PacketMode: Sendable, Hashable {
    enum Cipher { case aesCTR, aesGCM, chaCha20Poly1305 }

    /// The cipher's name in KEXINIT.
    public let cipherName: String
    /// The MAC's name in KEXINIT. An authenticated cipher does not use it.
    public let macName: String
    let cipher: Cipher
    let keyLength: Int
    /// The length of the MAC or of the cipher's own tag.
    let tagLength: Int
    /// Whether the length field is outside the encrypted blocks.
    let hasSeparateLength: Bool

    private init(
        _ cipherName: String, _ macName: String, _ cipher: Cipher, key: Int, tag: Int, separateLength: Bool
    ) {
        self.cipherName = cipherName
        self.macName = macName
        self.cipher = cipher
        keyLength = key
        tagLength = tag
        hasSeparateLength = separateLength
    }

    /// RFC 4344 section 4 and RFC 6668.
    public static let ctr = PacketMode("aes128-ctr", "hmac-sha2-256", .aesCTR, key: 16, tag: 32, separateLength: false)
    /// The same with a longer key and a longer MAC.
    public static let ctr256 = PacketMode("aes256-ctr", "hmac-sha2-512", .aesCTR, key: 32, tag: 64, separateLength: false)
    /// OpenSSH PROTOCOL section 1.5.
    public static let encryptThenMAC = PacketMode(
        "aes128-ctr", "hmac-sha2-256-etm@openssh.com", .aesCTR, key: 16, tag: 32, separateLength: true)
    /// The same with a longer key and a longer MAC.
    public static let encryptThenMAC512 = PacketMode(
        "aes256-ctr", "hmac-sha2-512-etm@openssh.com", .aesCTR, key: 32, tag: 64, separateLength: true)
    /// RFC 5647, with the names of OpenSSH PROTOCOL section 1.6.
    public static let gcm128 = PacketMode(
        "aes128-gcm@openssh.com", "hmac-sha2-256", .aesGCM, key: 16, tag: 16, separateLength: true)
    /// The same with a longer key.
    public static let gcm256 = PacketMode(
        "aes256-gcm@openssh.com", "hmac-sha2-256", .aesGCM, key: 32, tag: 16, separateLength: true)
    /// OpenSSH PROTOCOL.chacha20poly1305.
    public static let chaCha20Poly1305 = PacketMode(
        "chacha20-poly1305@openssh.com", "hmac-sha2-256", .chaCha20Poly1305, key: 64, tag: 16, separateLength: true)

    /// All modes.
    public static let all = [ctr, ctr256, encryptThenMAC, encryptThenMAC512, gcm128, gcm256, chaCha20Poly1305]

    /// The mode's name for tests.
    public var name: String { cipher == .aesCTR ? "\(cipherName) with \(macName)" : cipherName }

    /// The encrypted part of a packet is a multiple of this length.
    var blockLength: Int { cipher == .chaCha20Poly1305 ? 8 : 16 }
}
