/// A value of a file in YAML or JSON. Scalars keep their text: what a number or a boolean would be does not matter for names.
struct SourceNode {
    typealias Pair = (key: SourceNode, value: SourceNode)

    enum Content {
        case scalar(String, isPlain: Bool, tag: String?)
        case list([SourceNode])
        case mapping([Pair])
    }

    var content: Content
    var line: Int?

    init(_ content: Content, line: Int?) {
        self.content = content
        self.line = line
    }

    /// The text of a scalar, whatever it would be.
    var text: String? {
        if case .scalar(let text, _, _) = content { return text }
        return nil
    }

    /// The text of a scalar that is a string for YAML 1.1: quoted, or neither number, boolean, date nor nothing.
    var stringText: String? {
        guard case .scalar(let text, let isPlain, _) = content else { return nil }
        return isPlain && PlainScalar.hasOtherType(text) ? nil : text
    }

    /// Whether it is nothing: `null`, `~` or empty.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true, tag: nil) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// Whether Ansible's vault has encrypted it.
    var isVaulted: Bool {
        guard case .scalar(let text, _, let tag) = content else { return false }
        return tag == "!vault" || tag == "!vault-encrypted" || text.hasPrefix("$ANSIBLE_VAULT;")
    }

    var list: [SourceNode]? {
        if case .list(let list) = content { return list }
        return nil
    }

    /// What kind of value it is, for messages.
    var kindName: String {
        switch content {
        case .scalar: isNull ? "nothing" : "a text or number"
        case .mapping: "a mapping"
        case .list: "a list"
        }
    }

    /// The pairs of a mapping, those that `<<` merges in first; nil if it is none.
    var pairs: [Pair]? {
        guard case .mapping(let mapping) = content else { return nil }
        guard mapping.contains(where: { $0.key.text == "<<" }) else { return mapping }
        var result: [Pair] = []
        func put(_ pair: Pair) {
            if let place = result.firstIndex(where: { $0.key.text == pair.key.text }) {
                result[place] = pair
            } else {
                result.append(pair)
            }
        }
        for pair in mapping where pair.key.text == "<<" {
            for node in (pair.value.list ?? [pair.value]).reversed() { for inner in node.pairs ?? [] { put(inner) } }
        }
        for pair in mapping where pair.key.text != "<<" { put(pair) }
        return result
    }
}
