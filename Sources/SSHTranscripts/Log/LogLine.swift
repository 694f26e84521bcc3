/// A line of a log without what the log put around it.
struct LogLine: Sendable {
    var text: String
    /// The process, container or job that wrote it; empty where the log names none.
    var source = ""
    var time: LogTime?
    /// The status that a run ends with, where the line tells it.
    var status: Int?

    /// Words in a line that the rules of transcripts need not have: what a log itself says, and what JSON writes another way.
    static let words = RunEnd.words + ["Load key ", "│ "]

    /// The lines that one line of a log carries: several where an entry of the journal has several.
    static func all(in raw: String, _ clock: LogClock) -> [LogLine] {
        if raw.hasPrefix("{"), let entry = JournalEntry(raw) {
            return entry.message.split(whereSeparator: \.isNewline).map {
                LogLine(plain: TerminalCodes.removed(from: String($0)), source: entry.source, time: entry.time, clock)
            }
        }
        return [LogLine(plain: TerminalCodes.removed(from: raw), source: "", time: nil, clock)]
    }

    private init(plain: String, source: String, time: LogTime?, _ clock: LogClock) {
        var prefix = LogPrefix(plain, clock)
        prefix.read()
        text = String(prefix.rest)
        self.source = source.isEmpty ? prefix.source : source
        self.time = prefix.time ?? time
        status = RunEnd.status(in: text)
    }
}

/// What CI systems write where a step has ended.
enum RunEnd {
    static let words = ["Process completed with exit code ", "Job failed: exit "]

    static func status(in text: String) -> Int? {
        for word in words {
            guard let place = text.firstPlace(of: word) else { continue }
            // GitLab: `exit code 1` of a container, `exit status 1` of a shell.
            let digits = text[place.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
            return Int(digits.prefix(4))
        }
        return nil
    }
}
