/// One line of a terminal that is drawn again and again.
///
/// The cursor stays at its first column. A terminal that folds its lines anew when its window shrinks (tmux, VTE, kitty, iTerm) keeps
/// the cursor at the character where it stood, here the begin of what has become several rows; one that cuts them (xterm) keeps it
/// there too. So what is erased is the whole line, however many rows it takes by then, and nothing above it.
package enum ProgressLine {
    /// Draws a line, which must fit the window, over the one before.
    package static func drawn(_ text: String) -> String { "\r" + text + eraseRest + "\r" }

    /// Takes the line away.
    package static let erased = "\r" + eraseRest

    /// From the cursor to the end of the screen (ECMA-48, ED 0).
    private static let eraseRest = "\u{1B}[J"
}
