/// ClusterShell's groups, from its own configuration or from a file.
public struct GroupSources: Sendable {
    private var sources: [GroupSource] = []
    private var places: [String: Int] = [:]
    /// The source for groups that are named without one.
    public private(set) var defaultName: String?

    private init() {}

    /// The names of the sources, the default source first.
    public var names: [String] {
        let others = sources.map(\.name).filter { $0 != defaultName }
        return (defaultName.map { [$0] } ?? []) + others
    }

    func source(_ name: String) -> GroupSource? { places[name].map { sources[$0] } }

    /// The names of a source's groups.
    ///
    /// - Throws: ``HostSetProblem`` if the source does not exist or cannot be queried.
    public func groups(of source: String) throws -> [String] {
        guard let found = self.source(source) else {
            throw HostSetProblem(.unknownGroup, "There is no source of groups \(HostSetProblem.shown(source)).")
        }
        return try found.groupNames()
    }

    private mutating func add(_ source: GroupSource, _ location: HostSetProblem.Location) throws(HostSetProblem) {
        if places[source.name] != nil {
            throw HostSetProblem(
                .malformed, "The source of groups \(HostSetProblem.shown(source.name)) is defined twice.", location: location)
        }
        places[source.name] = sources.count
        sources.append(source)
    }
}

// MARK: - Files

extension GroupSources {
    /// Reads a file of groups: YAML, or a `groups.conf` if its name ends with `.conf`. The first source of a YAML file becomes
    /// the default.
    ///
    /// - Throws: ``HostSetProblem``.
    public init(file: String, files: any HostFiles = LocalFiles(), runner: HostProgramRunner? = nil) throws {
        let access = SourceAccess(files: files, runner: runner)
        if Path.suffix(of: file) == ".conf" {
            try self.init(configuration: [file], access)
        } else {
            self.init()
            try addYAML(file, access)
            defaultName = sources.first?.name
        }
    }

    /// Reads ClusterShell's own configuration; nil if there is none.
    ///
    /// - Parameters:
    ///   - home: The home directory, for `~/.local/etc` and `~/.config`.
    ///   - environment: Looks up `XDG_CONFIG_HOME` and `CLUSTERSHELL_CFGDIR`.
    /// - Throws: ``HostSetProblem``.
    public static func standard(
        home: String?, environment: [String: String], files: any HostFiles = LocalFiles(), runner: HostProgramRunner? = nil
    ) throws -> GroupSources? {
        var directories = ["/etc/clustershell"]
        if let home { directories.append(Path.joined(home, ".local/etc/clustershell")) }
        if let configuration = environment["XDG_CONFIG_HOME"] {
            directories.append(Path.joined(configuration, "clustershell"))
        } else if let home {
            directories.append(Path.joined(home, ".config/clustershell"))
        }
        if let own = environment["CLUSTERSHELL_CFGDIR"] { directories.append(own) }
        let found = directories.map { Path.joined($0, "groups.conf") }.filter { files.kind(of: $0) != .missing }
        guard !found.isEmpty else { return nil }
        return try GroupSources(configuration: found, SourceAccess(files: files, runner: runner))
    }

    /// Reads the files of one configuration; later files override earlier ones.
    private init(configuration paths: [String], _ access: SourceAccess) throws(HostSetProblem) {
        self.init()
        var sections = ConfigurationFile()
        for path in paths { try sections.read(try access.text(of: path), file: path) }
        let directory = Path.directory(of: paths[paths.count - 1])
        let main = sections["Main"]
        for path in Self.directories(main?["groupsdir"] ?? main?["confdir"], directory)
        where access.files.kind(of: path) == .directory {
            for name in try access.names(in: path) where Path.suffix(of: name) == ".conf" {
                let file = Path.joined(path, name)
                var part = ConfigurationFile()
                try part.read(try access.text(of: file), file: file)
                try addSources(of: part, directory: path, access)
            }
        }
        for path in Self.directories(main?["autodir"], directory) where access.files.kind(of: path) == .directory {
            for name in try access.names(in: path) where Path.suffix(of: name) == ".yaml" {
                try addYAML(Path.joined(path, name), access)
            }
        }
        try addSources(of: sections, directory: directory, access)
        if let name = main?["default"], !name.text.isEmpty {
            guard source(name.text) != nil else {
                throw HostSetProblem(
                    .malformed, "The default source of groups, \(HostSetProblem.shown(name.text)), is not there.",
                    location: name.location, nearest: NearestNames.of(name.text, among: sources.map(\.name)))
            }
            defaultName = name.text
        } else {
            defaultName = sources.first?.name
        }
    }

