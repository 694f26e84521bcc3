/// What one line of a client's output stands for.
struct TranscriptReading: Sendable {
    /// How much a line tells. The most telling line is the verdict; among equals the last.
    enum Rank: Int, Sendable, Comparable {
        /// It follows from something that an earlier line tells: `Connection closed by …`.
        case consequence
        /// How the connection ended, where nothing says why.
        case ending
        /// A failure, without its reason: `Host key verification failed.`
        case plain
        /// The reason itself.
        case telling

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    var rank: Rank
    /// What it is as evidence; host, port and user are filled in from the whole transcript.
    var evidence: Evidence
    /// How sure the words make it at most.
    var confidence: SSHError.Confidence
    /// What else the same words are said for.
    var alternatives: [String]
    /// Verdict and words, where the client does not print what the rules would need.
    var verdict: (@Sendable (Evidence) -> (SSHError.Code, Words))?

    init(
        _ rank: Rank, _ event: Evidence.Event, at stage: Stage, _ confidence: SSHError.Confidence = .exact,
        alternatives: [String] = [], _ change: (inout Evidence) -> Void = { _ in }
    ) {
        self.rank = rank
        self.confidence = confidence
        self.alternatives = alternatives
        evidence = Evidence(event: event, stage: stage)
        change(&evidence)
    }

    /// A reading whose code the words give directly.
    static func direct(
        _ rank: Rank, _ code: SSHError.Code, _ confidence: SSHError.Confidence = .exact, alternatives: [String] = [],
        say words: @escaping @Sendable (Evidence) -> Words
    ) -> Self {
        let stage = FailureCatalogue.row(code).stage
        var reading = Self(rank, .credentialsExhausted, at: stage, confidence, alternatives: alternatives)
        reading.verdict = { (code, words($0)) }
        return reading
    }

    /// A failed call of libssh2, or another library's failure of the same kind.
    static func call(_ rank: Rank, _ name: String, at stage: Stage, _ confidence: SSHError.Confidence, _ message: String) -> Self
    {
        Self(rank, .libraryFailed, at: stage, confidence) {
            $0.library = LibraryCall(function: "", code: 0, name: name, message: message)
        }
    }

    static func ended(
        _ rank: Rank, _ end: StreamEnd, at stage: Stage, _ confidence: SSHError.Confidence, alternatives: [String] = []
    ) -> Self {
        Self(rank, .streamEnded, at: stage, confidence, alternatives: alternatives) {
            $0.stream = end
            // Only ssh -v tells the first byte of it from the rest.
            $0.keyExchangeBegun = stage == .keyExchange
        }
    }
}

/// What the lines so far have told, beside the failure itself.
struct TranscriptFacts: Sendable {
    var host = ""
    var port: Int?
    var user = ""
    /// How far the connection had come, where a line tells.
    var stage: Stage?
    /// ssh prints one line an address.
    var addresses: [AddressFailure] = []
    /// The key that the server presented, and where another stands.
    var presentedType: String?
    var fingerprint: String?
    var hostKeyChanged = false
    /// A prompt was answered wrongly.
    var passwordRefused = false
    var keysOffered = false
    /// ssh looked for its default keys.
    var keysTried = false
    /// The server's part of key exchange had begun.
    var keyExchangeBegun = false
    /// The server said that it would take a key.
    var keyAccepted = false
    /// A credential was accepted and more was asked for.
    var partialSuccess = false
    /// What the server took before anything was offered to it.
    var methodsOffered: [String]?
    /// What the server said in place of its identification, as ssh -v shows it.
    private(set) var serverLines: [String] = []
    /// What the server said before it let anybody in.
    var banner = ""
    /// The method that was refused last, as a library's log names it.
    var methodRefused: String?
    /// A library could not read the server's identification.
    var identificationUnread = false
    /// The local address could not be used, or no socket made: the reason, for the line that only says `failure`.
    var localProblem: Int32?
    /// What follows is the output of a command that Ansible ran.
    var quotesCommand = false
    /// Where a Python library's exception came from.
    var python = PythonTraceback()
    /// Lines that no row knows: a banner's, a proxy's, the remote command's.
    var otherLines = LastLines()
    /// The last of all such lines that refuse an account, and that ask for another password.
    private(set) var accountDenied: String?
    private(set) var passwordExpired: String?
    /// The first of them in which a server that has too much to do turns a caller away.
    private(set) var busyLines: [String] = []
    /// Whether one of them is a proxy program's.
    private(set) var proxySpoke = false

    private static let busyWords = ["Exceeded MaxStartups", "Not allowed at this time"]
    private static let proxyWords = [
        "nc: ", "ncat: ", "netcat: ", "connect-proxy", "corkscrew", "socat", "exec: ", "command not found",
    ]
    /// What is looked for in a line that no row knows.
    static let tellingWords = AccountTexts.denied + AccountTexts.passwordExpired + busyWords + proxyWords

    /// A line that no row knows. One without any of the telling words may go to `otherLines` at once.
    mutating func noteOther(_ line: String) {
        var line = line
        line.withUTF8 { otherLines.append($0) }
        if AccountTexts.speaks(AccountTexts.denied, in: [line]) { accountDenied = line }
        if AccountTexts.speaks(AccountTexts.passwordExpired, in: [line]) { passwordExpired = line }
        if busyLines.count < Self.mostServerLines, Self.busyWords.contains(where: { line.mentions($0) }) {
            busyLines.append(line.cut(toBytes: 512))
        }
        proxySpoke = proxySpoke || Self.proxyWords.contains { line.mentions($0) }
    }

    /// As many lines before an identification as evidence keeps.
    private static let mostServerLines = 16

    /// What the server said in place of its identification.
    mutating func noteServerLine(_ line: String) {
        if serverLines.count < Self.mostServerLines { serverLines.append(line.cut(toBytes: 512)) }
    }

    mutating func note(_ captures: [String: String]) {
        if let host = captures["host"], !host.isEmpty { self.host = host }
        if let port = captures["port"].flatMap({ Int($0) }) { self.port = port }
        if let user = captures["user"], !user.isEmpty { self.user = user }
    }
}

/// One message of a client: what it looks like, where it stands in the source, and what it means.
struct TranscriptRow: Sendable {
    let template: TranscriptTemplate
    /// OpenSSH's file and the releases that print it, or the library that does.
    let source: String
    /// Whether the client ends after it, or only adds what follows from it.
    let ends: Bool
    /// Whether a library says it, in the program that uses it, and no client of its own.
    var isLibrary = false
    let read: @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?

    init(
        _ text: String, _ source: String, ends: Bool = false,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading? = { _, _ in nil }
    ) {
        template = TranscriptTemplate(text)
        self.source = source
        self.ends = ends
        self.read = read
    }

    /// A library's message. The exception that it names may be the cause of another one.
    static func library(
        _ text: String, _ source: String,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading? = { _, _ in nil }
    ) -> Self {
        var row = Self(text, source, ends: true, read)
        row.isLibrary = true
        return row
    }
}
