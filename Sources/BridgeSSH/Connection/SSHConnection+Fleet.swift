/// What a run over many hosts asks of each connection.
extension SSHConnection {
    /// Bounds how far servers may be ahead of the readers of commands that begin from now on.
    ///
    /// - Parameter bytes: of each command, over both streams; at least 32 KiB.
    package func limitWindows(to bytes: Int) async {
        await session.limitWindows(.fixed(max(LeastWindow.bytes, bytes)))
    }

    /// The least that ``limitWindows(to:)`` allows.
    package enum LeastWindow {
        package static let bytes = 32 << 10
    }
}
