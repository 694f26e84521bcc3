/// Reads a log of many runs as it grows. Every failure of a client is reported once, after the client's last line.
///
/// The lines may begin with times, processes, pods and jobs, in the formats of syslog, the journal (also as JSON), GitHub
/// Actions, GitLab and Kubernetes. The lines of several processes may be mixed. The exit status of most runs is unknown, so no
/// verdict is surer than `likely`.
public struct SSHTranscriptLog: Sendable {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The runs that have not ended, by source.
    private var runs: [String: LogRun] = [:]
    /// The sources of the runs. The source of the last line is at the end.
    private var order: [String] = []
    /// The last failure of each source, and the number of its lines read by then.
    private var last: [String: (code: SSHError.Code, host: String, line: Int)] = [:]
    private static let echoLines = 12
    /// The daemon prints what rsync prints over ssh, and has nothing to do with it.
    private static let rsyncDaemon = "rsyncd["
    private let clock: LogClock
    private var time: LogTime?

    /// The largest number of open runs.
    private static let maximumRuns = 64

    /// Makes a reader for a new log.
    public init() { self.init(LogClock(now: LogTime(seconds: 4_102_444_800), offset: 0)) }

    /// Makes a reader for a log whose times lack a year or a zone.
    package init(_ clock: LogClock) { self.clock = clock }

    /// Reads the next line, without its line end. Returns the failure that the line completes, if any.
    public mutating func take(_ line: String) -> SSHError? {
        var line = line
        var failure: SSHError?
        line.withUTF8 { take($0) { failure = failure ?? $0.error } }
        return failure
    }

    /// Ends the log. Returns the failure of a run that has not ended, if any.
    public mutating func finish() -> SSHError? {
        var failure: SSHError?
        finish { failure = failure ?? $0.error }
        return failure
    }

    /// Reads whole lines, which need not be UTF-8, and reports the failures that they complete.
    package mutating func take(_ block: UnsafeBufferPointer<UInt8>, _ report: (LoggedFailure) -> Void) {
        var start = 0
        while start < block.count {
            var line: Range<Int>
            if readsAll {
                let end = block[start...].firstIndex(where: TranscriptScreen.endsLine) ?? block.count
                line = start..<end
            } else if let next = TranscriptScreen.shared.nextLine(in: block, from: start) {
                line = next
                pass(Bytes(rebasing: block[start..<next.lowerBound]))
            } else {
                pass(Bytes(rebasing: block[start...]))
                return
            }
            read(Bytes(rebasing: block[line]), report)
            start = line.upperBound + 1
        }
    }

    /// Ends the log, and reports the failures of the runs that have not ended.
    package mutating func finish(_ report: (LoggedFailure) -> Void) {
        for source in order { end(source, status: nil, report) }
        (runs, order, last) = ([:], [], [:])
    }

    /// Whether the current run is within a text whose lines need not contain any known words.
    private var readsAll: Bool { order.last.flatMap { runs[$0]?.readsAll } ?? false }

    /// Passes over lines without known words.
    private mutating func pass(_ lines: Bytes) {
        guard !lines.isEmpty, let source = order.last else { return }
        runs[source]?.reader.pass(lines)
    }

    private mutating func read(_ raw: Bytes, _ report: (LoggedFailure) -> Void) {
        let outer = raw
        let raw = outer.withoutOuterBlanks
        if raw.isEmpty { return }
        let indent = outer.prefix { $0 == 0x20 || $0 == 0x09 }.count
        for line in LogLine.all(in: String(decoding: raw, as: UTF8.self), clock) where !line.source.hasPrefix(Self.rsyncDaemon) {
            time = line.time ?? time
            follow(line.source, report)
            runs[line.source]?.time = time
            runs[line.source]?.lineCount += 1
            var failures: [TranscriptReader] = []
            runs[line.source]?.take(line.text, indent: indent + line.indent) { failures.append($0) }
            let count = runs[line.source]?.lineCount ?? 0
            for reader in failures { tell(reader, nil, line.source, time, at: count, report) }
            if let status = line.status { end(line.source, status: status, report) }
        }
    }

