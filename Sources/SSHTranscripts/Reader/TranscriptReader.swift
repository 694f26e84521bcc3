/// Reads the lines of one transcript.
struct TranscriptReader: Sendable {
    private(set) var facts = TranscriptFacts()
    private(set) var reading: TranscriptReading?
    /// The last line that a row read, and the last that none did: who spoke last.
    private(set) var lastKnown = -1
    private(set) var lastOther = -1
    /// The line that gave the reading, and the one that says how the remote command ended.
    private(set) var readingLine = -1
    private(set) var endLine = -1
    /// Whether the client has ended.
    private(set) var hasEnded = false
    /// Whether a library said what the reading is of.
    private(set) var isLibrary = false
    /// The hosts that lines have named.
    private(set) var hosts: Set<String> = []
    private static let mostHosts = 256
    private var count = 0
    private var candidates = TranscriptScreen.shared.noCandidates
    /// How many rows were tried on lines.
    private(set) var tries = 0

    init() {}

    /// A reader of a whole text.
    init(_ text: String) {
        TranscriptLines.each(of: text) { take($0) }
    }

    /// The next line, without blanks around it.
    mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
        if line.isEmpty { return }
        count += 1
        candidates.removeAll()
        let sight = TranscriptScreen.shared.look(at: line, &candidates)
        if sight == .words || facts.python.isOpen { return read(String(decoding: line, as: UTF8.self)) }
        facts.python.pass()
        if facts.quotesCommand || sight == .nothing { facts.otherLines.append(line) }
        if !facts.quotesCommand, sight == .nothing { lastOther = count }
    }

    /// Lines in none of which there is anything to read.
    mutating func pass(_ lines: UnsafeBufferPointer<UInt8>) {
        count += 1
        lastOther = count
        facts.python.pass()
        // A proxy's last words are all that is asked for of such lines.
        var last: [Range<Int>] = []
        var end = lines.count
        while end > 0, last.count < 16 {
            var start = end
            while start > 0, !TranscriptScreen.endsLine(lines[start - 1]) { start -= 1 }
            last.append(start..<end)
            end = start - 1
        }
        for range in last.reversed() {
            let line = UnsafeBufferPointer(rebasing: lines[range]).withoutOuterBlanks
            if !line.isEmpty { facts.otherLines.append(line) }
        }
    }

    private mutating func read(_ line: String) {
        guard let line = facts.python.read(line) else { return }
        if facts.quotesCommand, !AnsibleWords.endsQuote(line) {
            facts.noteOther(line)
            return
        }
        guard facts.trace.isRunning, !line.hasPrefix("debug") else { return readRows(of: line) }
        // What the command printed last need not end its line.
        if let place = line.firstPlace(of: "debug1: "), !TranscriptTemplate.endsPrefix(line[..<place.lowerBound]) {
            facts.keep(String(line[..<place.lowerBound]))
            return readRows(of: String(line[place.lowerBound...]))
        }
        facts.keep(line)
        readRows(of: line)
    }

    private mutating func readRows(of line: String) {
        // What git shows of a hook on the server.
        if line.hasPrefix("remote: ") {
            facts.keep(line)
            lastOther = count
            return
        }
        let isDebug = line.hasPrefix("debug")
        var next = 0
        while let index = candidates.next(from: next) {
            next = index + 1
            tries += 1
            let row = TranscriptRows.all[index]
            // What ssh tells at -vvv on the way is no failure, though it is the same words.
            if isDebug, !row.isDebug { continue }
            guard let found = row.template.match(line) else { continue }
            return take(row, found, in: line)
        }
        guard !Asides.hold(line) else { return }
        if !facts.trace.isRunning { facts.noteOther(line) }
        lastOther = count
    }

    private mutating func take(_ row: TranscriptRow, _ found: [String: String], in line: String) {
        var noted = facts
        // Which user the command's output names is not known.
        if !facts.trace.isRunning {
            noted.note(found)
            noted.noteAccount(in: line, found)
        }
        let said = row.read(found, &noted)
        if noted.trace.end != facts.trace.end { endLine = count }
        let isOurs = said.map { facts.trace.admits($0.evidence.stage) } ?? (!facts.trace.isRunning)
        guard isOurs else {
            facts.trace = noted.trace
            if !line.hasPrefix("debug") { lastOther = count }
            return
        }
        if !facts.trace.isRunning, noted.trace.step >= .authenticated, facts.trace.step < .authenticated {
            noted.forgetGreeting()
        }
        facts = noted
        if found["host"] != nil || found["methods"] != nil, !facts.host.isEmpty, hosts.count < Self.mostHosts {
            hosts.insert(facts.host)
        }
        lastKnown = count
        // What a library logs on the way is no end.
        hasEnded = hasEnded || row.ends && (said != nil || !row.isLibrary)
        // What has been passed has not failed.
        if let reading, facts.trace.isPresent, !facts.trace.isRunning, !facts.trace.admits(reading.evidence.stage),
            !reading.asksForPassword
        {
            self.reading = nil
        }
        guard let said, reading.map({ said.outranks($0) }) ?? true else { return }
        reading = said
        readingLine = count
        isLibrary = row.isLibrary
    }

    /// The verdict that a reading leads to, no surer than `limit`.
    func verdict(_ reading: TranscriptReading, limit: (SSHError.Confidence, [String])) -> SSHError {
        var evidence = reading.evidence
        evidence.host = facts.host
        evidence.port = facts.port ?? 22
        evidence.user = facts.user
        if facts.quotesCommand {
            evidence.command?.standardErrorTail = String(facts.otherLines.last(100).joined(separator: "\n").suffix(8192))
        }
        // Words that another program could have written are ssh's where debug messages show how far ssh had come.
        let isProved = facts.isProved && !reading.isUnproved
        let confidence: SSHError.Confidence =
            reading.isUnproved && reading.confidence == .exact
            ? .likely : isProved && reading.confidence == .likely ? .exact : reading.confidence
        let judged: SSHError
        if let verdict = reading.verdict {
            let (code, words) = verdict(evidence)
            judged = SSHError(
                code: code, message: words.message, hint: words.hint, confidence: .exact, alternatives: words.alternatives,
                retry: .advice(for: code, evidence), evidence: evidence)
        } else {
            judged = SSHFailureClassifier.classify(evidence)
        }
        return judged.weakened(to: confidence, adding: reading.alternatives).weakened(to: limit.0, adding: limit.1)
    }
}
