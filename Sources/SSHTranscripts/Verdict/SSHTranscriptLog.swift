/// Reads a log of many runs as it grows. Every failure of a client is reported once, after the client's last line.
///
/// The lines may begin with times, processes, pods and jobs, in the formats of syslog, the journal (also as JSON), GitHub
/// Actions, GitLab and Kubernetes. The lines of several processes may be mixed. The exit status of most runs is unknown, so no
/// verdict is surer than `likely`.
public struct SSHTranscriptLog: Sendable {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// A run that has not ended.
    private struct OpenRun: Sendable {
        /// The process, pod or job; empty if the log names none.
        var source = ""
        var place = KnownRuns.beginning
        /// The time of its last line, and the number of its lines.
        var time: LogTime?
        var lineCount = 0
        /// The last failure, and the number of lines so far.
        var last: (code: SSHError.Code, host: String, line: Int)?
        /// The end of a connection of which no line came before. In a log with the newest line first, its reason follows.
        var held: LoggedFailure?
    }

    /// The name of the run of the last line: its source, or a connection of sshd. Nil before the first line.
    private var name: String?
    private var current = OpenRun()
    /// The other runs by name, and their names. The one that was read last is at the end.
    private var others: [String: OpenRun] = [:]
    private var order: [String] = []
    private var connections = DaemonConnections()
    private var known: KnownRuns
    private static let echoLines = 12
    /// The daemon prints the same messages as rsync over ssh, but does not use ssh.
    private static let rsyncDaemon = "rsyncd["
    private let clock: LogClock
    private var time: LogTime?
    /// The beginning of the line before the next one, if it was passed over. A stack follows the line with its time.
    private var lastPassed: [UInt8] = []
    private static let prefixLength = 128

    /// The largest number of open runs.
    private static let maximumRuns = 64

    /// Makes a reader for a new log.
    public init() { self.init(LogClock(now: LogTime(seconds: 4_102_444_800), offset: 0)) }

    /// Makes a reader for a log whose times lack a year or a zone.
    package init(_ clock: LogClock) { self.init(clock, KnownRuns()) }

