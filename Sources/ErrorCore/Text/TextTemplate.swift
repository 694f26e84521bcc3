/// Inserts an error's values into its text. ``ErrorText`` describes the syntax.
struct TextTemplate {
    private let values: [String: String]
    private let language: String
    private let formatDuration: (Int) -> String

    /// - Parameters:
    ///   - values: The values by name. A missing or empty value inserts nothing; a value is never parsed as a template.
    ///   - language: The language for plural rules, as an ISO 639 code.
    ///   - formatDuration: Formats a number of seconds for the form `duration`.
    init(values: [String: String], language: String = "en", formatDuration: @escaping (Int) -> String = { "\($0) s" }) {
        self.values = values
        self.language = language
        self.formatDuration = formatDuration
    }

    func render(_ template: String) -> String {
        // Fast path: most titles and suggestions are plain text.
        guard template.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\\") })
        else { return template }
        var output = Output()
        _ = fill(template[...], into: &output, requireAll: false)
        return output.text
    }

    private struct Output {
        var text = ""
        /// Whether the output ends with a value that already ends a sentence.
        var endsSentence = false

        mutating func append(value: String) {
            text += value
            endsSentence = value.last.map { ".!?…。".contains($0) } ?? endsSentence
        }

        mutating func append(literal: Character) {
            text.append(literal)
            endsSentence = false
        }
    }

    /// - Returns: Whether all values are known. If not, and `requireAll` is true, the output is incomplete.
    private func fill(_ template: Substring, into output: inout Output, requireAll: Bool) -> Bool {
        var rest = template
        while let character = rest.popFirst() {
            switch character {
            case "[":
                for alternative in alternatives(popSection(&rest)) {
                    var attempt = output
                    guard fill(alternative, into: &attempt, requireAll: true) else { continue }
                    output = attempt
                    break
                }
            case "{":
                let value = value(of: popPlaceholder(&rest))
                if value.isEmpty, requireAll { return false }
                output.append(value: value)
            case "\\":
                output.append(literal: rest.popFirst() ?? "\\")
            case "." where output.endsSentence && rest.first != ".":
                // The value ended the sentence, so drop the second full stop.
                output.endsSentence = false
            default:
                output.append(literal: character)
            }
        }
        return true
    }

    /// The text for a placeholder: `name`, `name:form` or `name, plural, one {…} other {…}`.
    private func value(of placeholder: Substring) -> String {
        if let comma = placeholder.firstIndex(of: ",") {
            let rest = placeholder[placeholder.index(after: comma)...].drop { $0 == " " }
            guard rest.hasPrefix("plural"), let start = rest.firstIndex(of: ",") else { return "" }
            return plural(values[placeholder[..<comma].trimmed] ?? "", rest[rest.index(after: start)...])
        }
        guard let colon = placeholder.firstIndex(of: ":") else { return values[placeholder.trimmed] ?? "" }
        let value = values[placeholder[..<colon].trimmed] ?? ""
        let form = placeholder[placeholder.index(after: colon)...].trimmed
        switch form {
        case "last": return value.lastPathComponent
        case "duration": return Int(value).map(formatDuration) ?? value
        default: return Int(form).map { String(value.prefix(max(0, $0))) } ?? value
        }
    }

    /// The branch for a number: `=n` for exactly n, else the one for its plural category, else `other`.
    private func plural(_ value: String, _ branches: Substring) -> String {
        guard let number = Int(value) else { return value }
        var texts: [String: Substring] = [:]
        var rest = branches
        while let brace = rest.firstIndex(of: "{") {
            let selector = rest[..<brace].trimmed
            rest = rest[rest.index(after: brace)...]
            texts[selector] = popPlaceholder(&rest)
        }
        let category = PluralRules.category(of: number, language: language)
        guard let text = texts["=\(number)"] ?? texts[category] ?? texts["other"] else { return value }
        var output = Output()
        _ = fill(Substring(text.replacing("#", with: value)), into: &output, requireAll: false)
        return output.text
    }

