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
        mayContinue || lines.isOpen || reader.facts.python.isOpen || reader.facts.quotesCommand || reader.facts.trace.isRunning
    }

    mutating func take(_ text: String, _ ended: (TranscriptReader) -> Void) {
        var text = text
        text.withUTF8 {
            let line = $0.withoutOuterBlanks
            if lines.isWhole(line) {
                read(line, ended)
            } else {
                for var part in lines.keep(line) { part.withUTF8 { read($0, ended) } }
            }
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ ended: (TranscriptReader) -> Void) {
        if line.isEmpty { return }
        if mayContinue, !reader.facts.python.isContinued(by: String(decoding: line, as: UTF8.self)) { ended(renew()) }
        mayContinue = false
        reader.take(line)
        guard reader.hasEnded else { return }
        if reader.isLibrary { mayContinue = true } else { ended(renew()) }
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
