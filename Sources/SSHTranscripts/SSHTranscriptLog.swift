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
        var line = line
        return line.withUTF8 { take($0) }
    }

    /// The same with a line as it was read, which need not be UTF-8.
    package mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> SSHError? {
        let line = line.withoutOuterBlanks
        var failure: SSHError?
        if lines.isWhole(line) {
            read(line, &failure)
        } else {
            for var part in lines.keep(line) { part.withUTF8 { read($0, &failure) } }
        }
        return failure
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>, _ failure: inout SSHError?) {
        if line.isEmpty { return }
        if mayContinue, !reader.facts.python.isContinued(by: String(decoding: line, as: UTF8.self)) {
            failure = failure ?? end()
        }
        mayContinue = false
        reader.take(line)
        guard reader.hasEnded else { return }
        if reader.isLibrary { mayContinue = true } else { failure = failure ?? end() }
    }

    /// The failure that the last lines told without an end, if they told one.
    public mutating func finish() -> SSHError? {
        for var line in lines.rest() { line.withUTF8 { reader.take($0) } }
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