    private static func directories(_ value: ConfigurationFile.Value?, _ directory: String) -> [String] {
        guard let value else { return [] }
        var seen: [String] = []
        for word in ShellWords.split(value.text) ?? [] {
            let path = ShellTemplate.filled(word, ["CFGDIR": directory])
            if !seen.contains(path) { seen.append(path) }
        }
        return seen
    }

    private mutating func addSources(
        of file: ConfigurationFile, directory: String, _ access: SourceAccess
    ) throws(HostSetProblem) {
        for section in file.sections where section.name != "Main" {
            for name in section.name.split(separator: ",").map(String.init) where name != "Main" {
                guard let map = section["map"] else {
                    throw HostSetProblem(
                        .malformed, "The section [\(HostSetProblem.shown(section.name))] has no \"map\".",
                        location: section.location)
                }
                if let time = section["cache_time"], Double(time.text) == nil {
                    throw HostSetProblem(
                        .malformed, "cache_time of [\(HostSetProblem.shown(section.name))] is not a number of seconds.",
                        location: time.location)
                }
                let upcalls = GroupSource.Upcalls(
                    map: map.text, all: section["all"]?.text, list: section["list"]?.text, directory: directory, access: access)
                try add(GroupSource(name: name, .asked(upcalls)), section.location)
            }
        }
    }

    private mutating func addYAML(_ file: String, _ access: SourceAccess) throws(HostSetProblem) {
        let root = try YAMLText.load(try access.text(of: file), file: file)
        guard let pairs = root?.pairs else {
            throw HostSetProblem(
                .malformed, "A file of groups is a mapping of sources; this is \(root?.kindName ?? "empty").",
                location: .init(file: file), remedy: "Write SOURCE: and below it GROUP: 'web[1-20]'.")
        }
        for (key, value) in pairs {
            let place = HostSetProblem.Location(file: file, line: key.line)
            guard let name = key.stringText else {
                throw HostSetProblem(
                    .malformed, "The source's name \(HostSetProblem.shown(key.text ?? "")) is not a text.", location: place,
                    remedy: "Put it in quotes.")
            }
            guard let groups = value.pairs else {
                throw HostSetProblem(
                    .malformed, "The source \(HostSetProblem.shown(name)) is a mapping of groups; this is \(value.kindName).",
                    location: place, remedy: "Write SOURCE: and below it GROUP: 'web[1-20]'.")
            }
            try add(Self.listed(name, groups, file), place)
        }
    }

    private static func listed(
        _ name: String, _ pairs: [SourceNode.Pair], _ file: String
    ) throws(HostSetProblem) -> GroupSource {
        var names: [String] = []
        var groups: [String: GroupContent] = [:]
        for (key, value) in pairs {
            let place = HostSetProblem.Location(file: file, line: key.line)
            guard let group = key.stringText else {
                throw HostSetProblem(
                    .malformed, "The group's name \(HostSetProblem.shown(key.text ?? "")) is not a text.", location: place,
                    remedy: "Put it in quotes.")
            }
            if let illegal = group.first(where: { "@,!&^*".contains($0) || $0.isWhitespace }) {
                throw HostSetProblem(
                    .malformed,
                    "The group's name \(HostSetProblem.shown(group)) contains \"\(HostSetProblem.shown(String(illegal)))\".",
                    location: place)
            }
            groups[group] = GroupContent(text: try text(value, group, place), location: place)
            names.append(group)
        }
        return GroupSource(name: name, .listed(names: names, groups: groups))
    }

    private static func text(
        _ value: SourceNode, _ group: String, _ place: HostSetProblem.Location
    ) throws(HostSetProblem) -> String {
        if value.isNull { return "" }
        if let text = value.text { return text }
        guard let list = value.list else {
            throw HostSetProblem(
                .malformed, "The group \(HostSetProblem.shown(group)) is a text or a list of texts; this is \(value.kindName).",
                location: place)
        }
        var texts: [String] = []
        for item in list {
            guard let text = item.text else {
                throw HostSetProblem(
                    .malformed, "The list of the group \(HostSetProblem.shown(group)) holds \(item.kindName).",
                    location: .init(file: place.file, line: item.line ?? place.line))
            }
            texts.append(text)
        }
        // One expression, as in nodeset: an operator applies to all items before it.
        return texts.joined(separator: ",")
    }
}

