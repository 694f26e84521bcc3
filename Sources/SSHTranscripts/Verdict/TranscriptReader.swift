/// Reads the lines of one transcript.
struct TranscriptReader: Sendable {
    private(set) var facts = TranscriptFacts()
    private(set) var reading: TranscriptReading?
    /// The number of the last line that a row read, and of the last line that no row read.
    private(set) var (lastKnown, lastOther) = (-1, -1)
    /// The number of the line of the reading, and of the line that reports the end of the remote command.
    private(set) var readingLine = -1
    private(set) var endLine = -1
    /// Whether the client has ended.
    private(set) var hasEnded = false
    /// Whether a library wrote the line of the reading.
    private(set) var isLibrary = false
    /// The hosts in the lines so far.
    private(set) var hosts: Set<String> = []
    private static let maximumHosts = 256
    private var count = 0
    /// The client that wrote the line that was read.
    private var speaker = ""
    /// The host, port and user at the time of the reading. Later lines may be about another run.
    private(set) var place: (host: String, port: Int?, user: String) = ("", nil, "")
    /// A reading that counts only if a line of its library family follows, and the number of its line.
    private var pending: (reading: TranscriptReading, line: Int)?
    private static let pendingLines = 60
    private static let openSSH = "openssh"
    private var wrappedLine: WrappedLine?
    /// Whether the current lines are in the frame of a banner.
    private var isFramed = false
    /// The largest number of messages in one line.
    private static let maximumMessages = 8
    private let screen: TranscriptScreen
    private var candidates: CandidateRows
    /// The rules, other than rows, whose words occur in the line.
    private var marks: LineMarks = []
    /// The number of rows tried so far.
    private(set) var tries = 0

    init(_ screen: TranscriptScreen = .shared) {
        self.screen = screen
        candidates = screen.noCandidates
    }

    /// Reads a whole text of `program`, started by `command`. Both may be empty if unknown.
    init(_ text: String, _ screen: TranscriptScreen = .shared, program: String = "", of command: String = "") {
        self.init(screen)
        facts.program = program
        facts.isOverSSH = command.mentions("sftp://") || command.mentions("scp://")
        facts.isOtherProtocol = command.mentions("rsync://")
        TranscriptLines.each(of: PastedText.plain(text)) { take($0) }
    }

    /// Whether the run has reported a failure.
    var hasFailure: Bool { reading != nil || facts.isUnreachable }

    /// Whether the last line belongs to the same run as the lines of `other`, which has not read it: the same library and host.
    func adds(to other: Self) -> Bool {
        guard lastKnown == count, isLibrary, speaker == other.speaker || speaker.isEmpty || other.speaker.isEmpty else {
            return false
        }
        return facts.host.isEmpty || other.facts.host.isEmpty || facts.host == other.facts.host
    }

    /// The number of lines after the one of the reading.
    var linesSinceReading: Int { readingLine < 0 ? 0 : count - readingLine }

    /// Whether it has read no line.
    var isUnused: Bool { count == 0 }

    /// Whether the next line must be read in any case.
    var isHolding: Bool { wrappedLine != nil }

    /// The client that reported the failure, with its version if known: `openssh 9.2`. Nil if unknown.
    var client: String? {
        if reading != nil { return facts.client(speaker) }
        return facts.trace.isPresent ? facts.client(Self.openSSH) : nil
    }

