/// Fills the values of an error into its text. The syntax is described at ``ErrorText``.
enum TextTemplate {
    /// The text of a template. A value that is missing or empty leaves nothing; a value is never read as template.
    static func render(_ template: String, values: [String: String]) -> String {
        fill(template[...], values) ?? ""
    }

    /// nil if a value is not known and all have to be.
    private static func fill(_ template: Substring, _ values: [String: String], requireAll: Bool = false) -> String? {
        var output = ""
        var rest = template
        while let character = rest.popFirst() {
            switch character {
            case "[":
                for alternative in alternatives(popSection(&rest)) {
                    guard let text = fill(alternative, values, requireAll: true) else { continue }
                    append(text, to: &output)
                    break
                }
            case "{":
                let value = values[popName(&rest)] ?? ""
                if value.isEmpty, requireAll { return nil }
                output += value
            case "\\":
                output.append(rest.popFirst() ?? "\\")
            default:
                append(String(character), to: &output)
            }
        }
        return output
    }

    /// A value may end in a full stop, question or exclamation mark of its own: the template's stop is not added to it.
    private static func append(_ text: String, to output: inout String) {
        let ended = text.first == "." && output.last.map { ".!?…。".contains($0) } == true
        output += ended ? text.dropFirst() : text[...]
    }

    private static func popName(_ rest: inout Substring) -> String {
        let name = rest.prefix { $0 != "}" }
        rest = rest.dropFirst(name.count + 1)
        return String(name)
    }

    private static func popSection(_ rest: inout Substring) -> Substring {
        let end = unquoted("]", in: rest) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    private static func alternatives(_ section: Substring) -> [Substring] {
        var result: [Substring] = []
        var rest = section
        while let bar = unquoted("|", in: rest) {
            result.append(rest[..<bar])
            rest = rest[rest.index(after: bar)...]
        }
        return result + [rest]
    }

    private static func unquoted(_ wanted: Character, in text: Substring) -> Substring.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == "\\" {
                index = text.index(after: index)
                guard index < text.endIndex else { return nil }
            } else if text[index] == wanted {
                return index
            }
            index = text.index(after: index)
        }
        return nil
    }
}