/// The text of a group, and its position.
struct GroupContent: Sendable {
    var text: String
    var location: HostSetProblem.Location?

    /// The text split at blanks, which `nodeset` treats like commas.
    var words: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}

/// One of ClusterShell's group sources: a namespace, `@SOURCE:GROUP`.
public struct GroupSource: Sendable {
    /// The commands of groups.conf, and the directory in which they run.
    struct Upcalls: Sendable {
        var map: String
        var all: String?
        var list: String?
        var directory: String
        var access: SourceAccess
    }

    enum Content: Sendable {
        case listed(names: [String], groups: [String: GroupContent])
        case asked(Upcalls)
    }

    /// Its name.
    public let name: String
    let content: Content

    init(name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    /// The hosts of a group as text; nil if the group does not exist.
    func content(of group: String) throws(HostSetProblem) -> GroupContent? {
        switch content {
        case .listed(_, let groups): return groups[group]
        case .asked(let upcalls):
            // The name becomes part of a shell command.
            guard group.utf8.allSatisfy(Self.isHarmless) else {
                throw HostSetProblem(
                    .syntax, "The group's name \(HostSetProblem.shown(group)) contains characters that a shell would interpret.")
            }
            let text = try ask(upcalls.map, upcalls, group: group)
            // Group sources use sed and grep, which succeed even if they find nothing. If the list is not available, the
            // group may exist.
            if Self.words(text).isEmpty, upcalls.list != nil, let names = try? groupNames(), !names.contains(group) { return nil }
            return GroupContent(text: text)
        }
    }

    /// All hosts as text; nil if they must be collected from the groups.
    func contentOfAll() throws(HostSetProblem) -> GroupContent? {
        switch content {
        case .listed(_, let groups): return groups["all"]
        case .asked(let upcalls):
            guard let all = upcalls.all else {
                if upcalls.list == nil {
                    throw HostSetProblem(
                        .unsupported, "The source \(HostSetProblem.shown(name)) cannot say which hosts there are.",
                        remedy: "Its section in groups.conf needs \"all\" or \"list\".")
                }
                return nil
            }
            return GroupContent(text: try ask(all, upcalls))
        }
    }

    /// Whether it can list its groups.
    var hasList: Bool {
        if case .asked(let upcalls) = content { return upcalls.list != nil }
        return true
    }

    /// The names of its groups; empty if it cannot list them.
    func groupNames() throws(HostSetProblem) -> [String] {
        switch content {
        case .listed(let names, _): return names
        case .asked(let upcalls):
            guard let list = upcalls.list else { return [] }
            return Self.words(try ask(list, upcalls))
        }
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func isHarmless(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "="),
            UInt8(ascii: "%"):
            true
        default: byte >= 0x80
        }
    }

    private func ask(_ template: String, _ upcalls: Upcalls, group: String? = nil) throws(HostSetProblem) -> String {
        var values = ["CFGDIR": upcalls.directory, "SOURCE": name]
        values["GROUP"] = group
        let command = ShellTemplate.filled(template, values)
        do throws(HostSetProblem) {
            return try upcalls.access.output(of: HostProgram(["/bin/sh", "-c", command], in: upcalls.directory))
        } catch {
            guard error.kind == .programFailed, let group else { throw error }
            throw HostSetProblem(
                .unknownGroup,
                "The source \(HostSetProblem.shown(name)) does not give the group \(HostSetProblem.shown(group)): "
                    + error.message, location: error.location)
        }
    }
}

/// Expands `$NAME` and `${NAME}` in a command. `$$` is one dollar sign, and unknown names stay as they are.
enum ShellTemplate {
    static func filled(_ template: String, _ values: [String: String]) -> String {
        var result = ""
        var rest = Substring(template)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            if rest.first == "$" {
                result += "$"
                rest = rest.dropFirst()
                continue
            }
            let isBraced = rest.first == "{"
            let body = isBraced ? rest.dropFirst() : rest
            let name = body.prefix { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
            let after = body[name.endIndex...]
            if let value = values[String(name)], !isBraced || after.first == "}" {
                result += value
                rest = isBraced ? after.dropFirst() : after
            } else {
                result += "$"
            }
        }
        return result + rest
    }
}
