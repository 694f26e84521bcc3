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
    private static let mostPaths = 100

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

    /// The rest of the line as it was written, an `=` before it taken off.
    mutating func restOfLine() -> String {
        arguments = []
        return String(decoding: line.rest.drop { ConfigurationLine.isSpace($0) || $0 == UInt8(ascii: "=") }, as: UTF8.self)
    }

    /// The words of the rest of the line with blanks between; there must be one.
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

    /// A word of a list in which `none` stands alone.
    mutating func listed(_ before: [String]) throws(LineProblem) -> String {
        let word = try word()
        guard word.lowercasedASCII != "none" || (before.isEmpty && !hasMore) else {
            throw LineProblem("none stands alone in \(line.keyword)")
        }
        return word
    }

    private mutating func applyPath(_ settings: inout SettingStore) throws(LineProblem) {
        let word = try word()
        guard isActive else { return }
        guard settings.values[name]?.count ?? 0 < Self.mostPaths else {
            throw LineProblem("there are more than \(Self.mostPaths) of \(line.keyword)")
        }
        settings.appendPath(name, word, isUsers: isUsers, at: place)
    }
}
