#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The terminal that our standard descriptors are on, if they are.
enum LocalTerminal {
    /// Columns and rows; nil where no standard descriptor is a terminal that says.
    static var size: (columns: Int, rows: Int)? {
        for descriptor: Int32 in [0, 1, 2] {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { continue }
            return (Int(size.ws_col), Int(size.ws_row))
        }
        return nil
    }

    /// Columns for our own texts.
    static var width: Int { size?.columns ?? 80 }

    /// The modes of standard input's terminal, encoded; empty if it is none.
    ///
    /// - Parameter terminal: the value of TERM that they are sent with.
    static func modes(for terminal: String) -> [UInt8] {
        var attributes = termios()
        guard tcgetattr(0, &attributes) == 0 else { return [] }
        return TerminalModes.encode(attributes, atMost: TerminalModes.longestRequest - terminal.utf8.count)
    }

    /// Every key goes to the command as it is, ^C and ^Z too.
    static func makeRaw() -> Bool {
        TerminalGuard.change(0, for: .session) { cfmakeraw(&$0) }
    }
}
