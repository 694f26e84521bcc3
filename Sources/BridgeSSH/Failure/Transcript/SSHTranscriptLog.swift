/// A log of many runs, read line by line as it grows: every failure of a client's own is told once, when the client's last
/// words have come.
///
/// No exit status is known of any, so that no verdict is surer than `likely`.
public struct SSHTranscriptLog: Sendable {
    private var reader = TranscriptReader()
    private var text = ""

    /// A log of which nothing has been read.
    public init() {}

    /// Takes the next line, without its end; gives the failure that it completes, if it completes one.
    public mutating func take(_ line: String) -> SSHError? {
        for part in TranscriptLines.unpacked(line) {
            reader.take(part)
            text += part + "\n"
        }
        return reader.hasEnded ? finish() : nil
    }

    /// The failure that the last lines told without an end, if they told one.
    public mutating func finish() -> SSHError? {
        defer {
            reader = TranscriptReader()
            text = ""
        }
        guard let reading = reader.reading else { return nil }
        return reader.verdict(reading, limit: (.likely, []))
    }
}
