internal import ErrorCore

/// Parses JSON to the same values as YAML, each with its line.
enum JSONText {
    /// The value of a text.
    static func load(_ text: String, file: String) throws(HostSetProblem) -> SourceNode {
        do throws(JSONProblem) {
            return try JSONReader<SourceNode>.read(text, isLenient: false)
        } catch {
            let reason = HostSetProblem.shown(error.reason)
            throw HostSetProblem(.malformed, "This is not JSON: \(reason).", location: .init(file: file, line: error.line))
        }
    }
}

extension SourceNode: JSONNode {
    init(_ part: JSONPart<SourceNode>, line: Int) {
        switch part {
        case .object(let members):
            var pairs = SourcePairs()
            for member in members { pairs.set(SourceNode(.scalar(member.name, .text), line: member.line), member.value) }
            self = SourceNode(.mapping(pairs.merged()), line: line).withoutWrapping
        case .array(let items): self.init(.list(items), line: line)
        case .string(let text): self.init(.scalar(text, .text), line: line)
        case .number(let text): self.init(.scalar(text, .jsonNumber), line: line)
        case .boolean(let flag): self.init(.scalar(flag ? "true" : "false", .plain), line: line)
        case .null: self.init(.scalar("null", .plain), line: line)
        }
    }
}
