/// Lines that a terminal or a program has wrapped.
enum Wrapping {
    /// The usual widths, without and with a margin.
    private static let widths = [72, 76, 78, 79, 80, 100, 120, 132]
    /// The largest indentation or frame that a line may have lost.
    private static let margin = 4

    /// Whether the second line can be the rest of the first: its first word did not fit any more.
    static func joins(_ first: String, _ second: String) -> Bool {
        let length = first.count
        let word = second.prefix { $0 != " " }.count
        return widths.contains { length <= $0 && length + 1 + word > $0 - margin }
    }

    /// The texts that they may have been, where the first line is the end of a longer text: a program wraps at a blank, a terminal
    /// anywhere.
    static func joined(_ text: String, _ first: String, _ second: String) -> [String] {
        widths.contains(first.count) ? [text + " " + second, text + second] : [text + " " + second]
    }
}
