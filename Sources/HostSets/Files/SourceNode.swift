internal import ErrorCore

/// A value of a YAML or JSON file, with its line. Scalars keep their text; their type is determined when it is needed.
struct SourceNode {
    typealias Pair = (key: SourceNode, value: SourceNode)

    enum Content {
        case scalar(String, Form)
        case list([SourceNode])
        case mapping([Pair])
    }

    /// How a scalar is written, which decides how it is interpreted.
    enum Form: UInt8 {
        /// Unquoted: the text determines the type.
        case plain
        /// Quoted, or tagged `!!str`.
        case text
        case jsonNumber
        /// Tagged `!!int`, `!!float`, `!!bool` or `!!null`.
        case taggedWhole, taggedReal, taggedBoolean, taggedNothing
        /// Tagged `!vault`.
        case vaulted
        /// A scalar, list or mapping with a tag that no inventory needs. The text is the tag.
        case foreign
    }

    var content: Content
    var line: Int?

    init(_ content: Content, line: Int?) {
        self.content = content
        self.line = line
    }

    /// The text of a scalar of any type.
    var text: String? {
        if case .scalar(let text, let form) = content, form != .foreign { return text }
        return nil
    }

    /// The text of a scalar that is a string in YAML 1.1: quoted, or neither number, boolean, date nor null.
    var stringText: String? {
        guard case .scalar(let text, let form) = content else { return nil }
        switch form {
        case .text: return text
        case .plain:
            let kind = PlainScalar(text)
            return kind.isText || kind == .equals ? text : nil
        default: return nil
        }
    }

    /// Whether the value is null: `null`, `~` or empty.
    var isNull: Bool {
        guard case .scalar(let text, let form) = content else { return false }
        return form == .taggedNothing || (form == .plain && PlainScalar(text) == .nothing)
    }

    /// Whether the value is false in Python: null, no, 0 or empty.
    var isFalse: Bool {
        switch content {
        case .list(let items): items.isEmpty
        case .mapping(let pairs): pairs.isEmpty
        case .scalar(let text, .text): text.isEmpty
        case .scalar(_, .foreign), .scalar(_, .vaulted): false
        case .scalar:
            switch value {
            case .nothing: true
            case .number(let written): ["False", "0", "0.0", "-0.0"].contains(written)
            case .text, .other: false
            }
        }
    }

    /// Whether Ansible Vault has encrypted it.
    var isVaulted: Bool {
        guard case .scalar(let text, let form) = content else { return false }
        return form == .vaulted || text.hasPrefix("$ANSIBLE_VAULT;")
    }

    /// The text inside a mapping of one key, with which Ansible's JSON marks a text as unsafe or encrypted.
    var withoutWrapping: SourceNode {
        guard case .mapping(let pairs) = content, pairs.count == 1, case .scalar(let text, .text) = pairs[0].value.content else {
            return self
        }
        switch pairs[0].key.text {
        case "__ansible_unsafe": return SourceNode(.scalar(text, .text), line: line)
        case "__ansible_vault": return SourceNode(.scalar(text, .vaulted), line: line)
        default: return self
        }
    }

    var list: [SourceNode]? {
        if case .list(let list) = content { return list }
        return nil
    }

    /// The kind of value, for messages.
    var kindName: String {
        switch content {
        case .scalar(let tag, .foreign): "a value with the tag \(HostSetProblem.shown(tag))"
        case .scalar: isNull ? "nothing" : "a text or number"
        case .mapping: "a mapping"
        case .list: "a list"
        }
    }

    /// The pairs of a mapping; nil if the node is not a mapping.
    var pairs: [Pair]? {
        if case .mapping(let pairs) = content { return pairs }
        return nil
    }

    /// Python's value for it.
    var value: ScalarValue {
        guard case .scalar(let text, let form) = content else { return .other(kindName) }
        switch form {
        case .text, .vaulted: return .text(text)
        case .plain: return PlainScalar(text).value(of: text)
        case .jsonNumber: return Self.number(text)
        case .taggedNothing: return .nothing
        case .foreign: return .other(kindName)
        case .taggedWhole:
            if case .whole(let digits) = PlainScalar(text) { return .number(digits) }
            return .other("no whole number")
        case .taggedReal:
            switch PlainScalar(text) {
            case .real(let number): return .number(PythonNumber.real(number))
            case .whole where text.utf8.allSatisfy(isDigit):
                return .number(PythonNumber.real(Double(text) ?? .infinity))
            default: return .other("no number")
            }
        case .taggedBoolean:
            if case .boolean(let isTrue) = PlainScalar(text.lowercased()) { return .number(isTrue ? "True" : "False") }
            return .other("neither true nor false")
        }
    }

    /// A JSON number. Python takes it for an integer if it has neither point nor exponent.
    private static func number(_ text: String) -> ScalarValue {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.allSatisfy(isDigit) else { return .number(PythonNumber.real(Double(text) ?? .infinity)) }
        return PythonNumber.wholeNumber(digits, base: 10, isNegative: isNegative).map { .number($0) }
            ?? .other("a number that is too long")
    }
}

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
