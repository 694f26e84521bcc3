/// The conversation with a device's shell: wait for the prompt, switch off the pager, send the command, and collect output until
/// the prompt comes again. It has no clock and does no I/O. Its input is bytes, and the event that nothing came for a while; its
/// output is text and the next step.
///
/// A line counts as a prompt only if it is the last one and nothing follows for a while, because output may contain a line that
/// looks like a prompt.
struct ShellConversation {
    /// The next step after nothing has come for a while.
    enum Step: Hashable {
        /// Type a line and the Enter key.
        case type(String)
        /// Press a key.
        case press(String)
        /// Leave the shell: the command's output is complete.
        case leave
    }

    enum Phase: Hashable {
        /// The first prompt has not come.
        case greeting
        /// The pager is being switched off.
        case preparing
        /// The command was sent.
        case running
        /// The prompt came back.
        case over
    }

    private let command: String
    private let pattern: PromptPattern?
    private let identification: String
    private var screen = ShellScreen()
    private var echo: CommandEcho
    private(set) var phase = Phase.greeting
    private(set) var device: ShellDevice?
    /// The prompt as first received.
    private(set) var prompt: String?
    /// The line in which the device rejected the command.
    private(set) var rejection: String?
    /// Whether the device rejected the command that switches off the pager.
    private(set) var keepsPager = false
    /// Whether a pager had to be answered.
    private(set) var answeredPager = false
    private var answeredLine = ""
    private var finalLine: String?
    private var greeting: [String] = []
    /// The first lines of the response to the typed text.
    private var answer: [String] = []
    private var output: [UInt8] = []

    /// A device rejects a command in a few lines; longer text is the command's output.
    private static let longestRejection = 8
    private static let longestGreeting = 64

    /// - Parameters:
    ///   - prompt: a regular expression for the prompt; nil for the known prompts.
    ///   - identification: the server's identification line.
    init(_ command: String, prompt: String?, identification: String) {
        self.command = command
        self.identification = identification
        pattern = prompt.flatMap { try? PromptPattern($0) }
        echo = CommandEcho(command, behind: "")
    }

    // MARK: Input

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for line in screen.take(bytes) { take(line) }
    }

    private mutating func take(_ line: ShellScreen.Line) {
        let text = Self.trimmed(line.bytes)
        if answeredPager, text == answeredLine, ShellPager(text) != nil { return }
        switch phase {
        case .greeting: if greeting.count < Self.longestGreeting { greeting.append(text) }
        case .preparing: note(text)
        case .running:
            for line in echo.passed(line) {
                note(Self.trimmed(line.bytes))
                output += line.isEnded ? line.bytes + [UInt8(ascii: "\n")] : line.bytes
            }
        case .over: break
        }
    }

    private mutating func note(_ line: String) {
        if !line.isEmpty, answer.count <= Self.longestRejection { answer.append(line) }
    }

    /// The output since the last call.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// The last received line, without a line end.
    var lastLine: String { finalLine ?? Self.trimmed(screen.text) }

    /// Called when the shell is being ended. Later text is the response to that, and does not change the last line.
    mutating func giveUp() { finalLine = finalLine ?? lastLine }

    /// Called when the channel has ended. Text that looked like the start of an echo or a prompt is output.
    mutating func end() {
        giveUp()
        guard phase == .running else { return }
        for line in echo.takeHeld() { output += line.bytes + [UInt8(ascii: "\n")] }
        if screen.text.contains(where: { $0 != UInt8(ascii: " ") }) { output += screen.takeRest() }
    }

    // MARK: Next step

    /// Whether the device may be waiting at the last line.
    var mayWait: Bool { phase != .over && (ShellPager(lastLine) != nil || isPrompt(lastLine)) }

    /// Called when nothing has come for a while.
    mutating func settle() -> Step? {
        let line = lastLine
        guard phase != .over else { return nil }
        if isPrompt(line) { return prompted(line) }
        guard let pager = ShellPager(line) else { return nil }
        (answeredPager, answeredLine) = (true, line)
        return .press(pager.key)
    }

    private mutating func prompted(_ line: String) -> Step {
        switch phase {
        case .greeting:
            prompt = line
            device = ShellDevice.named(in: [identification] + greeting) ?? (pattern == nil ? ShellDevice.prompting(line) : nil)
            guard let pagerOff = device?.pagerOff else { return send(after: line) }
            phase = .preparing
            _ = screen.takeRest()
            return .type(pagerOff)
        case .preparing:
            keepsPager = rejected() != nil
            return send(after: line)
        case .running, .over:
            for line in echo.takeHeld() {
                note(Self.trimmed(line.bytes))
                output += line.bytes + [UInt8(ascii: "\n")]
            }
            rejection = rejected()
            phase = .over
            return .leave
        }
    }

    private mutating func send(after line: String) -> Step {
        echo = CommandEcho(command, behind: line)
        answer = []
        phase = .running
        _ = screen.takeRest()
        return .type(command)
    }

    private func rejected() -> String? {
        guard answer.count <= Self.longestRejection else { return nil }
        let beginnings = device?.rejections ?? ShellDevice.everyRejection
        return answer.first { line in beginnings.contains { line.hasPrefix($0) } }
    }

    private func isPrompt(_ line: String) -> Bool {
        guard !line.isEmpty else { return false }
        if let pattern { return pattern.matches(line) }
        guard let prompt else { return ShellDevice.prompting(line) != nil }
        if line == prompt { return true }
        guard let form = [PromptForm.brackets, .userAtHost, .host].first(where: { $0.matches(prompt) }) else { return false }
        return form.stem(of: line) == form.stem(of: prompt)
    }

    static func trimmed(_ bytes: [UInt8]) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var rest = bytes[...]
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(decoding: rest.prefix(1024), as: UTF8.self)
    }
}

