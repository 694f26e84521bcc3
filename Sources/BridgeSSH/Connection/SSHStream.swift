/// A stream of bytes through the server to another place. Valid only inside the closure that receives it.
public struct SSHStream: Sendable {
    /// What comes from there.
    public let inbound: SSHOutput
    /// What goes there.
    public let outbound: SSHInput
}
