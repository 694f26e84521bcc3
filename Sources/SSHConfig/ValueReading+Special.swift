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

    /// Of ProxyJump and ProxyCommand the first one counts, but a ProxyJump of none leaves room for a ProxyCommand.
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
        // A socket also joins a plain yes that stands before it.
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
                throw LineProblem("“\(pattern)” is not the name of an environment variable, nor a pattern of one")
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
