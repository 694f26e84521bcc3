/// One line that sets something: its value is checked whether or not the line applies.
struct ValueReading {
    let name: String
    let rule: ValueRule
    let line: ConfigurationLine
    let place: SSHConfigPlace
    let isActive: Bool
    let isUsers: Bool
    let context: SSHConfigContext
    private var arguments: ArraySlice<String>

    /// As ssh(1) has it for identities and certificates alike.
    private static let maximumPaths = 100

    init(
        name: String, rule: ValueRule, line: ConfigurationLine, place: SSHConfigPlace, isActive: Bool, isUsers: Bool,
        context: SSHConfigContext
    ) {
        self.name = name
        self.rule = rule
        self.line = line
        self.place = place
        self.isActive = isActive
        self.isUsers = isUsers
        self.context = context
        arguments = line.arguments[...]
    }

    mutating func apply(to settings: inout SettingStore) throws(LineProblem) {
        switch rule {
        case .flag: set(try choice(["yes": "yes", "true": "yes", "no": "no", "false": "no"]), &settings)
        case .choice(let choices): set(try choice(choices), &settings)
        case .integer: set("\(try ConfigurationNumbers.integer(next()))", &settings)
        case .time: try applyTime(&settings)
        case .word: set(try word(), &settings)
        case .agentPath: set(try agentPath(try word()), &settings)
        case .words(let most): try applyWords(most, &settings)
        case .path: try applyPath(&settings)
        case .command: set(restOfLine(), &settings)
        case .algorithms(let kind): set(try AlgorithmSpecification(try word(), kind).text, &settings)
        case .special(let keyword): try applySpecial(keyword, &settings)
        case .ignored: break
        }
        guard arguments.isEmpty else {
            throw LineProblem("\(line.keyword) takes no “\(arguments.joined(separator: " "))”; remove it, or quote the value")
        }
    }

    // MARK: Parts

    mutating func next() -> String? { arguments.popFirst() }

    var hasMore: Bool { !arguments.isEmpty }

    /// A word that must be there.
    mutating func word() throws(LineProblem) -> String {
        guard let word = next(), !word.isEmpty else { throw LineProblem("\(line.keyword) has no value") }
        return word
    }

    /// The rest of the line, unchanged, without a leading `=`.
    mutating func restOfLine() -> String {
        arguments = []
        return String(decoding: line.rest.drop { ConfigurationLine.isSpace($0) || $0 == UInt8(ascii: "=") }, as: UTF8.self)
    }

    /// The words of the rest of the line, joined by blanks; at least one.
    mutating func restOfSentence() throws(LineProblem) -> String {
        let sentence = arguments.joined(separator: " ")
        arguments = []
        guard !sentence.isEmpty else { throw LineProblem("\(line.keyword) has no value") }
        return sentence
    }

    func set(_ value: String, _ settings: inout SettingStore) { set([value], &settings) }

    func set(_ values: [String], _ settings: inout SettingStore) {
        if isActive { settings.set(name, values, at: place) }
    }

    mutating func choice(_ choices: [String: String]) throws(LineProblem) -> String {
        let word = try word()
        guard let value = choices[word.lowercasedASCII] else {
            throw LineProblem("\(line.keyword) cannot be \(word); it can be \(choices.keys.sorted().joined(separator: ", "))")
        }
        return value
    }

    /// A path, or an environment variable that holds one; one in braces must be set.
    func agentPath(_ word: String) throws(LineProblem) -> String {
        _ = try TokenExpansion(tokens: [:], variable: context.variable).expand(word.replacing("%", with: "%%"))
        if word.hasPrefix("$"), !word.hasPrefix("${") {
            let isName = { (byte: UInt8) in
                byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte.lowercasedASCII)
            }
            guard word.utf8.count > 1, word.utf8.dropFirst().allSatisfy(isName) else {
                throw LineProblem("\(word) is not the name of an environment variable")
            }
        }
        return word
    }

    // MARK: Rules

    mutating func applyTime(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        if word == "none" { return }
        guard let seconds = ConfigurationNumbers.seconds(word) else {
            throw LineProblem("\(word) is not a time; write seconds, or units as in 1m30s")
        }
        set("\(seconds)", &settings)
    }

    private mutating func applyWords(_ most: Int, _ settings: inout SettingStore) throws(LineProblem) {
        var words: [String] = []
        while hasMore { words.append(try listed(words)) }
        guard !isActive || settings.isSet(name) || words.count <= most else {
            throw LineProblem("\(line.keyword) names more than \(most) files")
        }
        set(words, &settings)
    }

    /// A word of a list in which `none` must be the only word.
    mutating func listed(_ before: [String]) throws(LineProblem) -> String {
        let word = try word()
        guard word.lowercasedASCII != "none" || (before.isEmpty && !hasMore) else {
            throw LineProblem("none must be the only word of \(line.keyword)")
        }
        return word
    }

    private mutating func applyPath(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        guard isActive else { return }
        guard settings.values[name]?.count ?? 0 < Self.maximumPaths else {
            throw LineProblem("there are more than \(Self.maximumPaths) of \(line.keyword)")
        }
        settings.appendPath(name, word, isUsers: isUsers, at: place)
    }
}

