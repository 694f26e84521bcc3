/// The runs that were read before. A job that fails again and again writes the same lines, and a line that follows the same lines as
/// before is not read again.
struct KnownRuns: Sendable {
    /// The position within a run: after lines that were read before, or after others.
    struct Place: Sendable {
        /// The index of the state after lines that were read before.
        fileprivate var state = 0
        /// The run after other lines. It is large, so it is changed in place.
        fileprivate var run: LogRun?
    }

    private struct Line: Hashable, Sendable {
        let text: String
        let indent: Int
    }

    private struct Step: Sendable {
        let state: Int
        let failures: [RunFailure]
    }

    /// A run after some lines, and the lines that followed.
    private struct State: Sendable {
        let run: LogRun
        let depth: Int
        var steps: [Line: Step] = [:]
    }

    private static let start = [State(run: LogRun(), depth: 0)]
    private var states = Self.start
    private var stepCount = 0
    private let maximumSteps: Int

    /// With the number of steps, these bound the memory to a few MiB.
    private static let (maximumLines, maximumLineBytes) = (32, 512)

    /// - Parameter maximumSteps: the number of lines to remember.
    init(maximumSteps: Int = 512) { self.maximumSteps = maximumSteps }

    /// The place before the first line of a run.
    static let beginning = Place()

    /// Whether the next line must be read in any case.
    func readsAll(_ place: Place) -> Bool { place.run?.readsAll ?? states[place.state].run.readsAll }

    /// The run at a place.
    func run(at place: Place) -> LogRun { place.run ?? states[place.state].run }

    /// Passes over lines without known words.
    func pass(_ lines: UnsafeBufferPointer<UInt8>, _ place: inout Place) {
        leaveKnown(&place)
        place.run?.pass(lines)
    }

    /// Makes a place independent of the lines that are remembered.
    func detach(_ place: inout Place) {
        leaveKnown(&place)
        if place.run?.isFresh == true { place = Self.beginning }
    }

    private func leaveKnown(_ place: inout Place) {
        if place.run == nil { place.run = states[place.state].run }
    }

    /// Reads the next line of a run.
    mutating func take(_ text: String, indent: Int, _ place: inout Place, _ ended: (RunFailure) -> Void) {
        if place.run != nil {
            place.run?.take(text, indent: indent, ended)
            if place.run?.isFresh == true { place = Self.beginning }
            return
        }
        let line = Line(text: text, indent: indent)
        if let step = states[place.state].steps[line] {
            step.failures.forEach(ended)
            place.state = step.state
            return
        }
        var run = states[place.state].run
        var failures: [RunFailure] = []
        run.take(text, indent: indent) { failures.append($0) }
        failures.forEach(ended)
        place = learn(line, after: place.state, run, failures)
    }

    /// Remembers the state after a line, unless the memory is full.
    private mutating func learn(_ line: Line, after state: Int, _ run: LogRun, _ failures: [RunFailure]) -> Place {
        let next = run.isFresh ? 0 : states.count
        guard stepCount < maximumSteps, states[state].depth < Self.maximumLines, line.text.utf8.count <= Self.maximumLineBytes
        else {
            return next == 0 ? Self.beginning : Place(run: run)
        }
        stepCount += 1
        if next > 0 { states.append(State(run: run, depth: states[state].depth + 1)) }
        states[state].steps[line] = Step(state: next, failures: failures)
        return Place(state: next)
    }

    /// Whether no further line can be remembered.
    var isFull: Bool { stepCount >= maximumSteps }

    /// Forgets all runs. Then no place except the beginning may be known.
    mutating func removeAll() { (states, stepCount) = (Self.start, 0) }
}

/// Reads the lines of one run in a log, and reports each failure when it is complete.
struct LogRun: Sendable {
    private var reader = TranscriptReader()
    private var lines = TranscriptLines()
    private var ansible = AnsibleBlocks()
    /// Whether the last line was a library's failure. The next line may report that it caused another.
    private var mayContinue = false
    /// A result without a message. The callback `debug` writes the message in a section of its own below it.
    private var unreached: (heading: String, message: [String]?)?
    private static let maximumMessage = 64

    /// Whether the next line must be read in any case.
    var readsAll: Bool {
        mayContinue || unreached != nil || lines.isOpen || ansible.isOpen || reader.isHolding || reader.facts.python.isOpen
            || reader.facts.quotesCommand || reader.facts.trace.isRunning
    }

    /// Whether it has a failure that is not reported yet.
    var hasFailure: Bool { reader.hasFailure }

    /// Whether no earlier line is pending, as at the beginning of a run.
    var isFresh: Bool { reader.isUnused && !mayContinue && unreached == nil && lines.isUnused && ansible.isUnused }

