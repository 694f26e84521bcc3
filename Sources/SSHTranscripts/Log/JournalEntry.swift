/// One entry of the journal (`journalctl -o json`), or a line of a container's log file.
struct JournalEntry {
    let message: String
    let source: String
    let time: LogTime?

    /// nil where the text is other JSON.
    init?(_ line: String) {
        guard line.mentions("\"MESSAGE\"") || line.mentions("\"log\""), case .members(let fields)? = JSONTree(line[...]) else {
            return nil
        }
        func text(_ name: String) -> String? {
            switch fields[name] {
            case .text(let text)?: text
            // A message that is no UTF-8, or has control bytes in it, comes as its bytes.
            case .elements(let bytes)?: Self.text(bytes)
            default: nil
            }
        }
        if let message = text("MESSAGE") {
            self.message = message
            let name = text("SYSLOG_IDENTIFIER") ?? text("_COMM") ?? text("_SYSTEMD_UNIT") ?? ""
            source = text("_PID").map { "\(name)[\($0)]" } ?? name
            time = text("__REALTIME_TIMESTAMP").flatMap(Double.init).map { LogTime(seconds: $0 / 1_000_000) }
        } else if let message = text("log") {
            self.message = message
            source = ""
            let utc = LogClock(now: LogTime(seconds: 0), offset: 0)
            time = text("time").flatMap { LogTimeParser.time(of: $0[...], utc)?.time }
        } else {
            return nil
        }
    }

    private static func text(_ bytes: [JSONTree]) -> String {
        let bytes = bytes.compactMap { value -> UInt8? in
            if case .number(let number) = value { UInt8(exactly: number) } else { nil }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
