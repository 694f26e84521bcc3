/// What takes a channel's bytes in place of readers: the session of the next hop, or SFTP.
struct ChannelConsumer {
    let object: AnyObject
    /// Called when a stream has bytes to read, or has ended. The caller is still reading.
    let arrived: () -> Void
}
