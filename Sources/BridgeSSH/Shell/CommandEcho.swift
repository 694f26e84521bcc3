/// The echo of a line that was typed. A device shows it before the answer: after the prompt or without it, wrapped, drawn twice,
/// and perhaps after the device's own messages.
///
/// Text before the echo need not be the answer: a line editor may redraw its prompt, and a message may split the typed command in
/// two.
struct CommandEcho {
    /// How many lines and bytes are held while the echo is looked for. A device that has written more shows none.
    private static let maximumLines = 512
    private static let maximumBytes = 1 << 16
    /// A shorter end of the command is not a sign that the line was scrolled.
    private static let shortestEnd = 12

    private let whole: [UInt8]
    private let words: [ArraySlice<UInt8>]
    private let prompt: [UInt8]
    /// The rest of a wrapped echo.
    private var rest: [UInt8]
    private var held: [ShellScreen.Line] = []
    private var heldBytes = 0
    private var mayBeDrawnAgain = false
    /// Whether the echo came, to its line end.
    private(set) var isSeen = false
    /// Whether the device is known to show none.
    private(set) var isAbsent: Bool

    /// - Parameters:
    ///   - prompt: the prompt at which the line was typed.
    ///   - isAbsent: whether the device is known to show no echo. An echo that comes nevertheless counts.
    init(_ command: String, behind prompt: String, isAbsent: Bool = false) {
        whole = Self.dense(Array(command.utf8)[...])
        words = Self.words(Array(command.utf8)[...])
        self.prompt = Self.dense(Array(prompt.utf8)[...])
        self.isAbsent = isAbsent
        rest = whole
    }

    /// It turned out that the device shows an echo.
    mutating func expect() { if !isSeen { isAbsent = false } }

    /// The lines of the answer that this one completes.
    mutating func passed(_ line: ShellScreen.Line) -> [ShellScreen.Line] {
        if isSeen {
            // A line editor draws the line once more when it is sent.
            let isDrawnAgain = mayBeDrawnAgain && Self.dense(line.bytes[...]) == prompt + whole
            mayBeDrawnAgain = mayBeDrawnAgain && line.bytes.isEmpty
            return isDrawnAgain ? [] : [line]
        }
        if completes(line) {
            (isSeen, mayBeDrawnAgain) = (true, true)
            // Text before the echo is not an answer.
            held = []
            return []
        }
        if isAbsent { return [line] }
        held.append(line)
        heldBytes += line.bytes.count
        guard held.count > Self.maximumLines || heldBytes > Self.maximumBytes else { return [] }
        isAbsent = true
        return takeHeld()
    }

    /// Held text that is not an echo.
    mutating func takeHeld() -> [ShellScreen.Line] {
        defer { (held, heldBytes) = ([], 0) }
        return held
    }

    /// Whether the line completes the echo.
    private mutating func completes(_ line: ShellScreen.Line) -> Bool {
        guard line.isEnded else { return false }
        var text = line.bytes[...]
        var isBehindPrompt = false
        // The prompt may have been redrawn before the echo, even on the same line.
        while let behind = Self.behind(prompt, text) { (text, isBehindPrompt) = (behind, true) }
        let dense = Self.dense(text)
        if dense == whole || isExpanded(text, isBehindPrompt) || isScrolled(dense) { return true }
        if isBehindPrompt { rest = whole }
        if rest.starts(with: dense) {
            rest.removeFirst(dense.count)
        } else if !DeviceMessage.matches(String(decoding: line.bytes, as: UTF8.self)) {
            rest = whole
        }
        return rest.isEmpty
    }

    /// Whether the device completed the words, as Junos does at each blank: `sh ver` becomes `show version`.
    private func isExpanded(_ text: ArraySlice<UInt8>, _ isBehindPrompt: Bool) -> Bool {
        let found = Self.words(text)
        guard found.count == words.count, words.count > 1 || isBehindPrompt else { return false }
        return zip(found, words).allSatisfy { $0.starts(with: $1) }
    }

    /// Whether the line was longer than the device's: the device then shows only its end, after a sign such as `$`.
    private func isScrolled(_ dense: [UInt8]) -> Bool {
        guard let sign = dense.first, sign == UInt8(ascii: "$") || sign == UInt8(ascii: "<") else { return false }
        let end = dense.dropFirst()
        return end.count >= Self.shortestEnd && end.elementsEqual(whole.suffix(end.count))
    }

    /// The text after the prompt; nil for a line that does not begin with it.
    private static func behind(_ prompt: [UInt8], _ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !prompt.isEmpty else { return nil }
        var rest = text
        for byte in prompt {
            rest = rest.drop(while: isBlank)
            guard rest.first == byte else { return nil }
            rest.removeFirst()
        }
        return rest
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(whereSeparator: isBlank)
    }

    /// Without blanks, which a wrapped line may have lost.
    private static func dense(_ bytes: ArraySlice<UInt8>) -> [UInt8] { bytes.filter { !isBlank($0) } }
}

/// A message that a device writes to a terminal unasked, in the middle of other output.
enum DeviceMessage {
    /// Sources: Cisco's system message format (`%FACILITY-SEVERITY-MNEMONIC:`), which Arista has too; Huawei's and H3C's
    /// information centers; syslogd(8) and wall(1) on Junos; RouterOS' action `echo`.
    static func matches(_ line: String) -> Bool {
        let text = line.trimmingPrefix { $0 == " " }
        if text.hasPrefix("Message from syslogd") || text.hasPrefix("Broadcast Message from ") { return true }
        if text.contains("%"), text.contains(cisco) || text.contains(huawei) || text.prefixMatch(of: h3c) != nil { return true }
        return text.prefixMatch(of: routerOS) != nil
    }

    // Computed: a regular expression is not `Sendable`.
    private static var cisco: some RegexComponent { /%[A-Z0-9_]+(-[A-Z0-9_]+)*-[0-7]-[A-Z0-9_]+:/ }
    private static var huawei: some RegexComponent { /%%[0-9]{2}[A-Z0-9_]+\/[0-7]\// }
    private static var h3c: some RegexComponent {
        /%[A-Z][a-z]{2} +[0-9]{1,2} [0-9:]+ [0-9]{4} [^ ]+ [A-Z0-9_]+\/[0-7]\/[A-Z0-9_]+:/
    }
    private static var routerOS: some RegexComponent {
        #/[a-z0-9/-]+ [0-9]{2}:[0-9]{2}:[0-9]{2} [a-z0-9,-]*(info|warning|error|critical)[a-z0-9,-]* /#
    }
}