/// A prompt described by the user. A regular expression is not `Sendable`; its owner uses it only under a lock.
private struct PromptPattern: @unchecked Sendable {
    private let expression: Regex<AnyRegexOutput>

    init(_ text: String) throws { expression = try Regex(text) }

    /// Whether it matches up to the end of the line.
    func matches(_ line: String) -> Bool {
        [line, line + " "].contains { text in
            text.matches(of: expression).contains { $0.range.upperBound == text.endIndex && !$0.range.isEmpty }
        }
    }
}

/// A pager's question at the end of a page.
struct ShellPager {
    /// The key that shows the next page, or all pages.
    let key: String

    /// Nil for a line that is not a pager's question.
    init?(_ line: String) {
        let text = line.lowercased()
        guard text.utf8.count <= 200 else { return nil }
        if text.hasPrefix("-- [q quit|d dump") {
            key = "D"
        } else if Self.beginnings.contains(where: { text.hasPrefix($0) }) || Self.questions.contains(where: { text.contains($0) })
        {
            key = " "
        } else {
            return nil
        }
    }

    /// For IOS, NX-OS and EOS; Junos; Cisco ASA; ArubaOS and HPE ProCurve; Huawei VRP and Comware; Extreme.
    private static let beginnings = [
        "--more--", "---(more", "---(less", "<--- more --->", "-- more --", "---- more ----", "--- more ---", "--- more ",
    ]
    private static let questions = ["press any key to continue", "press <space> to continue"]
}

/// The echo of the command, which a device shows before the output. It may be wrapped, and may follow the prompt on its line.
private struct CommandEcho {
    private let whole: [UInt8]
    private let prompt: [UInt8]
    private var rest: [UInt8]
    private var held: [ShellScreen.Line] = []
    private var isOver = false

    init(_ command: String, behind prompt: String) {
        whole = Self.dense(Array(command.utf8))
        self.prompt = Self.dense(Array(prompt.utf8))
        rest = whole
    }

    /// The lines that are not part of the echo.
    mutating func passed(_ line: ShellScreen.Line) -> [ShellScreen.Line] {
        var text = Self.dense(line.bytes)
        if isOver {
            // A line editor redraws the line when it is sent.
            return held.isEmpty && text == prompt + whole ? [] : [line]
        }
        if !prompt.isEmpty, text.starts(with: prompt), !rest.starts(with: text) { text.removeFirst(prompt.count) }
        held.append(line)
        if text.isEmpty { return [] }
        guard rest.starts(with: text) else { return takeRest() }
        rest.removeFirst(text.count)
        if rest.isEmpty { (isOver, held) = (true, []) }
        return []
    }

    /// Held lines that turned out not to be an echo.
    mutating func takeHeld() -> [ShellScreen.Line] { isOver ? [] : takeRest() }

    private mutating func takeRest() -> [ShellScreen.Line] {
        isOver = true
        defer { held = [] }
        return held
    }

    /// The bytes without spaces, since a wrapped line may have lost some.
    private static func dense(_ bytes: [UInt8]) -> [UInt8] {
        bytes.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    }
}
