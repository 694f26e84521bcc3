/// A log of many runs, read as it grows: every failure of a client's own is reported once, when the client's last words have come.
///
/// A log may carry times, processes, pods and jobs before its lines, in the forms of syslog, the journal (also as JSON),
/// GitHub Actions, GitLab and Kubernetes; the lines of several processes may be mixed. No exit status is known of most runs, so
/// that no verdict is surer than `likely`.
public struct SSHTranscriptLog: Sendable {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The runs whose end has not come, by what wrote them.
    private var runs: [String: LoggedRun] = [:]
    /// Their order, the one that spoke last at the end.
    private var order: [String] = []
    /// What each source reported last, and how many lines had been read then.
    private var last: [String: (code: SSHError.Code, host: String, line: Int)] = [:]
    private var lines = 0
    private static let echoLines = 12
    private let clock: LogClock
    private var time: LogTime?

    /// Runs that are followed at a time.
    private static let most = 64

    /// A log of which nothing has been read.
    public init() { self.init(LogClock(now: LogTime(seconds: 4_102_444_800), offset: 0)) }

    /// A log whose times lack a year or a zone.
    package init(_ clock: LogClock) { self.clock = clock }

    /// Takes the next line, without its end; gives the failure that it completes, if it completes one.
    public mutating func take(_ line: String) -> SSHError? {
        var line = line
        var failure: SSHError?
        line.withUTF8 { take($0) { failure = failure ?? $0.error } }
        return failure
    }

    /// The failure of a run whose end is missing from the last lines, if there is one.
    public mutating func finish() -> SSHError? {
        var failure: SSHError?
        finish { failure = failure ?? $0.error }
        return failure
    }

    /// Takes whole lines as they were read, which need not be UTF-8, and reports the failures that they complete.
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

    /// Reports the failures whose end has not come.
    package mutating func finish(_ report: (LoggedFailure) -> Void) {
        for source in order { end(source, status: nil, report) }
        (runs, order, last) = ([:], [], [:])
    }

    /// Whether the run that spoke last is within something that has lines without any words of ours.
    private var readsAll: Bool { order.last.flatMap { runs[$0]?.readsAll } ?? false }

    /// Lines that say nothing of any client.
    private mutating func pass(_ lines: Bytes) {
        guard !lines.isEmpty, let source = order.last else { return }
        runs[source]?.reader.pass(lines)
    }

    private mutating func read(_ raw: Bytes, _ report: (LoggedFailure) -> Void) {
        let raw = raw.withoutOuterBlanks
        if raw.isEmpty { return }
        lines += 1
        for line in LogLine.all(in: String(decoding: raw, as: UTF8.self), clock) {
            time = line.time ?? time
            follow(line.source, report)
            runs[line.source]?.time = time
            var failures: [TranscriptReader] = []
            runs[line.source]?.take(line.text) { failures.append($0) }
            for reader in failures { tell(reader, nil, line.source, time, report) }
            if let status = line.status { end(line.source, status: status, report) }
        }
    }

    /// Makes a source the one that speaks.
    private mutating func follow(_ source: String, _ report: (LoggedFailure) -> Void) {
        if order.last == source { return }
        if runs[source] == nil {
            if order.count == Self.most { end(order.removeFirst(), status: nil, report) }
            runs[source] = LoggedRun()
        } else {
            order.removeAll { $0 == source }
        }
        order.append(source)
    }

    private mutating func end(_ source: String, status: Int?, _ report: (LoggedFailure) -> Void) {
        guard var run = runs.removeValue(forKey: source) else { return }
        order.removeAll { $0 == source }
        tell(run.end(), status, source, run.time, report)
        last[source] = nil
    }

    /// Reports a failure, unless it is a library's echo of what was reported a few lines before.
    private mutating func tell(
        _ reader: TranscriptReader, _ status: Int?, _ source: String, _ time: LogTime?, _ report: (LoggedFailure) -> Void
    ) {
        guard let failure = LoggedFailure(reader, status, source, time) else { return }
        let code = failure.error.code
        if reader.isLibrary, let before = last[source], lines - before.line <= Self.echoLines,
            failure.host.isEmpty || failure.host == before.host || before.host.isEmpty,
            code == before.code || failure.error.confidence == .guess && reader.reading.map({ $0.rank < .telling }) == true
        {
            last[source]?.line = lines
            return
        }
        // A connection through another ssh that has just told why it failed ends behind it.
        if let before = last[source], lines - before.line <= 2, failure.host.isEmpty, failure.error.confidence == .guess,
            reader.reading.map({ $0.rank < .plain }) == true
        {
            return
        }
        last[source] = (code, failure.host, lines)
        report(failure)
    }
}
