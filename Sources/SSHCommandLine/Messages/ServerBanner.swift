import ErrorCore

/// A server's banner, made safe for a terminal.
enum ServerBanner {
    /// Whole lines, so that no prompt of ours continues one of them.
    static func text(_ banner: String) -> String {
        let escaped = TerminalText.escape(banner)
        return escaped.isEmpty || escaped.hasSuffix("\n") ? escaped : escaped + "\n"
    }
}
