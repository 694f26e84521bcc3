/// One run in a log.
struct LoggedRun: Sendable {
    var reader = TranscriptReader()
    /// The time of its last line.
    var time: LogTime?
    private var lines = TranscriptLines()
    /// Whether the last line was a library's failure: the next one may report that it caused another.
    private var mayContinue = false

    /// Whether the next line counts whatever it says.
    var readsAll: Bool {
        mayContinue || lines.isOpen || reader.isHolding || reader.facts.python.isOpen || reader.facts.quotesCommand
            || reader.facts.trace.isRunning
    }

    mutating func take(_ text: String, _ ended: (TranscriptReader) -> Void) {
        var text = text
        text.withUTF8 {
            let line = $0.withoutOuterBlanks
            if lines.isWhole(line) {
                read(line, ended)
            } else {
                let parts = lines.keep(line)
                for var part in parts { part.withUTF8 { read($0, ended) } }
                // A result that is complete tells of one host, and nothing of what comes behind it.
                if lines.wasResult, reader.tells { ended(renew()) }
            }
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ ended: (TranscriptReader) -> Void) {
        if line.isEmpty { return }
        if mayContinue { return follow(line, ended) }
        if reader.tells || line.first == UInt8(ascii: "[") {
            let text = String(decoding: line, as: UTF8.self)
            if AnsibleWords.announces(text) { return }
            if reader.tells, AnsibleWords.beginsResult(text) { ended(renew()) }
        }
        reader.take(line)
        guard reader.hasEnded else { return }
        if reader.isLibrary { mayContinue = true } else { ended(renew()) }
    }

    /// The line behind a library's failure: its stack, what it came from, or the same once more; anything else is another run's.
    private mutating func follow(_ line: UnsafeBufferPointer<UInt8>, _ ended: (TranscriptReader) -> Void) {
        let text = String(decoding: line, as: UTF8.self)
        if reader.facts.python.isOpen || reader.facts.python.isContinued(by: text) || StackLines.hold(text) {
            reader.take(line)
            return
        }
        mayContinue = false
        var both = reader
        both.take(line)
        if both.adds(to: reader) {
            (reader, mayContinue) = (both, true)
        } else {
            ended(renew())
            read(line, ended)
        }
    }

    private mutating func renew() -> TranscriptReader {
        defer { reader = TranscriptReader() }
        return reader
    }

    /// What the run has reported without an end.
    mutating func end() -> TranscriptReader {
        for var line in lines.rest() { line.withUTF8 { reader.take($0) } }
        return reader
    }
}

/// The lines of a stack that Java, Node, Ruby and .NET print behind an exception.
enum StackLines {
    static func hold(_ quoted: String) -> Bool {
        // A mail or a forum quotes lines with an angle bracket.
        let line = quoted.hasPrefix(">") ? quoted.trimming("> \t") : quoted
        if line.hasPrefix("at ") || line.hasPrefix("... ") || line.hasPrefix("from ") || line.hasPrefix("Caused by: ") {
            return true
        }
        // What cargo adds between the causes of an error.
        if line == "Caused by:" || line.hasPrefix("* attempted ") || line.hasPrefix("if the git CLI") { return true }
        if line.hasPrefix("attempted ssh-agent") || line.hasPrefix("https://doc.rust-lang.org/") { return true }
        if line.hasPrefix("level: '") || line.hasPrefix("Emitted 'error' event") || line == "}" { return true }
        return line.mentions(".rb:") && line.mentions(":in ")
    }
}