/// The keywords with rules of their own.
extension ValueReading {
    mutating func applySpecial(_ keyword: SpecialKeyword, _ settings: inout SettingStore) throws(LineProblem) {
        switch keyword {
        case .host, .match, .include: break
        case .port: try applyPort(&settings)
        case .proxyCommand, .proxyJump: try applyProxy(keyword, &settings)
        case .logLevel: set(try choice(Self.logLevels), &settings)
        case .syslogFacility:
            // ssh(1) takes it from sections that do not match, too.
            settings.set(name, try choice(Self.facilities), at: place)
        case .escapeChar: set(try EscapeCharacter.printed(word()), &settings)
        case .forwardAgent: try applyForwardAgent(&settings)
        case .addKeysToAgent: try applyAddKeys(&settings)
        case .sendEnv: try applySendEnv(&settings)
        case .setEnv: try applySetEnv(&settings)
        default: try applyOther(keyword, &settings)
        }
    }

    private static let logLevels = [
        "quiet": "SILENT", "silent": "SILENT", "fatal": "FATAL", "error": "ERROR", "info": "INFO", "verbose": "VERBOSE",
        "debug": "DEBUG",
        "debug1": "DEBUG", "debug2": "DEBUG2", "debug3": "DEBUG3",
    ]

    private static let facilities: [String: String] = {
        let names = ["DAEMON", "USER", "AUTH", "AUTHPRIV"] + (0...7).map { "LOCAL\($0)" }
        return Dictionary(uniqueKeysWithValues: names.map { ($0.lowercasedASCII, $0) })
    }()

    private mutating func applyPort(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        guard let port = ConfigurationNumbers.port(word, service: context.port) else {
            throw LineProblem("\(word) is not a port; write a number from 1 to 65535")
        }
        set("\(port)", &settings)
    }

    /// Of ProxyJump and ProxyCommand the first one counts, but a ProxyJump of none still allows a ProxyCommand.
    private mutating func applyProxy(_ keyword: SpecialKeyword, _ settings: inout SettingStore) throws(LineProblem) {
        let hasJump = settings.first("proxyjump").map { keyword == .proxyJump || $0 != "none" } ?? false
        let isFirst = !settings.isSet("proxycommand") && !hasJump
        let text = restOfLine()
        guard keyword == .proxyJump else {
            if isFirst { set(text, &settings) }
            return
        }
        let jump = try JumpSpecification.normalised(text, isOption: place.line == 0, service: context.port)
        if isFirst { set(jump, &settings) }
    }

    private mutating func applyForwardAgent(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        if let flag = ["yes": "yes", "true": "yes", "no": "no", "false": "no"][word.lowercasedASCII] {
            return set(flag, &settings)
        }
        let path = try agentPath(word)
        set("yes", &settings)
        // A socket also joins a plain yes before it.
        if isActive { settings.set("forwardagent socket", path, at: place) }
    }

    private mutating func applyAddKeys(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        let flags = ["yes": "true", "true": "true", "no": "false", "false": "false", "ask": "ask", "confirm": "confirm"]
        let flag = flags[word.lowercasedASCII]
        guard let time = next() else {
            if let flag { return set(flag, &settings) }
            guard let seconds = ConfigurationNumbers.seconds(word) else {
                throw LineProblem("\(line.keyword) cannot be \(word); it can be yes, no, ask, confirm or a time")
            }
            return set(seconds == 0 ? "true" : "\(seconds)", &settings)
        }
        guard flag == "confirm", let seconds = ConfigurationNumbers.seconds(time) else {
            throw LineProblem("only confirm of \(line.keyword) takes a second word, which is a time")
        }
        set(seconds == 0 ? "confirm" : "confirm \(seconds)", &settings)
    }

    /// Names accumulate, `-` in front removes those that match.
    private mutating func applySendEnv(_ settings: inout SettingStore) throws(LineProblem) {
        while let pattern = next() {
            guard !pattern.isEmpty, !pattern.contains("=") else {
                throw LineProblem("“\(pattern)” is neither the name of an environment variable nor a pattern")
            }
            guard isActive else { continue }
            if pattern.hasPrefix("-") {
                settings.remove(name) { Pattern.fits(pattern.dropFirst(), $0) }
            } else {
                settings.append(name, pattern, at: place)
            }
        }
    }

    /// The first line with any counts, and in it the first of a name.
    private mutating func applySetEnv(_ settings: inout SettingStore) throws(LineProblem) {
        var assignments: [String] = []
        while let assignment = next() {
            guard let equals = assignment.firstIndex(of: "=") else {
                throw LineProblem("“\(assignment)” sets nothing; write NAME=VALUE")
            }
            let prefix = assignment[...equals]
            if !assignments.contains(where: { $0.hasPrefix(prefix) }) { assignments.append(assignment) }
        }
        set(assignments, &settings)
    }
}

/// `EscapeChar`, as vis(3) prints it.
enum EscapeCharacter {
    static func printed(_ word: String) throws(LineProblem) -> String {
        if word == "none" { return word }
        let bytes = Array(word.utf8)
        let code: UInt8
        if bytes.count == 1 {
            code = bytes[0]
        } else if bytes.count == 2, bytes[0] == UInt8(ascii: "^"), (64..<128).contains(bytes[1]) {
            code = bytes[1] & 31
        } else {
            throw LineProblem("\(word) is not an escape character; write one character, ^ and a letter, or none")
        }
        switch code {
        case 0x20: return "\\040"
        case UInt8(ascii: "\\"): return "\\\\"
        case 0..<0x20: return "\\^" + String(UnicodeScalar(code + 64))
        case 0x7F: return "\\^?"
        default: return String(UnicodeScalar(code))
        }
    }
}
