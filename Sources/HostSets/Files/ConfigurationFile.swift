/// A file of sections and options, read as Python's configparser reads ClusterShell's files.
struct ConfigurationFile {
    struct Value {
        var text: String
        var location: HostSetProblem.Location
    }

    struct Section {
        var name: String
        var location: HostSetProblem.Location
        var options: [String: Value] = [:]

        subscript(option: String) -> Value? { options[option] }
    }

    private(set) var sections: [Section] = []

    subscript(name: String) -> Section? { sections.first { $0.name == name } }

    /// Reads a file. Its settings replace those of earlier files.
    mutating func read(_ text: String, file: String) throws(HostSetProblem) {
        var section: Int?
        var option: (name: String, indent: Int)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let location = HostSetProblem.Location(file: file, line: index + 1)
            let trimmed = line.trimmingBlanks()
            if trimmed.isEmpty || trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            let indent = line.prefix(while: { $0 == " " || $0 == "\t" }).count
            if let section, let known = option, indent > known.indent {
                sections[section].options[known.name]?.text += "\n" + trimmed
                continue
            }
            if trimmed.hasPrefix("["), let close = trimmed.firstIndex(of: "]") {
                let name = String(trimmed[trimmed.index(after: trimmed.startIndex)..<close])
                if let known = sections.firstIndex(where: { $0.name == name }) {
                    section = known
                } else {
                    section = sections.count
                    sections.append(Section(name: name, location: location))
                }
                option = nil
                continue
            }
            guard let section else {
                throw HostSetProblem(.malformed, "An option precedes the first section.", location: location)
            }
            guard let separator = trimmed.firstIndex(where: { $0 == "=" || $0 == ":" }), separator != trimmed.startIndex else {
                throw HostSetProblem(
                    .malformed, "The line is neither a section nor an option.", location: location,
                    remedy: "Options are written NAME: VALUE.")
            }
            let name = trimmed[..<separator].trimmingBlanks().lowercased()
            let value = trimmed[trimmed.index(after: separator)...].trimmingBlanks()
            sections[section].options[name] = Value(text: String(value), location: location)
            option = (name, indent)
        }
    }
}

extension Substring {
    /// The text without surrounding blanks.
    func trimmingBlanks() -> Substring {
        var result = drop(while: \.isWhitespace)
        while let last = result.last, last.isWhitespace { result.removeLast() }
        return result
    }
}

/// The pairs of a mapping under construction: no key occurs twice, and merged pairs come before its own.
struct SourcePairs {
    /// Up to this many keys are compared one by one; more are looked up in a dictionary.
    private static let smallCount = 8

    private var own: [SourceNode.Pair] = []
    /// The indices of the keys in `own`.
    private var known: [String: Int] = [:]
    private var mergedIn: [SourceNode.Pair] = []

    /// Adds a pair; returns false if the key already exists.
    mutating func add(_ key: SourceNode, _ value: SourceNode) -> Bool {
        if own.count < Self.smallCount {
            if own.contains(where: { Self.areSame($0.key, key) }) { return false }
        } else {
            if known.isEmpty { for (place, pair) in own.enumerated() { known[Self.identity(pair.key)] = place } }
            let identity = Self.identity(key)
            if known[identity] != nil { return false }
            known[identity] = own.count
        }
        own.append((key, value))
        return true
    }

    /// Replaces the value of an existing key, as Python does with JSON, or adds a new pair.
    mutating func set(_ key: SourceNode, _ value: SourceNode) {
        if add(key, value) { return }
        let place = known.isEmpty ? own.firstIndex { Self.areSame($0.key, key) } : known[Self.identity(key)]
        if let place { own[place].value = value }
    }

    /// Merges the pairs of another mapping. The last merged value of a key wins.
    mutating func merge(_ pairs: [SourceNode.Pair]) { mergedIn += pairs }

    /// All pairs: each key at its first position, with its last value.
    func merged() -> [SourceNode.Pair] {
        if mergedIn.isEmpty { return own }
        var places: [String: Int] = [:]
        var result: [SourceNode.Pair] = []
        for pair in mergedIn + own {
            let identity = Self.identity(pair.key)
            if let place = places[identity] {
                result[place].value = pair.value
            } else {
                places[identity] = result.count
                result.append(pair)
            }
        }
        return result
    }

    private static func areSame(_ one: SourceNode, _ other: SourceNode) -> Bool {
        guard case .scalar(let text, let form) = one.content, case .scalar(let another, let otherForm) = other.content else {
            return false
        }
        return form == otherForm ? text == another : identity(one) == identity(other)
    }

    /// Equal for two keys only if Python considers them equal: `"1"` and `1` are different.
    private static func identity(_ key: SourceNode) -> String {
        if let text = key.stringText { return text }
        switch key.value {
        case .text(let written), .number(let written): return "\u{0}" + written
        case .nothing, .other: return "\u{0}\u{0}" + (key.text ?? "")
        }
    }
}
