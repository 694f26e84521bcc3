/// A log of many runs, read line by line as it grows: every failure of a client's own is told once, when the client's last
/// words have come.
///
/// No exit status is known of any, so that no verdict is surer than `likely`.
public struct SSHTranscriptLog: Sendable {
    private var reader = TranscriptReader()
    private var lines = TranscriptLines()
    /// Whether the last line told a library's failure, which the next one may turn out to be the cause of another of.
    private var mayContinue = false

    /// A log of which nothing has been read.
    public init() {}

    /// Takes the next line, without its end; gives the failure that it completes, if it completes one.
    public mutating func take(_ line: String) -> SSHError? {
        var failure: SSHError?
        for part in lines.take(line) {
            if mayContinue, !reader.facts.python.isContinued(by: part) { failure = failure ?? end() }
            mayContinue = false
            reader.take(part)
            guard reader.hasEnded else { continue }
            if reader.isLibrary { mayContinue = true } else { failure = failure ?? end() }
        }
        return failure
    }

    /// The failure that the last lines told without an end, if they told one.
    public mutating func finish() -> SSHError? {
        lines.rest().forEach { reader.take($0) }
        return end()
    }

    private mutating func end() -> SSHError? {
        defer {
            reader = TranscriptReader()
            mayContinue = false
        }
        guard let reading = reader.reading else { return nil }
        return reader.verdict(reading, limit: (.likely, []))
    }
}
