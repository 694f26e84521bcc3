import BridgeSSH
import SSHTestSupport

/// The libssh2 that is loaded: what a server that is the same comes to may differ.
enum InstalledLibrary {
    /// 1.11 or later: it has chacha20-poly1305, AES-GCM and MACs over the ciphertext, and can signal a command.
    static let is111 = Library.isAtLeast(1, 11)

    /// How it can protect packets, of what a scripted server knows.
    static let modes: [PacketMode] = is111 ? PacketMode.all : [.ctr, .ctr256]

    /// The algorithms agreed with an sshd that offers all it has.
    static let cipher = is111 ? "chacha20-poly1305@openssh.com" : "aes128-ctr"

    /// The size on the wire of a window adjustment with that cipher: 16 bytes of AES and 32 of the MAC, or 20 and a tag
    /// of 16.
    static let windowAdjustment = is111 ? 36 : 48
}