    /// Passes over lines without known words.
    mutating func pass(_ lines: UnsafeBufferPointer<UInt8>) { reader.pass(lines) }

    mutating func take(_ text: String, indent: Int, _ ended: (RunFailure) -> Void) {
        if lines.isOpen { return takeLine(text, isAfterBlank: indent == 1, ended) }
        if unreached != nil {
            if continues(text) { return }
            endUnreached(ended)
        }
        for part in ansible.take(text, indent: indent) { take(part, ended) }
    }

    /// Keeps a line of the section with the message of the result before it.
    private mutating func continues(_ text: String) -> Bool {
        guard let message = unreached?.message else {
            if text == "MSG:" { unreached?.message = [] }
            return text.isEmpty || text == "MSG:"
        }
        if message.count >= Self.maximumMessage || AnsibleMessages.isResult(text) || AnsibleMessages.beginsSection(text) {
            return false
        }
        unreached?.message?.append(text)
        return true
    }

    private mutating func endUnreached(_ ended: (RunFailure) -> Void) {
        guard let (heading, message) = unreached else { return }
        unreached = nil
        read([heading] + (message ?? []), ended)
    }

    private mutating func take(_ part: AnsibleBlocks.Part, _ ended: (RunFailure) -> Void) {
        switch part {
        case .line(let text): takeLine(text, ended)
        case .result(let lines), .announcement(let lines): takeWhole(lines, ended)
        }
    }

    private mutating func takeLine(_ text: String, isAfterBlank: Bool = false, _ ended: (RunFailure) -> Void) {
        var text = text
        text.withUTF8 {
            let line = $0.withoutOuterBlanks
            if lines.isWhole(line) {
                read(line, ended)
            } else {
                let parts = lines.keep(line, isAfterBlank)
                if lines.wasResult { return takeWhole(parts, ended) }
                for var part in parts { part.withUTF8 { read($0, ended) } }
            }
        }
    }

    /// Reads a complete result or announcement. It has no more than one failure of each host, and is not about the lines around
    /// it.
    private mutating func takeWhole(_ lines: [String], _ ended: (RunFailure) -> Void) {
        if lines.count == 1, lines[0].hasSuffix(" | UNREACHABLE!") {
            unreached = (lines[0], nil)
        } else {
            read(lines, ended)
        }
    }

    private mutating func read(_ lines: [String], _ ended: (RunFailure) -> Void) {
        mayContinue = false
        finishReader(ended)
        for var line in lines {
            if AnsibleMessages.beginsResult(line) { finishReader(ended) }
            line.withUTF8 { reader.take($0) }
        }
        finishReader(ended)
    }

    private mutating func finishReader(_ ended: (RunFailure) -> Void) {
        if reader.hasFailure { endReader(ended) } else { reader = TranscriptReader() }
    }

    private mutating func endReader(before: Bool = false, _ ended: (RunFailure) -> Void) {
        if let failure = RunFailure(reader, endedBefore: before) { ended(failure) }
        reader = TranscriptReader()
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ ended: (RunFailure) -> Void) {
        if line.isEmpty { return }
        if mayContinue { return follow(line, ended) }
        if reader.hasFailure {
            let text = String(decoding: line, as: UTF8.self)
            let isAnsible = !reader.facts.inventoryHost.isEmpty
            if AnsibleMessages.beginsResult(text)
                || isAnsible && (AnsibleMessages.isResult(text) || AnsibleMessages.beginsSection(text))
            {
                endReader(before: true, ended)
            }
        }
        reader.take(line)
        guard reader.hasEnded else { return }
        if reader.isLibrary { mayContinue = true } else { endReader(ended) }
    }

    /// Reads the line after a library's failure: its stack, its cause, or a repetition. Any other line belongs to another run.
    private mutating func follow(_ line: UnsafeBufferPointer<UInt8>, _ ended: (RunFailure) -> Void) {
        let text = String(decoding: line, as: UTF8.self)
        if reader.facts.python.isOpen || reader.facts.python.isContinued(by: text) || StackLines.contains(text) {
            reader.take(line)
            return
        }
        mayContinue = false
        var both = reader
        both.take(line)
        if both.adds(to: reader) {
            (reader, mayContinue) = (both, true)
        } else {
            endReader(before: true, ended)
            read(line, ended)
        }
    }

    /// Ends the run. Returns the failure that it ended with, if any.
    mutating func end(_ ended: (RunFailure) -> Void) -> RunFailure? {
        endUnreached(ended)
        for part in ansible.rest() { take(part, ended) }
        for var line in lines.rest() { line.withUTF8 { reader.take($0) } }
        return RunFailure(reader)
    }
}
