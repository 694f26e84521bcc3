/// A line of a log, without the log's own additions.
struct LogLine: Sendable {
    var text: String
    /// The number of blanks before the text.
    var indent = 0
    /// The process, container or job that wrote it; empty if the log names none.
    var source = ""
    var time: LogTime?
    /// The exit status of a run, if the line gives it.
    var status: Int?

    /// Words of lines that must be read although no rule for transcripts needs them: a log's own words, and words that JSON
    /// escapes.
    static let words = RunEnd.words + PastedText.words + ["Load key ", "│ ", "sshd(pam_unix)["]

    /// The lines in one line of a log. A journal entry may have several.
    static func all(in raw: String, _ clock: LogClock) -> [LogLine] {
        if raw.hasPrefix("{"), let entry = JournalEntry(raw) {
            return entry.message.split(whereSeparator: \.isNewline).map {
                LogLine(plain: PastedText.plain(String($0)), source: entry.source, time: entry.time, clock)
            }
        }
        return [LogLine(plain: PastedText.plain(raw), source: "", time: nil, clock)]
    }

    private init(plain: String, source: String, time: LogTime?, _ clock: LogClock) {
        var prefix = LogPrefix(plain, clock)
        prefix.read()
        text = String(prefix.rest)
        indent = prefix.indent
        self.source = source.isEmpty ? prefix.source : source
        self.time = prefix.time ?? time
        status = RunEnd.status(in: text)
    }
}

/// The lines that CI systems write at the end of a step.
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

/// Reads the prefix of a log's line: a time, a pod, a process, a job.
struct LogPrefix {
    private(set) var rest: Substring
    private(set) var source = ""
    private(set) var time: LogTime?
    private(set) var indent = 0
    private let clock: LogClock

    init(_ line: String, _ clock: LogClock) {
        rest = line[...]
        self.clock = clock
    }

    mutating func read() {
        if rest.unicodeScalars.first == "\u{feff}" { rest = Substring(rest.unicodeScalars.dropFirst()) }
        readJob()
        readPod()
        readTime()
        readStream()
        readProcess()
        readMarker()
        let text = rest.drop { $0 == " " || $0 == "\t" }
        indent = rest.utf8.count - text.utf8.count
        rest = text
    }

    /// `gh run view --log`: `build<TAB>Deploy<TAB>2026-01-05T09:00:01Z …`
    private mutating func readJob() {
        guard rest.utf8.contains(UInt8(ascii: "\t")) else { return }
        let parts = rest.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, LogTimeParser.time(of: parts[2], clock) != nil else { return }
        source = "\(parts[0])/\(parts[1])"
        rest = parts[2]
    }

    /// `kubectl logs --prefix`: `[pod/deploy-7f9/app] …`
    private mutating func readPod() {
        guard rest.hasPrefix("[pod/"), let close = rest.firstIndex(of: "]") else { return }
        source = String(rest[rest.index(after: rest.startIndex)..<close].dropFirst("pod/".count))
        rest = rest[rest.index(after: close)...].drop { $0 == " " }
    }

    private mutating func readTime() {
        guard let found = LogTimeParser.time(of: rest, clock) else { return readClock() }
        let end = rest.utf8.index(rest.startIndex, offsetBy: found.length)
        guard end < rest.endIndex, rest[end] == " " || rest[end] == "\t" else { return }
        time = found.time
        rest = rest[rest.index(after: end)...]
    }

    /// A time without a day, as of Jenkins' Timestamper: `17:12:16 …`.
    private mutating func readClock() {
        let parts = rest.utf8.prefix(9)
        let colon = UInt8(ascii: ":")
        let isClock = zip(0..<8, parts).allSatisfy { $0 % 3 == 2 ? $1 == colon : (0x30...0x39).contains($1) }
        guard isClock, parts.count == 9, parts.last == UInt8(ascii: " ") else { return }
        rest = rest[parts.endIndex...]
    }

    /// GitLab's stream after the time: `01O …`, `01E+…`
    private mutating func readStream() {
        let mark = rest.utf8.prefix(4)
        guard time != nil, mark.count == 4, mark.prefix(2).allSatisfy({ (0x30...0x39).contains($0) }),
            mark.dropFirst(2).first.map({ $0 == UInt8(ascii: "O") || $0 == UInt8(ascii: "E") }) == true,
            mark.last.map({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "+") }) == true
        else { return }
        rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 4)...]
    }

    /// `box backup[412]: …` after a time.
    private mutating func readProcess() {
        guard time != nil, source.isEmpty else { return }
        let words = rest.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasSuffix("]:"), let open = words[1].firstIndex(of: "["),
            words[1][words[1].index(after: open)...].dropLast(2).allSatisfy(\.isNumber)
        else { return }
        source = String(words[1].dropLast())
        rest = words[2]
        readModule()
    }

    /// `sshd(pam_unix)[412]: authentication failure; …`, as Linux-PAM wrote before 0.99. Later it is
    /// `sshd[412]: pam_unix(sshd:auth): …`.
    private mutating func readModule() {
        guard let place = source.firstPlace(of: "(pam_"), let end = source[place.upperBound...].firstPlace(of: ")[") else {
            return
        }
        let (program, module) = (source[..<place.lowerBound], source[place.lowerBound..<end.lowerBound].dropFirst())
        rest = "\(module)(\(program):\(rest.hasPrefix("session ") ? "session" : "auth")): \(rest)"
        source = "\(program)[\(source[end.upperBound...])"
    }

    /// GitHub's `##[error]`, `##[group]`, `##[debug]`.
    private mutating func readMarker() {
        guard rest.hasPrefix("##["), let close = rest.firstIndex(of: "]") else { return }
        rest = rest[rest.index(after: close)...]
    }
}

/// One entry of the journal (`journalctl -o json`), or a line of a container's log file.
struct JournalEntry {
    let message: String
    let source: String
    let time: LogTime?

    /// Returns nil for other JSON.
    init?(_ line: String) {
        guard line.mentions("\"MESSAGE\"") || line.mentions("\"log\""), case .members(let fields)? = JSONTree(line[...]) else {
            return nil
        }
        func text(_ name: String) -> String? {
            switch fields[name] {
            case .text(let text)?: text
            // A message with control characters or invalid UTF-8 is an array of its bytes.
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