    /// Makes a source the current one.
    private mutating func follow(_ source: String, _ report: (LoggedFailure) -> Void) {
        if order.last == source { return }
        if runs[source] == nil {
            if order.count == Self.maximumRuns { end(order.removeFirst(), status: nil, report) }
            runs[source] = LogRun()
        } else {
            order.removeAll { $0 == source }
        }
        order.append(source)
    }

    private mutating func end(_ source: String, status: Int?, _ report: (LoggedFailure) -> Void) {
        guard var run = runs.removeValue(forKey: source) else { return }
        order.removeAll { $0 == source }
        var failures: [TranscriptReader] = []
        let reader = run.end { failures.append($0) }
        for reader in failures { tell(reader, nil, source, run.time, at: run.lineCount, report) }
        tell(reader, status, source, run.time, at: run.lineCount, report)
        last[source] = nil
    }

    /// Reports a failure, unless it only repeats one that was reported a few lines before.
    private mutating func tell(
        _ reader: TranscriptReader, _ status: Int?, _ source: String, _ time: LogTime?, at lines: Int,
        _ report: (LoggedFailure) -> Void
    ) {
        guard let failure = LoggedFailure(reader, status, source, time) else { return }
        let code = failure.error.code
        if reader.isLibrary || reader.facts.mayRepeat, let before = last[source], lines - before.line <= Self.echoLines,
            failure.host.isEmpty || failure.host == before.host || before.host.isEmpty,
            code == before.code || failure.error.confidence == .guess && reader.reading.map({ $0.rank < .telling }) == true
        {
            last[source]?.line = lines
            return
        }
        // The end of a connection through another ssh follows that ssh's own failure, and so does the message of the program
        // that ran it.
        let isWrapper = reader.reading.map { $0.rank == .wrapper } == true
        // Such a message ends no run: other lines may have followed it.
        let line = isWrapper ? lines - reader.linesSinceReading : lines
        if let before = last[source], line - before.line <= (isWrapper ? Self.echoLines : 2), failure.host.isEmpty,
            failure.error.confidence == .guess || code == .connectProxyFailed,
            reader.reading.map({ $0.rank < .plain }) == true
        {
            return
        }
        last[source] = (code, failure.host, lines)
        report(failure)
    }
}

/// One run in a log.
struct LogRun: Sendable {
    var reader = TranscriptReader()
    /// The time of the run's last line, and the number of its lines.
    var time: LogTime?
    var lineCount = 0
    private var lines = TranscriptLines()
    private var ansible = AnsibleBlocks()
    /// Whether the last line was a library's failure. The next line may report that it caused another.
    private var mayContinue = false

    /// Whether the next line must be read, whatever its text.
    var readsAll: Bool {
        mayContinue || lines.isOpen || ansible.isOpen || reader.isHolding || reader.facts.python.isOpen
            || reader.facts.quotesCommand || reader.facts.trace.isRunning
    }

    mutating func take(_ text: String, indent: Int, _ ended: (TranscriptReader) -> Void) {
        if lines.isOpen { return takeLine(text, isAfterBlank: indent == 1, ended) }
        for part in ansible.take(text, indent: indent) { take(part, ended) }
    }

    private mutating func take(_ part: AnsibleBlocks.Part, _ ended: (TranscriptReader) -> Void) {
        switch part {
        case .line(let text): takeLine(text, ended)
        case .result(let lines), .announcement(let lines): takeWhole(lines, ended)
        }
    }

