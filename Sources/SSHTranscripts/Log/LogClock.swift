/// What a log's times leave out: the year of syslog's, the zone of those that name none.
package struct LogClock: Sendable {
    /// The moment of reading.
    package let now: LogTime
    /// Seconds by which local time is ahead of UTC.
    package let offset: Int

    package init(now: LogTime, offset: Int) {
        self.now = now
        self.offset = offset
    }

    /// The moment that a person names: a date, a date and a time, `today`, `yesterday`, or how long ago (`30m`, `2h`, `1d`);
    /// nil for other words.
    package func moment(_ text: String) -> LogTime? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), count >= 0 {
            return LogTime(seconds: now.seconds - Double(count) * unit)
        }
        let midnight = ((now.seconds + Double(offset)) / 86400).rounded(.down) * 86400 - Double(offset)
        if text == "today" { return LogTime(seconds: midnight) }
        if text == "yesterday" { return LogTime(seconds: midnight - 86400) }
        for filled in [text, text + ":00", text + " 00:00:00"] {
            if let found = LogTimeParser.time(of: filled[...], self), found.length == filled.utf8.count { return found.time }
        }
        return nil
    }
}
