import BridgeSSH

/// The libssh2 that is loaded: what a server that is the same comes to may differ.
enum InstalledLibrary {
    /// 1.11 or later: it has chacha20-poly1305, AES-GCM and MACs over the ciphertext, and can signal a command.
    static let is111 = Library.isAtLeast(1, 11)
}