    private mutating func takeLine(_ text: String, isAfterBlank: Bool = false, _ ended: (TranscriptReader) -> Void) {
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
    private mutating func takeWhole(_ lines: [String], _ ended: (TranscriptReader) -> Void) {
        mayContinue = false
        finishReader(ended)
        for var line in lines {
            if AnsibleWords.beginsResult(line) { finishReader(ended) }
            line.withUTF8 { reader.take($0) }
        }
        finishReader(ended)
    }

    private mutating func finishReader(_ ended: (TranscriptReader) -> Void) {
        let reader = renew()
        if reader.hasFailure { ended(reader) }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ ended: (TranscriptReader) -> Void) {
        if line.isEmpty { return }
        if mayContinue { return follow(line, ended) }
        if reader.hasFailure {
            let text = String(decoding: line, as: UTF8.self)
            let isAnsible = !reader.facts.inventoryHost.isEmpty
            if AnsibleWords.beginsResult(text)
                || isAnsible && (AnsibleWords.isResult(text) || AnsibleWords.beginsSection(text))
            {
                ended(renew())
            }
        }
        reader.take(line)
        guard reader.hasEnded else { return }
        if reader.isLibrary { mayContinue = true } else { ended(renew()) }
    }

    /// Reads the line after a library's failure: its stack, its cause, or a repetition. Any other line belongs to another run.
    private mutating func follow(_ line: UnsafeBufferPointer<UInt8>, _ ended: (TranscriptReader) -> Void) {
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
            ended(renew())
            read(line, ended)
        }
    }

    private mutating func renew() -> TranscriptReader {
        defer { reader = TranscriptReader() }
        return reader
    }

    /// Ends the run, and returns its reader.
    mutating func end(_ ended: (TranscriptReader) -> Void) -> TranscriptReader {
        for part in ansible.rest() { take(part, ended) }
        for var line in lines.rest() { line.withUTF8 { reader.take($0) } }
        return reader
    }
}

/// The lines of a stack trace, as Java, Node, Ruby and .NET print them after an exception.
enum StackLines {
    static func contains(_ quoted: String) -> Bool {
        // A mail or a forum quotes lines with an angle bracket.
        let line = quoted.hasPrefix(">") ? quoted.trimming("> \t") : quoted
        if line.hasPrefix("at ") || line.hasPrefix("... ") || line.hasPrefix("from ") || line.hasPrefix("Caused by: ") {
            return true
        }
        // Lines that cargo adds between the causes of an error.
        if line == "Caused by:" || line.hasPrefix("* attempted ") || line.hasPrefix("if the git CLI") { return true }
        if line.hasPrefix("attempted ssh-agent") || line.hasPrefix("https://doc.rust-lang.org/") { return true }
        if line.hasPrefix("level: '") || line.hasPrefix("Emitted 'error' event") || line == "}" { return true }
        // The output of a command, as SSHKit adds it.
        if line.mentions(" stdout: ") || line.mentions(" stderr: ") { return true }
        return line.mentions(".rb:") && line.mentions(":in ")
    }
}

/// A failure in a log.
package struct LoggedFailure: Sendable {
    package let error: SSHError
    /// The time of the log entry; nil if the log has no times.
    package let time: LogTime?
    /// The process, pod or job that wrote it; empty if the log names none.
    package let source: String
    /// The client that reported it, if known: `openssh 9.2`.
    package let client: String?
    /// The host's name in the inventory, if the log has one.
    package let inventoryHost: String
    /// The exit status of the run, if the log gives it.
    package let exitStatus: Int?

    init?(_ reader: TranscriptReader, _ status: Int?, _ source: String, _ time: LogTime?) {
        guard let error = TranscriptVerdict(SSHTranscript(standardError: "", exitStatus: nil), reader).error else { return nil }
        self.error = error.weakened(to: .likely, adding: [])
        (exitStatus, self.source, self.time) = (status, source, time)
        (client, inventoryHost) = (reader.client, reader.facts.inventoryHost)
    }

    /// The host's name for people: the inventory's name, if there is one.
    package var host: String { inventoryHost.isEmpty ? error.evidence.host : inventoryHost }
}