    /// Takes the text up to the matching closing brace, and drops the brace.
    private func popPlaceholder(_ rest: inout Substring) -> Substring {
        var depth = 1
        var index = rest.startIndex
        while index < rest.endIndex {
            if rest[index] == "{" { depth += 1 }
            if rest[index] == "}" { depth -= 1 }
            if depth == 0 { break }
            index = rest.index(after: index)
        }
        defer { rest = rest[index...].dropFirst() }
        return rest[..<index]
    }

    private func popSection(_ rest: inout Substring) -> Substring {
        let end = unquoted("]", in: rest) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    private func alternatives(_ section: Substring) -> [Substring] {
        var result: [Substring] = []
        var rest = section
        while let bar = unquoted("|", in: rest) {
            result.append(rest[..<bar])
            rest = rest[rest.index(after: bar)...]
        }
        return result + [rest]
    }

    private func unquoted(_ wanted: Character, in text: Substring) -> Substring.Index? {
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

extension String {
    /// The text after the last `/`, ignoring slashes at the end. The isolates around a right-to-left path are kept.
    fileprivate var lastPathComponent: String {
        let isIsolated = hasPrefix("\u{2068}") && hasSuffix("\u{2069}")
        let path = isIsolated ? dropFirst().dropLast() : self[...]
        guard let last = path.split(separator: "/").last else { return self }
        return isIsolated ? "\u{2068}\(last)\u{2069}" : String(last)
    }
}

/// The plural categories of integers (Unicode CLDR, "Language Plural Rules", cardinal). Foundation offers them only through
/// string tables.
enum PluralRules {
    /// `zero`, `one`, `two`, `few`, `many` or `other`. An unlisted language follows the English rule.
    static func category(of number: Int, language: String) -> String {
        let n = Int(number.magnitude % 1_000_000)
        let (tens, hundreds) = (n % 10, n % 100)
        switch language {
        case "ja", "zh", "ko", "th", "vi", "id", "ms", "lo", "my": return "other"
        case "fr", "pt", "hi", "bn", "fa", "gu", "hy": return n <= 1 ? "one" : "other"
        case "ru", "uk", "be":
            if tens == 1, hundreds != 11 { return "one" }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "many"
        case "pl":
            if n == 1 { return "one" }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "many"
        case "hr", "sr", "bs":
            if tens == 1, hundreds != 11 { return "one" }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? "few" : "other"
        case "cs", "sk": return n == 1 ? "one" : (2...4).contains(n) ? "few" : "other"
        case "sl": return hundreds == 1 ? "one" : hundreds == 2 ? "two" : (3...4).contains(hundreds) ? "few" : "other"
        case "ro": return n == 1 ? "one" : n == 0 || (1...19).contains(hundreds) ? "few" : "other"
        case "lt":
            if (11...19).contains(hundreds) || tens == 0 { return "other" }
            return tens == 1 ? "one" : "few"
        case "lv":
            if tens == 0 || (11...19).contains(hundreds) { return "zero" }
            return tens == 1 ? "one" : "other"
        case "he": return n == 1 ? "one" : n == 2 ? "two" : "other"
        case "ar":
            if n <= 2 { return ["zero", "one", "two"][n] }
            return (3...10).contains(hundreds) ? "few" : (11...99).contains(hundreds) ? "many" : "other"
        default: return n == 1 ? "one" : "other"
        }
    }
}

/// Sizes in English. The platform's formatter would need the whole of Foundation.
enum ByteCount {
    /// A size in binary units with at most one decimal, such as `1.5 GB`.
    static func english(_ count: Int64) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"]
        var size = Double(count)
        var unit = 0
        while size >= 1024, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        let tenths = Int64((size * 10).rounded())
        let (whole, decimal) = tenths.quotientAndRemainder(dividingBy: 10)
        return decimal == 0 || unit == 0 ? "\(whole) \(units[unit])" : "\(whole).\(decimal) \(units[unit])"
    }
}
