#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Reads configuration files and options, line by line, into settings (ssh_config(5)).
struct ConfigurationReader {
    let context: SSHConfigContext
    /// The host as it was named.
    let host: String
    /// The host that `Host` matches: on a second pass, the host name that the first pass resolved.
    var currentHost: String
    var settings = SettingStore()
    /// Whether the files are read again because `Match final` or canonicalisation asked for it.
    var isFinalPass = false
    /// Whether the configuration requests a final pass.
    var wantsFinalPass = false

    /// Includes may be nested this deep.
    private static let maximumDepth = 16

    init(context: SSHConfigContext, host: String) {
        self.context = context
        self.host = host
        currentHost = host
    }

    /// The state of the line being read.
    struct Section {
        /// Whether its settings apply: turned on and off by `Host` and `Match`.
        var isActive = true
        /// Whether the file is one of the user's own, or the command line.
        var isUsers: Bool
        /// Whether an inactive section includes the file, so that nothing in it applies.
        var neverMatches = false
        var depth = 0
        var isCommandLine = false
    }

    /// Reads an option of the command line, `Key=Value` or `Key Value`.
    mutating func readOption(_ option: String) throws(SSHConfigProblem) {
        var section = Section(isUsers: true, isCommandLine: true)
        try read(Array(option.utf8)[...], at: .option(option), in: &section)
    }

    /// Reads a file.
    ///
    /// - Returns: the errno if it cannot be read.
    mutating func readFile(
        _ path: String, checkingOwner: Bool, in section: inout Section
    ) throws(SSHConfigProblem) -> Int32? {
        guard section.depth <= Self.maximumDepth else {
            throw SSHConfigProblem(
                file: path,
                problem: "it is included more than \(Self.maximumDepth) files deep; files that include each other never end")
        }
        let bytes: [UInt8]
        switch context.files.read(path, checkingOwner) {
        case .bytes(let content): bytes = content
        case .unreadable(let number): return number
        case .unsafe:
            throw SSHConfigProblem(
                file: path,
                problem: "it belongs to another user, or other users can write to it, so its settings cannot be trusted; "
                    + "if it is yours, remove their write permission: `chmod 600 \(path.shellWord)`")
        }
        if let parsed = context.files.parsed {
            try readParsed(parsed.file(path, isUsers: section.isUsers, bytes), path, in: &section)
            return nil
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            try read(line, at: SSHConfigPlace(file: path, line: index + 1), in: &section)
        }
        return nil
    }

    private mutating func readParsed(
        _ file: ParsedConfigurationFile, _ path: String, in section: inout Section
    ) throws(SSHConfigProblem) {
        // The closures would each take both for themselves.
        var (reader, inner) = (self, section)
        defer { (self, section) = (reader, inner) }
        var isLeft = false
        try file.read(for: currentHost, left: { isLeft = true }) { (line) throws(SSHConfigProblem) in
            if isLeft { (isLeft, inner.isActive) = (false, false) }
            try reader.read(at: SSHConfigPlace(file: path, line: line.number), in: &inner) { try line.content.get() }
        }
        if isLeft { inner.isActive = false }
    }

    private mutating func read(
        _ bytes: ArraySlice<UInt8>, at place: SSHConfigPlace, in section: inout Section
    ) throws(SSHConfigProblem) {
        try read(at: place, in: &section) { try ConfigurationLine(bytes) }
    }

    private mutating func read(
        at place: SSHConfigPlace, in section: inout Section, _ line: () throws -> ConfigurationLine?
    ) throws(SSHConfigProblem) {
        do {
            guard let line = try line() else { return }
            try apply(line, at: place, in: &section)
        } catch let problem as LineProblem {
            throw place.problem(problem.text)
        } catch let problem as SSHConfigProblem {
            throw problem
        } catch {
            throw place.problem("\(error)")
        }
    }

