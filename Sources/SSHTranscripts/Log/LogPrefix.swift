/// What logs put before a line: a time, a pod, a process, a job.
struct LogPrefix {
    private(set) var rest: Substring
    private(set) var source = ""
    private(set) var time: LogTime?
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
        rest = rest.drop { $0 == " " || $0 == "\t" }
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
        guard let found = LogTimeParser.time(of: rest, clock) else { return }
        let end = rest.utf8.index(rest.startIndex, offsetBy: found.length)
        guard end < rest.endIndex, rest[end] == " " || rest[end] == "\t" else { return }
        time = found.time
        rest = rest[rest.index(after: end)...]
    }

    /// GitLab's stream behind the time: `01O …`, `01E+…`
    private mutating func readStream() {
        let mark = rest.utf8.prefix(4)
        guard time != nil, mark.count == 4, mark.prefix(2).allSatisfy({ (0x30...0x39).contains($0) }),
            mark.dropFirst(2).first.map({ $0 == UInt8(ascii: "O") || $0 == UInt8(ascii: "E") }) == true,
            mark.last.map({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "+") }) == true
        else { return }
        rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 4)...]
    }

    /// `box backup[412]: …` behind a time.
    private mutating func readProcess() {
        guard time != nil, source.isEmpty else { return }
        let words = rest.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasSuffix("]:"), let open = words[1].firstIndex(of: "["),
            words[1][words[1].index(after: open)...].dropLast(2).allSatisfy(\.isNumber)
        else { return }
        source = String(words[1].dropLast())
        rest = words[2]
    }

    /// GitHub's `##[error]`, `##[group]`, `##[debug]`.
    private mutating func readMarker() {
        guard rest.hasPrefix("##["), let close = rest.firstIndex(of: "]") else { return }
        rest = rest[rest.index(after: close)...]
    }
}
