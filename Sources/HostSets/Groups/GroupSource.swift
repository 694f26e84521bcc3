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
            // Group sources use sed and grep, which succeed even if they find nothing.
            // If the list is not available, the group may exist.
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