    /// Reads the next line, which must be trimmed.
    mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
        if line.isEmpty { return }
        count += 1
        candidates.removeAll()
        let sight = screen.look(at: line, &candidates, &marks)
        if sight == .words || facts.python.isOpen || isHolding { return readParts(of: String(decoding: line, as: UTF8.self)) }
        facts.python.pass()
        hold(line)
        if facts.quotesCommand || sight == .nothing { facts.otherLines.append(line) }
        if !facts.quotesCommand, sight == .nothing, lastOther > lastKnown || !facts.isOver(at: line) { lastOther = count }
    }

    /// Keeps a line without known words if a message may begin in it: it is as long as a terminal is wide.
    private mutating func hold(_ line: UnsafeBufferPointer<UInt8>) {
        guard Wrapping.isFull(line.count), !facts.trace.isPresent, !facts.quotesCommand else { return }
        let text = String(decoding: line, as: UTF8.self)
        wrappedLine = WrappedLine(text: text, last: text)
    }

    /// Passes over lines without known words.
    mutating func pass(_ lines: UnsafeBufferPointer<UInt8>) {
        count += 1
        if lastOther > lastKnown || !facts.isOver(at: lines) { lastOther = count }
        wrappedLine = nil
        facts.python.pass()
        // Only the last lines of a proxy are needed.
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
        if let range = last.first { hold(UnsafeBufferPointer(rebasing: lines[range]).withoutOuterBlanks) }
    }

    private mutating func readParts(of line: String) {
        let first = wrappedLine
        wrappedLine = nil
        let isQuiet = facts.quotesCommand || facts.trace.isRunning
        if !isQuiet {
            let texts = JSONTexts.lines(in: line)
            for text in texts.flatMap(EscapedLines.split) {
                look(at: text)
                read(text)
            }
            if lastKnown == count { return }
            if !texts.isEmpty { look(at: line) }
        }
        let line = Emphasis.removed(from: line)
        let parts = isQuiet ? [line] : PythonTraceback.lines(in: line) ?? EscapedLines.split(line)
        guard parts.count > 1 || parts.first != line else {
            let hadReading = reading != nil
            read(line)
            // A line that takes the reading back is no rest of another.
            let isTakenBack = hadReading && reading == nil
            if let first, lastKnown < count, !isTakenBack, !Echoes.contains(line) { readJoined(first, line) }
            return
        }
        for part in parts {
            look(at: part)
            read(part)
        }
    }

    private mutating func look(at line: String) {
        candidates.removeAll()
        var line = line
        line.withUTF8 { _ = screen.look(at: $0, &candidates, &marks) }
    }

    /// Reads a line that no row has read as the rest of the line before it.
    private mutating func readJoined(_ first: WrappedLine, _ line: String) {
        let fits = Wrapping.joins(first.last, line)
        if first.readAt != nil, !fits { return }
        var best: (reader: Self, text: String)?
        for text in Wrapping.joined(first.text, first.last, line) {
            var reader = self
            guard reader.readWhole(text, first) else { continue }
            let tellsMore = best.map { reader.tellsMore(than: $0.reader, known: first.readAt == nil ? nil : code) }
            if tellsMore ?? true { best = (reader, text) }
        }
        if let best {
            self = best.reader
            wrappedLine = WrappedLine(text: best.text, last: line, readAt: first.readAt ?? count, addresses: first.addresses)
            return
        }
        // The rest may have been wrapped once more.
        guard fits, first.text.utf8.count < WrappedLine.maximumLength else { return }
        wrappedLine = WrappedLine(text: first.text + " " + line, last: line, readAt: first.readAt, addresses: first.addresses)
    }

    /// The code of the current reading.
    private var code: SSHError.Code? { reading.map { verdict($0, limit: (.exact, [])).code } }

    /// Whether this reading is better than another: more specific, more certain, or with a code that is not known yet.
    ///
    /// - Parameter known: the code so far. It takes a verdict, which most comparisons do not need.
    private func tellsMore(than other: Self, known: @autoclosure () -> SSHError.Code?) -> Bool {
        guard let mine = reading, let theirs = other.reading else { return reading != nil }
        if mine.rank != theirs.rank { return mine.rank > theirs.rank }
        if mine.confidence != theirs.confidence { return mine.confidence.rank < theirs.confidence.rank }
        let known = known() ?? .connectFailed
        return code != known && other.code == known
    }

    /// Reads the text of several lines. It replaces the reading of the first of them.
    private mutating func readWhole(_ text: String, _ first: WrappedLine) -> Bool {
        look(at: text)
        let before = self
        if let readAt = first.readAt, readingLine >= readAt { reading = nil }
        if first.readAt != nil { facts.addresses = first.addresses }
        var next = 0
        while let index = candidates.next(from: next) {
            next = index + 1
            let row = screen.rows[index]
            guard !row.isDebug, let found = row.template.find(text), take(row, found.values, in: text) else { continue }
            if first.readAt == nil || reading != nil { return true }
            break
        }
        self = before
        return false
    }

    private mutating func read(_ line: String) {
        if marks.contains(.family) { facts.noteFamilies(in: line) }
        if let waiting = pending {
            if let family = waiting.reading.needs, facts.speakers[family] != nil {
                pending = nil
                accept(waiting.reading, of: "", isLibrary: true, in: line)
                hasEnded = true
            } else if count - waiting.line > Self.pendingLines {
                pending = nil
            }
        }
        var line = line
        if facts.python.isOpen || marks.contains(.python) {
            guard let rest = facts.python.read(line) else {
                // The end of a traceback may be missing.
                if let said = facts.python.tentative?.sayingLittle, reading.map({ $0.rank == .wrapper && $0.saysLittle }) ?? true
                {
                    accept(said, of: facts.python.library, isLibrary: true, in: line)
                }
                return
            }
            if rest.utf8.count != line.utf8.count { look(at: rest) }
            line = rest
        } else {
            facts.python.pass()
        }
        if facts.quotesCommand, !AnsibleMessages.endsQuote(line) {
            facts.noteOther(line, marks)
            return
        }
        guard facts.trace.isRunning, !VerboseTrace.isDebug(line) else { return readRows(of: line) }
        // The command's last output need not end with a line feed.
        if let place = line.firstPlace(of: "debug1: "), !TranscriptTemplate.endsPrefix(line[..<place.lowerBound]) {
            facts.keep(String(line[..<place.lowerBound]))
            return readRows(of: String(line[place.lowerBound...]))
        }
        facts.keep(line)
        readRows(of: line)
    }

    private mutating func readRows(of line: String, depth: Int = 0) {
        let isRemote = GitRemote.isMessage(line) && facts.program != "hg"
        if isRemote, candidates.isNone {
            facts.keep(line)
            lastOther = count
            return
        }
        isFramed = Greeting.goesOn(in: line, isFramed)
        // The lines after it repeat others, too.
        let isEcho = marks.contains(.echo) && Echoes.contains(line, isFirst: lastKnown < 0)
        if isEcho { facts.mayRepeat = true }
        let isDebug = VerboseTrace.isDebug(line)
        var next = 0
        if !isDebug, !candidates.isNone,
            isFramed || isEcho || QuotedMessages.contains(line, marks) || QuotedMessages.isListed(line, after: facts.otherLines)
                || QuotedMessages.isItem(line, after: facts.otherLines)
        {
            if !facts.trace.isRunning { facts.noteOther(line, marks) }
            lastOther = count
            return
        }
        let mayGoOn = !isDebug && !candidates.isNone && !facts.trace.isPresent && WrappedLine.lengths.contains(line.utf8.count)
        let before = facts.addresses
        while let index = candidates.next(from: next) {
            next = index + 1
            tries += 1
            let row = screen.rows[index]
            // At -vvv ssh logs the same words without a failure.
            if isDebug, !row.isDebug { continue }
            if isRemote, row.client != WrapperFormat.service { continue }
            guard let found = row.template.find(line) else { continue }
            guard take(row, found.values, in: line) else { continue }
            // Node's error of a program has the words that the program printed before.
            if row.client == Self.openSSH, line.hasPrefix("Error: ") { facts.mayRepeat = true }
            if facts.isCutShort {
                facts.isCutShort = false
                wrappedLine = WrappedLine(text: line, last: line)
            } else if depth == 0, mayGoOn {
                wrappedLine = WrappedLine(text: line, last: line, readAt: count, addresses: before)
            }
            // Another sentence, with or without a blank before it.
            let rest = String(found.rest.drop { ".;,:".contains($0) }.drop { $0 == " " })
            if rest.utf8.count < found.rest.utf8.count, rest.utf8.count > 7, depth < Self.maximumMessages,
                !facts.trace.isRunning
            {
                // Two messages about one end, pasted without a line end.
                if case .streamEnded? = reading?.evidence.event, rest.hasPrefix("Connection ") { return }
                look(at: rest)
                if !candidates.isNone { readRows(of: rest, depth: depth + 1) }
            }
            return
        }
        if isRemote { facts.keep(line) }
        if depth > 0 { return }
        if !isDebug, !isRemote, !facts.trace.isPresent, let reading = UnknownClient.reading(of: line, marks) {
            let row = TranscriptRow.library("{line}", "common English") { _, _ in reading }
            if take(row, [:], in: line) { return }
        }
        // A program said that ssh failed, and gives the reason in the next lines.
        if !isDebug, !isRemote, let vague = reading, vague.saysLittle, vague.rank == .wrapper, count - readingLine <= 3,
            code == .connectFailed, let reading = UnknownClient.reason(in: line)
        {
            let row = TranscriptRow.library("{line}", "common English") { _, _ in reading }
            if take(row, [:], in: line) { return }
        }
        if mayGoOn, !isRemote { wrappedLine = WrappedLine(text: line, last: line) }
        guard !marks.contains(.noise) || !NoiseLines.contains(line) else { return }
        if !facts.trace.isRunning, !isRemote { facts.noteOther(line, marks) }
        lastOther = count
    }

    /// Lets a row read a line. Returns false if the text is another client's.
    private mutating func take(_ row: TranscriptRow, _ found: [String: String], in line: String) -> Bool {
        var noted = facts
        // The command's output may name any user.
        if !facts.trace.isRunning, !row.onlyNotesFacts {
            noted.note(found)
            noted.noteAccount(in: line, found)
        }
        let said = row.read(found, &noted)?.placed(at: row.isLibrary ? noted.stage : nil)
        if noted.isDeclined { return false }
        if let stage = reading?.evidence.stage, noted.passed.contains(stage), !hasEnded { reading = nil }
        noted.passed = []
        if row.onlyNotesFacts {
            facts = noted
            facts.isPastLogin = false
            guard noted.isPastLogin, let placed = reading?.pastLogin else { return false }
            (reading, lastKnown) = (placed, count)
            return true
        }
        if noted.hasRecovered {
            noted.hasRecovered = false
            facts = noted
            (reading, pending, lastKnown, hasEnded) = (nil, nil, count, false)
            return true
        }
        if said?.needs == .java, noted.isOtherProtocol { return false }
        if let said, let family = said.needs, noted.speakers[family] == nil, !family.speaks(in: line) {
            // The reading counts once a line of the library has come. Until then any program may have written the line.
            // Several rows may read one line.
            let isOutranked = pending.map { $0.line == count && !said.outranks($0.reading) } ?? false
            if !family.countsInLineOnly, !isOutranked { pending = (said, count) }
            return false
        }
        if noted.trace.end != facts.trace.end { endLine = count }
        let isOurs = said.map { facts.trace.admits($0.evidence.stage) } ?? (!facts.trace.isRunning)
        guard isOurs else {
            facts.trace = noted.trace
            if !VerboseTrace.isDebug(line) { lastOther = count }
            return true
        }
        if !facts.trace.isRunning, noted.trace.step >= .authenticated, facts.trace.step < .authenticated {
            noted.forgetGreeting()
        }
        facts = noted
        if found["host"] != nil || found["methods"] != nil, !facts.host.isEmpty, hosts.count < Self.maximumHosts {
            hosts.insert(facts.host)
        }
        lastKnown = count
        // A library's progress message is not the end of a run, and neither is one of several attempts. A program's message about
        // another program's failure waits for that program's own message.
        let isEnd = row.ends && (said.map { $0.rank > .wrapper } ?? !row.isLibrary) && !facts.isCutShort
        hasEnded = hasEnded || isEnd && !(row.isLibrary && Retries.contains(line))
        // A stage that was completed has not failed.
        if let reading, facts.trace.isPresent, !facts.trace.isRunning, !facts.trace.admits(reading.evidence.stage),
            !reading.asksForPassword
        {
            self.reading = nil
        }
        if let said { accept(said, of: row.client, isLibrary: row.isLibrary, in: line) }
        return true
    }

    /// Makes the line's reading the current one, if it outranks the previous one.
    private mutating func accept(_ said: TranscriptReading, of client: String, isLibrary: Bool, in line: String) {
        guard reading.map({ said.outranks($0) }) ?? true else {
            if let placed = reading?.placed(by: said) { reading = placed }
            return
        }
        // ssh was refused and its last message is missing: the program that ran it knows only that it ended.
        if said.rank == .wrapper, said.evidence.stage == .connect, facts.passwordRefused {
            reading = .refused("password", .guess, alternatives: said.alternatives)
        } else {
            reading = said
        }
        readingLine = count
        place = (facts.host, facts.port, facts.user)
        self.isLibrary = isLibrary
        speaker = client == Self.openSSH && ["sshd[", "[preauth]", "[postauth]"].contains { line.mentions($0) } ? "sshd" : client
        // A network error does not name the library.
        if let family = said.needs { speaker = facts.speakers[family] ?? family.client(in: line) ?? family.unknownClient }
    }
}