    init(_ clock: LogClock, _ known: KnownRuns) { (self.clock, self.known) = (clock, known) }

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
        if let plain = PastedText.withPlainBlanks(block) { return plain.withUnsafeBufferPointer { take($0, report) } }
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
        for other in order {
            if let run = others.removeValue(forKey: other) { end(run, status: nil, report) }
        }
        if name != nil { end(current, status: nil, report) }
        (name, current, order, connections) = (nil, OpenRun(), [], DaemonConnections())
        lastPassed = []
        known.removeAll()
    }

    /// Whether the current run is within a text whose lines need not contain any known words.
    private var readsAll: Bool { name != nil && known.readsAll(current.place) }

    /// Passes over lines without known words.
    private mutating func pass(_ lines: Bytes) {
        if lines.isEmpty { return }
        // What a service says before git's message has none of these words.
        name = name ?? ""
        known.pass(lines, &current.place)
        keepLast(of: lines)
    }

    /// Keeps the beginning of the last line, for its time.
    private mutating func keepLast(of lines: Bytes) {
        var end = lines.count
        while end > 0, TranscriptScreen.endsLine(lines[end - 1]) { end -= 1 }
        let start = TranscriptScreen.lineStart(end, in: lines, from: 0)
        if start == end { return }
        lastPassed.removeAll(keepingCapacity: true)
        lastPassed += lines[start..<min(end, start + Self.prefixLength)]
    }

    /// The time of the line before this one, if that line was passed over.
    private func timeBefore() -> LogTime? {
        if lastPassed.isEmpty { return nil }
        var prefix = LogPrefix(String(decoding: lastPassed, as: UTF8.self), clock)
        prefix.read()
        return prefix.time
    }

    private mutating func read(_ raw: Bytes, _ report: (LoggedFailure) -> Void) {
        let outer = raw
        let raw = outer.withoutOuterBlanks
        if raw.isEmpty { return }
        let indent = outer.prefix { $0 == 0x20 || $0 == 0x09 }.count
        defer { lastPassed.removeAll(keepingCapacity: true) }
        for line in LogLine.all(in: String(decoding: raw, as: UTF8.self), clock) where !line.source.hasPrefix(Self.rsyncDaemon) {
            time = line.time ?? timeBefore() ?? time
            follow(runName(of: line), from: line.source, report)
            let before = current.time
            current.time = time
            current.lineCount += 1
            var failures: [RunFailure] = []
            known.take(line.text, indent: indent + line.indent, &current.place) { failures.append($0) }
            if !failures.isEmpty { current.held = nil }
            for failure in failures {
                Self.tell(failure, nil, &current, at: failure.endedBefore ? before : current.time, report)
            }
            if let status = line.status { endCurrent(status, report) }
        }
        if known.isFull { forgetKnown() }
    }

    /// The name of a line's run.
    private mutating func runName(of line: LogLine) -> String {
        if !line.source.isEmpty { return line.source }
        let (name, others) = (name, others)
        return connections.connection(of: line.text) { $0 == name || others[$0] != nil } ?? ""
    }

    /// Makes a run the current one.
    private mutating func follow(_ next: String, from source: String, _ report: (LoggedFailure) -> Void) {
        if name == next { return }
        reportHeld(report)
        if let run = others.removeValue(forKey: next) {
            keepCurrent()
            order.removeAll { $0 == next }
            current = run
        } else if name == DaemonConnections.unnamed, source.isEmpty, !next.isEmpty {
            // The lines before were about this connection.
        } else if source.isEmpty, !next.isEmpty, let run = others.removeValue(forKey: DaemonConnections.unnamed) {
            // So were the last lines of sshd, before other lines.
            keepCurrent()
            order.removeAll { $0 == DaemonConnections.unnamed }
            current = run
        } else {
            keepCurrent()
            if order.count == Self.maximumRuns, let run = others.removeValue(forKey: order.removeFirst()) {
                end(run, status: nil, report)
            }
            current = OpenRun(source: source)
        }
        name = next
    }

    private mutating func reportHeld(_ report: (LoggedFailure) -> Void) {
        guard let held = current.held, !known.run(at: current.place).hasFailure else { return }
        report(held)
        current.held = nil
    }

    private mutating func keepCurrent() {
        guard let name else { return }
        others[name] = current
        order.append(name)
    }

    /// Ends the current run. The one before it becomes the current one again.
    private mutating func endCurrent(_ status: Int, _ report: (LoggedFailure) -> Void) {
        end(current, status: status, report)
        name = order.popLast()
        current = name.flatMap { others.removeValue(forKey: $0) } ?? OpenRun()
    }

    private func end(_ open: OpenRun, status: Int?, _ report: (LoggedFailure) -> Void) {
        var open = open
        var run = known.run(at: open.place)
        var failures: [RunFailure] = []
        let last = run.end { failures.append($0) }
        if !failures.isEmpty || last != nil { open.held = nil }
        for failure in failures { Self.tell(failure, nil, &open, at: open.time, report) }
        if let last { Self.tell(last, status, &open, at: open.time, report) }
        if let held = open.held { report(held) }
    }

    /// Frees memory for the next lines.
    private mutating func forgetKnown() {
        known.detach(&current.place)
        for index in others.values.indices { known.detach(&others.values[index].place) }
        known.removeAll()
    }

    /// Reports a failure, unless it only repeats one that was reported a few lines before.
    private static func tell(
        _ failure: RunFailure, _ status: Int?, _ run: inout OpenRun, at time: LogTime?, _ report: (LoggedFailure) -> Void
    ) {
        let (code, lines) = (failure.verdict.error.code, run.lineCount)
        let isGuess = failure.verdict.error.confidence == .guess
        if failure.mayRepeat, let before = run.last, lines - before.line <= echoLines,
            failure.host.isEmpty || failure.host == before.host || before.host.isEmpty,
            code == before.code || isGuess && failure.rank.map({ $0 < .telling }) == true
        {
            run.last?.line = lines
            return
        }
        // A program that says only that ssh failed repeats what was said a few lines before, and a usage text follows its reason.
        if let before = run.last, failure.host.isEmpty || failure.host == before.host || before.host.isEmpty {
            if code == .connectFailed, isGuess, before.code != code, lines - before.line <= echoLines { return }
            if code == .localUsage, before.code == code, lines - before.line <= 2 { return }
        }
        // A library's exception, and no session was there to lose: the connection of the failure before it has ended.
        if failure.mayRepeat, let before = run.last, isGuess, code == .sessionConnectionLost, failure.host.isEmpty,
            [.hostKey, .key, .authentication, .keyExchange].contains(before.code.stage), lines - before.line <= echoLines
        {
            return
        }
        // No command runs after a failure of the connection: the command's own output told that one.
        if code == .commandExitNonzero, failure.mayRepeat, let before = run.last, failure.host.isEmpty,
            [.hostKey, .key, .authentication].contains(before.code.stage), lines - before.line <= echoLines
        {
            return
        }
        // The end of a connection through another ssh follows that ssh's own failure, and so does the message of the program
        // that ran it.
        let isWrapper = failure.rank == .wrapper
        // Such a message ends no run: other lines may have followed it.
        let line = isWrapper ? lines - failure.linesSince : lines
        if let before = run.last, line - before.line <= (isWrapper ? echoLines : 2), failure.host.isEmpty,
            isGuess || code == .connectProxyFailed, failure.rank.map({ $0 < .plain }) == true
        {
            return
        }
        run.last = (code, failure.host, lines)
        let logged = LoggedFailure(failure, status, run.source, time)
        if code == .authConnectionDropped, isGuess, lines == 1, logged.client == "sshd" {
            run.held = logged
        } else {
            report(logged)
        }
    }
}
