import BridgeSSH
import SSHTestSupport

/// The loaded libssh2: the same server may give different results with different versions.
enum InstalledLibrary {
    /// 1.11 or later: it has chacha20-poly1305, AES-GCM and MACs over the ciphertext, and can signal a command.
    static let is111 = Library.isAtLeast(1, 11)

    /// The packet protections that both it and a scripted server support.
    static let modes: [PacketMode] = is111 ? PacketMode.all : [.ctr, .ctr256]

    /// The algorithms that are negotiated with an sshd that offers all its algorithms.
    static let cipher = is111 ? "chacha20-poly1305@openssh.com" : "aes128-ctr"

    /// The size on the wire of a window adjustment with that cipher: 16 bytes of AES and 32 of the MAC, or 20 and a tag
    /// of 16.
    static let windowAdjustment = is111 ? 36 : 48
}
