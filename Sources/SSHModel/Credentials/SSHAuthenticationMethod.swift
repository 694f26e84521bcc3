/// A way to authenticate (RFC 4252, RFC 4256), by its name on the wire.
public enum SSHAuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// A key signs.
    case publicKey = "publickey"
    /// A password is sent.
    case password
    /// The server's questions are answered.
    case keyboardInteractive = "keyboard-interactive"
}
