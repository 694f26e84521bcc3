/// Reads the results that Ansible writes as YAML (`result_format=yaml`): a mapping of names to scalars. Only the outer level is
/// read.
enum AnsibleYAML {
    /// A line without the blanks around it, and the number of blanks before it.
    struct Line: Sendable {
        let text: String
        let indent: Int
    }

    /// The mapping in these lines.
    static func tree(_ lines: [Line]) -> JSONTree {
        var members: [String: JSONTree] = [:]
        var name = ""
        var value: [String] = []
        for line in lines {
            if line.indent == lines[0].indent, let (next, first) = entry(line.text) {
                if !name.isEmpty { members[name] = scalar(value) }
                (name, value) = (next, [first])
            } else {
                value.append(line.text)
            }
        }
        if !name.isEmpty { members[name] = scalar(value) }
        return .members(members)
    }

    /// Whether the line is the beginning of an entry.
    static func isEntry(_ text: String) -> Bool { entry(text) != nil }

    /// `rc: 3`, `stderr: |-`, `results:`
    private static func entry(_ text: String) -> (name: String, value: String)? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = text[name.endIndex...]
        guard !name.isEmpty, rest == ":" || rest.hasPrefix(": ") else { return nil }
        return (String(name), String(rest.dropFirst()).trimming(" "))
    }

    private static func scalar(_ lines: [String]) -> JSONTree {
        guard let first = lines.first else { return .null }
        switch first.first {
        case "|", ">": return .text(lines.dropFirst().joined(separator: "\n"))
        case "'": return .text(inner(lines.joined(separator: " "), "'").replacing("''", with: "'"))
        case "\"": return .text(unescaped(inner(folded(lines), "\"")))
        // A list or mapping.
        case nil: return .null
        default: break
        }
        let text = lines.joined(separator: " ")
        if text == "true" || text == "false" { return .flag(text == "true") }
        return Double(text).map { .number($0) } ?? .text(text)
    }

    private static func inner(_ text: String, _ quote: Character) -> String {
        let rest = text.dropFirst()
        return String(rest.last == quote ? rest.dropLast() : rest)
    }

    /// A backslash at the end of a line joins it with the next (YAML 1.2 section 7.3.1).
    private static func folded(_ lines: [String]) -> String {
        var text = ""
        for line in lines {
            if text.isEmpty {
                text = line
            } else if text.last == "\\" {
                text = text.dropLast() + (line.hasPrefix("\\ ") ? String(line.dropFirst()) : line)
            } else {
                text += " " + line
            }
        }
        return text
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch next {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "e": result.append("\u{1b}")
            default: result.append(next)
            }
        }
        return TerminalCodes.removed(from: result)
    }
}