    private mutating func apply(_ line: ConfigurationLine, at place: SSHConfigPlace, in section: inout Section) throws {
        let name = Keyword.name(line.keyword)
        guard let rule = Keyword.rule(name) else {
            if let ignored = settings.first("ignoreunknown"), Pattern.list(ignored, means: line.keyword, ignoringCase: true) {
                return
            }
            if line.keyword.hasPrefix("\u{FEFF}") {
                throw LineProblem("it begins with a byte order mark, which ssh refuses too; save the file as UTF-8 without one")
            }
            guard !section.isCommandLine, !(section.isActive && UnknownKeyword.mustBeRefused(line.keyword)) else {
                throw LineProblem(
                    "there is no keyword \(line.keyword) in ssh's configuration; "
                        + "\(UnknownKeyword.suggestion(line.keyword)), or add it to IgnoreUnknown")
            }
            settings.note(place.problem("the keyword \(line.keyword) is unknown and has no effect"), isActive: section.isActive)
            return
        }
        switch rule {
        case .special(.host), .special(.match), .special(.include):
            guard !section.isCommandLine else { throw LineProblem("\(line.keyword) cannot be given as an option") }
            switch rule {
            case .special(.host): try applyHost(line, in: &section)
            case .special(.match): try applyMatch(line, in: &section)
            default: try applyInclude(line, at: place, in: &section)
            }
        case .ignored: break
        default:
            var reading = ValueReading(
                name: name, rule: rule, line: line, place: place, isActive: section.isActive, isUsers: section.isUsers,
                context: context)
            try reading.apply(to: &settings)
        }
    }

    // MARK: Sections

    private func applyHost(_ line: ConfigurationLine, in section: inout Section) throws(LineProblem) {
        section.isActive = false
        guard !line.arguments.contains("") else { throw LineProblem("a pattern of Host is empty; remove the quotes") }
        section.isActive = !section.neverMatches && HostPatterns(line.arguments).fit(currentHost)
    }

    private mutating func applyMatch(_ line: ConfigurationLine, in section: inout Section) throws {
        var matching = MatchReading(
            context: context, settings: settings, host: host, isFinalPass: isFinalPass, mayExecute: !section.neverMatches)
        let matches = try matching.evaluate(line.arguments)
        if matching.namesFinal, !isFinalPass { wantsFinalPass = true }
        section.isActive = matches && !section.neverMatches
    }

    private mutating func applyInclude(_ line: ConfigurationLine, at place: SSHConfigPlace, in section: inout Section) throws {
        for argument in line.arguments {
            guard !argument.isEmpty else { throw LineProblem("a path of Include is empty; remove the quotes") }
            let pattern: String
            do { pattern = try includePath(expandInclude(argument), isUsers: section.isUsers) } catch let problem as LineProblem
                where problem.namesNothing
            {
                // ssh(1) continues, too.
                settings.note(place.problem("\(problem.text), so \(argument) is not included"), isActive: section.isActive)
                continue
            }
            for path in context.files.matching(pattern) {
                var inner = section
                inner.depth += 1
                inner.neverMatches = section.neverMatches || !section.isActive
                // As for ssh(1), a directory that is included is a file without lines.
                if let number = try readFile(path, checkingOwner: true, in: &inner), number != EISDIR {
                    throw LineProblem("the included file \(path) cannot be read: \(ConfigurationReader.text(of: number))")
                }
            }
        }
    }

    /// Tokens and variables, with the values known so far.
    private func expandInclude(_ path: String) throws -> String {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "$") }) else { return path }
        let tokens = try MatchReading(
            context: context, settings: settings, host: host, isFinalPass: isFinalPass, mayExecute: false
        ).tokens()
        return try TokenExpansion(tokens: tokens.all, variable: context.variable).expand(path)
    }

    static func text(of number: Int32) -> String {
        number == WholeFile.irregular ? WholeFile.irregularText : String(cString: strerror(number))
    }

    /// Relative paths start in `~/.ssh` for the user's files and in `/etc/ssh` for the system's (ssh_config(5), Include).
    private func includePath(_ path: String, isUsers: Bool) throws -> String {
        if path.hasPrefix("~") {
            guard isUsers else { throw LineProblem("a system's file cannot include \(path) from a home directory") }
            return try TokenValues.expandTilde(path, context)
        }
        if path.hasPrefix("/") { return path }
        return (isUsers ? "\(context.home)/.ssh/" : "/etc/ssh/") + path
    }
}
