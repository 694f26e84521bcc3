/// What a pager asks at the end of a page.
struct ShellPager {
    /// The key that brings the next page, or all of them.
    let key: String

    /// Nil for any other line.
    ///
    /// - Parameter isGreeting: whether no command was sent yet. Before a command, any key only continues the greeting. While
    ///   one runs, "press any key to continue" may be how it asks for consent, and no key is pressed.
    init?(_ line: String, isGreeting: Bool) {
        let text = line.lowercased()
        guard text.utf8.count <= 200, !text.contains("?") else { return nil }
        if text.hasPrefix("-- [q quit|d dump") {
            key = "D"
        } else if Self.beginnings.contains(where: { text.hasPrefix($0) }) || Self.isPage(text)
            || isGreeting && Self.greetings.contains(where: { text.contains($0) })
        {
            key = " "
        } else {
            return nil
        }
    }

    /// Whether the whole line offers the next page, and to leave out the others.
    private static func isPage(_ text: String) -> Bool {
        let words = text.trimmingPrefix { " .:-".contains($0) }
        return pages.contains { words.hasPrefix($0) && words.dropFirst($0.count).allSatisfy { " .:-".contains($0) } }
    }

    /// IOS, NX-OS and EOS; Junos; Cisco ASA; ArubaOS and HPE ProCurve; Huawei VRP and Comware; Extreme.
    private static let beginnings = [
        "--more--", "---(more", "---(less", "<--- more --->", "-- more --", "---- more ----", "--- more ---",
    ]
    /// Extreme; TP-Link.
    private static let pages = ["press <space> to continue or <q> to quit", "press any key to continue (q to quit)"]
    /// HPE ProCurve and others.
    private static let greetings = ["press any key to continue", "press <space> to continue"]
}
