/// The conversation with a device's shell: wait for the prompt, switch off the pager, send the command, and collect output until
/// the prompt comes again. It has no clock and does no I/O. Its input is bytes, and the event that nothing came for a while; its
/// output is text and the next step.
///
/// A prompt counts only if it is the last text and nothing follows it for a while: output may contain a line that looks like a
/// prompt. After a line was typed, a prompt counts only once the device has shown that line: a line editor or a device's message
/// may redraw the prompt, which says nothing about the command.
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

    /// An error that is the answer to the command.
    struct Rejection: Hashable {
        let line: String
        /// Whether it is a parser's error without further output: then no part of the command was run.
        let isSyntaxError: Bool
    }

    private let command: String
    private let pattern: PromptPattern?
    private let identification: String
    private var screen = ShellScreen()
    private var echo: CommandEcho
    /// Whether the device echoes typed text; nil if unknown.
    private var echoes: Bool?
    private(set) var phase = Phase.greeting
    private(set) var device: ShellDevice?
    /// The prompt as first received.
    private(set) var prompt: String?
    /// The error by which the device answered the command.
    private(set) var rejection: Rejection?
    /// Whether the command that switches the pager off was not taken.
    private(set) var keepsPager = false
    /// Whether a pager had to be answered.
    private(set) var answeredPager = false
    private var answeredLine: String?
    private var finalLine: String?
    private var greeting: [String] = []
    /// The first lines of the answer to the typed text, without the device's own messages.
    private var answer: [String] = []
    /// Whether a message of the device came after the echo.
    private var hasMessages = false
    private var output: [UInt8] = []

    /// A device rejects a command in a few lines; longer text is the command's output.
    private static let maximumRejectionLines = 8
    private static let maximumGreetingLines = 64

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

    /// The shell runs. Without a terminal there is no echo, unless the device itself echoes.
    mutating func began(hasTerminal: Bool) { if !hasTerminal { echoes = false } }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for line in screen.take(bytes) { take(line) }
    }

    private mutating func take(_ line: ShellScreen.Line) {
        let text = Self.trimmed(line.bytes)
        if text == answeredLine { return }
        switch phase {
        case .greeting: if greeting.count < Self.maximumGreetingLines { greeting.append(text) }
        case .preparing: for line in echo.passed(line) { note(Self.trimmed(line.bytes)) }
        case .running:
            guard !isLateEcho(line) else { return }
            for line in echo.passed(line) {
                note(Self.trimmed(line.bytes))
                output += line.isEnded ? line.bytes + [UInt8(ascii: "\n")] : line.bytes
            }
        case .over: break
        }
    }

    /// Whether the line is a late echo of the previous command: the device does echo.
    private mutating func isLateEcho(_ line: ShellScreen.Line) -> Bool {
        guard echoes == false, answer.isEmpty, let pagerOff = device?.pagerOff else { return false }
        var earlier = CommandEcho(pagerOff, behind: prompt ?? "")
        _ = earlier.passed(line)
        guard earlier.isSeen else { return false }
        echoes = true
        echo.expect()
        return true
    }

    private mutating func note(_ line: String) {
        guard answer.count <= Self.maximumRejectionLines, !line.isEmpty, !Self.isOfPrompt(line) else { return }
        // A command that shows the log shows messages.
        if !command.lowercased().contains("log"), DeviceMessage.matches(line) { return hasMessages = true }
        answer.append(line)
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

    /// Whether the last line may be a prompt that waits for input.
    var mayWait: Bool { phase != .over && (pager(lastLine) != nil || isPrompt(lastLine)) }

    /// Called after a silence.
    ///
    /// - Parameter isLong: whether the silence is so long that a device with an echo would have shown the typed line, and
    ///   finished redrawing it.
    mutating func settle(isLong: Bool) -> Step? {
        let line = lastLine
        guard phase != .over else { return nil }
        if isPrompt(line) { return prompted(line, isLong: isLong) }
        guard let pager = pager(line) else { return nil }
        (answeredPager, answeredLine) = (true, line)
        return .press(pager.key)
    }

    private func pager(_ line: String) -> ShellPager? { ShellPager(line, isGreeting: phase == .greeting) }

    private mutating func prompted(_ line: String, isLong: Bool) -> Step? {
        switch phase {
        case .greeting:
            prompt = line
            device = ShellDevice.named(in: [identification] + greeting) ?? (pattern == nil ? ShellDevice.prompting(line) : nil)
            guard let pagerOff = device?.pagerOff else { return send(after: line) }
            phase = .preparing
            return type(pagerOff, after: line)
        case .preparing:
            guard echo.isSeen || isLong else { return nil }
            echoes = echo.isSeen
            for line in echo.takeHeld() { note(Self.trimmed(line.bytes)) }
            keepsPager = answeredError != nil
            return send(after: line)
        case .running, .over:
            guard hasAnswered(isLong: isLong) else { return nil }
            rejection = answeredError
            phase = .over
            return .leave
        }
    }

    /// Whether the present prompt is the one after the command.
    private func hasAnswered(isLong: Bool) -> Bool {
        // Without an echo, only an answer distinguishes the next prompt from a redrawn one.
        guard echo.isSeen else { return echo.isAbsent && !answer.isEmpty }
        if !answer.isEmpty { return true }
        // A device redraws its prompt after its own message, even while the command runs.
        return isLong && !hasMessages
    }

    private mutating func send(after line: String) -> Step {
        phase = .running
        return type(command, after: line)
    }

    private mutating func type(_ text: String, after line: String) -> Step {
        echo = CommandEcho(text, behind: line, isAbsent: echoes == false)
        (answer, hasMessages) = ([], false)
        _ = screen.takeRest()
        return .type(text)
    }

    /// The error with which the device answered the typed text.
    private var answeredError: Rejection? {
        guard answer.count <= Self.maximumRejectionLines else { return nil }
        let lines = answer.filter { !Self.isPointer($0) }
        guard let line = lines.first else { return nil }
        let begins = { (beginnings: [String]) in beginnings.contains { line.hasPrefix($0) } }
        guard let device else { return begins(ShellDevice.everyError) ? Rejection(line: line, isSyntaxError: false) : nil }
        let isSyntaxError = begins(device.syntaxErrors)
        guard isSyntaxError || begins(device.failures) else { return nil }
        return Rejection(line: line, isSyntaxError: isSyntaxError && lines.count == 1)
    }

    /// The caret below the error, and IOS's message that it looks up a command as a host name.
    private static func isPointer(_ line: String) -> Bool {
        line.allSatisfy { $0 == "^" || $0 == " " } || line.hasPrefix("Translating \"")
    }

    /// Text that surrounds every answer: the line above Junos' prompt (`{master:0}`, `[edit system]`), and the time that IOS
    /// XR writes after each typed line.
    private static func isOfPrompt(_ line: String) -> Bool {
        line.wholeMatch(of: /\{[a-z]+(:[a-z0-9]+)?\}|\[edit[^\]]*\]/) != nil
            || line.wholeMatch(of: /[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]{1,2} [0-9:]{8}\.[0-9]+ [A-Za-z0-9+-]+/) != nil
    }

    /// Whether the device has shown the command as it was typed; nil before it was.
    var hasEchoed: Bool? { phase == .running || phase == .over ? echo.isSeen : nil }

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

/// The questions of pagers at the end of a page.
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
