/// What a run over many hosts asks of each connection.
extension SSHConnection {
    /// Bounds how far servers may be ahead of the readers of commands that begin from now on.
    ///
    /// - Parameter bytes: of each command, over both streams; at least 32 KiB.
    package func limitWindows(to bytes: Int) async {
        await session.limitWindows(.fixed(max(CommandWindow.least, bytes)))
    }

    /// A command's window, in bytes, and what it may hold in memory.
    package enum CommandWindow {
        /// The least that ``limitWindows(to:)`` allows.
        package static let least = 32 << 10
        /// A window is opened again by a packet more than its size.
        private static let packet = 32 << 10

        /// In libssh2 with a packet more, while a quarter of it is read ahead of the reader and a quarter is with the reader.
        package static func memory(of window: Int) -> Int { window + window / 2 + packet }
        /// The largest window that holds no more than this, or a number below the least.
        package static func window(in memory: Int) -> Int { (memory - packet) / 3 * 2 }
    }
}
