/// A server's host key, which it has proved to hold.
struct PresentedKey: Sendable {
    let key: SSHHostKey
    /// The host key algorithms that we offered.
    let offered: [String]
    /// Those that the server lists.
    let listed: [String]
    /// The software that the server names.
    let software: String
}
