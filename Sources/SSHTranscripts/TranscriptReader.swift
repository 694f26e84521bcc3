/// Reads the lines of one transcript.
struct TranscriptReader: Sendable {
    /// All rows; the first that fits a line reads it.
    static let rows =
        TranscriptAnsible.rows + TranscriptReach.rows + TranscriptTrust.rows + TranscriptAccess.rows + TranscriptLocal.rows
        + TranscriptParamiko.rows + TranscriptAsyncSSH.rows + TranscriptParallelSSH.rows + TranscriptLibSSH.rows
        + TranscriptPython.rows

    private(set) var facts = TranscriptFacts()
    private(set) var reading: TranscriptReading?
    /// The last line that a row read, and the last that none did: who spoke last.
    private(set) var lastKnown = -1
    private(set) var lastOther = -1
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

    private mutating func read(_ line: String) {
        guard let line = facts.python.read(line) else { return }
        if facts.quotesCommand, !AnsibleWords.endsQuote(line) {
            facts.noteOther(line)
            return
        }
        var next = 0
        while let index = candidates.next(from: next) {
            next = index + 1
            tries += 1
            let row = Self.rows[index]
            guard let found = row.template.match(line) else { continue }
            facts.note(found)
            account(in: line, found)
            let said = row.read(found, &facts)
            lastKnown = count
            // What a library logs on the way is no end.
            hasEnded = hasEnded || row.ends && (said != nil || !row.isLibrary)
            if let said, reading.map({ said.rank >= $0.rank }) ?? true {
                reading = said
                isLibrary = row.isLibrary
            }
            return
        }
        guard !Self.isAside(line) else { return }
        facts.noteOther(line)
        lastOther = count
    }

    /// `alice@web1: Permission denied (…)`, `user alice 192.0.2.1`.
    private mutating func account(in line: String, _ found: [String: String]) {
        if found["methods"] != nil, let end = line.firstPlace(of: ": Permission denied (") {
            let word = line[..<end.lowerBound].split(separator: " ").last ?? ""
            let parts = word.split(separator: "@", maxSplits: 1)
            if parts.count == 2 {
                facts.user = String(parts[0])
                facts.host = String(parts[1])
                noteHost()
            }
        }
        for lead in ["authenticating user ", "invalid user ", "user "] where facts.host.hasPrefix(lead) {
            let words = facts.host.dropFirst(lead.count).split(separator: " ")
            facts.user = words.first.map(String.init) ?? ""
            facts.host = words.last.map(String.init) ?? ""
            facts.stage = facts.stage ?? .authentication
        }
        if facts.host.hasPrefix("["), let close = facts.host.firstIndex(of: "]") {
            let port = facts.host[close...].dropFirst(2)
            if let number = Int(port) { facts.port = number }
            facts.host = String(facts.host[..<close].dropFirst())
        }
        if found["host"] != nil, !facts.host.isEmpty { noteHost() }
    }

    private mutating func noteHost() {
        if hosts.count < Self.mostHosts { hosts.insert(facts.host) }
    }

    /// Whether a line that no row reads is still no last word.
    static func isAside(_ line: String) -> Bool {
        RemoteText.isNoise(line) || LocalClient.isEpilogue(line) || asides.contains { line.hasPrefix($0) }
            || explanations.contains { line.hasPrefix($0) }
    }

    /// What ssh -v tells, and what is framed: the warnings' rows of @.
    static let asides = ["debug", "@"]

    /// The lines that OpenSSH prints around its warnings (sshconnect.c, authfile.c).
    static let explanations = [
        "IT IS POSSIBLE THAT", "Someone could be eavesdropping", "It is also possible that a host key",
        "Please contact your system",
        "Add correct host key in", "The fingerprint for", "Host key for ", "It is required that your private",
        "This private key will",
        "Are you sure you want", "This key is not known", "This host key is known", "  remove with:", "remove with:",
        "ssh-keygen -f", "Matching host key in", "Offending key for IP in", "Password authentication is disabled to avoid",
        "Keyboard-interactive authentication is disabled to avoid", "~/.ssh/known_hosts:", "This could mean that a stolen key",
        "**", "Shared connection to ", "Killed", "Connection to ",
        "Host key ", "ED25519 host key for", "ECDSA host key for", "RSA host key for", "If you still wish",
        "The revoked host key", "was revoked",
    ]

    /// The verdict that a reading leads to, no surer than `limit`.
    func verdict(_ reading: TranscriptReading, limit: (SSHError.Confidence, [String])) -> SSHError {
        var evidence = reading.evidence
        evidence.host = facts.host
        evidence.port = facts.port ?? 22
        evidence.user = facts.user
        if facts.quotesCommand {
            evidence.command?.standardErrorTail = String(facts.otherLines.last(100).joined(separator: "\n").suffix(8192))
        }
        let judged: SSHError
        if let verdict = reading.verdict {
            let (code, words) = verdict(evidence)
            judged = SSHError(
                code: code, message: words.message, hint: words.hint, confidence: .exact, alternatives: words.alternatives,
                retry: .advice(for: code, evidence), evidence: evidence)
        } else {
            judged = FailureClassifier.classify(evidence)
        }
        return judged.weakened(to: reading.confidence, adding: reading.alternatives).weakened(to: limit.0, adding: limit.1)
    }
}
