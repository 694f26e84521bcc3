/// Lines that a terminal or a program has wrapped.
enum Wrapping {
    /// The usual widths, without and with a margin.
    private static let widths = [72, 76, 78, 79, 80, 100, 120, 132]
    /// The largest indentation or frame that a line may have lost.
    private static let margin = 4

    /// Whether a line of this many bytes fills the width of a terminal, and not only that of a paragraph.
    static func isFull(_ length: Int) -> Bool { length >= 80 && widths.contains(length) }

    /// Whether the second line can be the rest of the first: its first word did not fit any more.
    static func joins(_ first: String, _ second: String) -> Bool {
        let length = first.count
        let word = second.prefix { $0 != " " }.count
        return widths.contains { length <= $0 && length + 1 + word > $0 - margin }
    }

    /// The possible original texts, if the first line is the end of a longer text: a program wraps at a blank, a terminal
    /// anywhere.
    static func joined(_ text: String, _ first: String, _ second: String) -> [String] {
        widths.contains(first.count) ? [text + " " + second, text + second] : [text + " " + second]
    }
}

/// A line that may continue in the next line, because it was wrapped.
struct WrappedLine: Sendable {
    /// The lengths of lines that are wrapped, and of the longest text that is joined.
    static let lengths = 40...240
    static let maximumLength = 1024

    var text: String
    /// The part that was read last.
    var last: String
    /// The number of its first part, if a row has read it.
    var readAt: Int?
    /// The addresses that had failed before that row read it.
    var addresses: [SSHAddressFailure] = []
}
