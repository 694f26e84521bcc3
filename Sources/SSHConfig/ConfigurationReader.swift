#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Reads configuration files and options, line by line, into settings (ssh_config(5)).
struct ConfigurationReader {
    let context: ConfigurationContext
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
    private static let deepest = 16

    init(context: ConfigurationContext, host: String) {
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
    mutating func readOption(_ option: String) throws(ConfigurationProblem) {
        var section = Section(isUsers: true, isCommandLine: true)
        try read(Array(option.utf8)[...], at: .option(option), in: &section)
    }

    /// Reads a file.
    ///
    /// - Returns: the errno if it cannot be read.
    mutating func readFile(
        _ path: String, checkingOwner: Bool, in section: inout Section
    ) throws(ConfigurationProblem) -> Int32? {
        guard section.depth <= Self.deepest else {
            throw ConfigurationProblem(
                file: path,
                problem: "it is included more than \(Self.deepest) files deep; files that include each other never end")
        }
        let bytes: [UInt8]
        switch context.files.read(path, checkingOwner) {
        case .bytes(let content): bytes = content
        case .unreadable(let number): return number
        case .unsafe:
            throw ConfigurationProblem(
                file: path,
                problem: "it belongs to another user, or others may write it, so that its settings cannot be trusted; "
                    + "make it your own: chmod 600 \(path)")
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            try read(line, at: ConfigurationPlace(file: path, line: index + 1), in: &section)
        }
        return nil
    }

    private mutating func read(
        _ bytes: ArraySlice<UInt8>, at place: ConfigurationPlace, in section: inout Section
    ) throws(ConfigurationProblem) {
        do {
            guard let line = try ConfigurationLine(bytes) else { return }
            try apply(line, at: place, in: &section)
        } catch let problem as LineProblem {
            throw place.problem(problem.text)
        } catch let problem as ConfigurationProblem {
            throw problem
        } catch {
            throw place.problem("\(error)")
        }
    }

    private mutating func apply(_ line: ConfigurationLine, at place: ConfigurationPlace, in section: inout Section) throws {
        let name = Keyword.name(line.keyword)
        guard let rule = Keyword.rule(name) else {
            if let ignored = settings.first("ignoreunknown"), Pattern.list(ignored, means: line.keyword, ignoringCase: true) {
                return
            }
            throw LineProblem(
                "there is no keyword \(line.keyword) in ssh's configuration; correct it, or add it to IgnoreUnknown")
        }
        switch rule {
        case .special(.host), .special(.match), .special(.include):
            guard !section.isCommandLine else { throw LineProblem("\(line.keyword) cannot be given as an option") }
            switch rule {
            case .special(.host): try applyHost(line, in: &section)
            case .special(.match): try applyMatch(line, in: &section)
            default: try applyInclude(line, in: &section)
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
        for pattern in line.arguments {
            guard !pattern.isEmpty else { throw LineProblem("a pattern of Host is empty; remove the quotes") }
            if section.neverMatches { return }
            let isNegated = pattern.hasPrefix("!")
            guard Pattern.fits(isNegated ? pattern.dropFirst() : pattern[...], currentHost) else { continue }
            section.isActive = !isNegated
            if isNegated { return }
        }
    }

    private mutating func applyMatch(_ line: ConfigurationLine, in section: inout Section) throws {
        var matching = MatchReading(
            context: context, settings: settings, host: host, isFinalPass: isFinalPass, mayExecute: !section.neverMatches)
        let matches = try matching.evaluate(line.rest)
        if matching.namesFinal, !isFinalPass { wantsFinalPass = true }
        section.isActive = matches && !section.neverMatches
    }

    private mutating func applyInclude(_ line: ConfigurationLine, in section: inout Section) throws {
        for argument in line.arguments {
            guard !argument.isEmpty else { throw LineProblem("a path of Include is empty; remove the quotes") }
            for path in context.files.matching(try includePath(argument, isUsers: section.isUsers)) {
                var inner = section
                inner.depth += 1
                inner.neverMatches = section.neverMatches || !section.isActive
                if let number = try readFile(path, checkingOwner: true, in: &inner) {
                    throw LineProblem("the included file \(path) cannot be read: \(ConfigurationReader.text(of: number))")
                }
            }
        }
    }

    static func text(of number: Int32) -> String { String(cString: strerror(number)) }

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
