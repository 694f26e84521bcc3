/// A file of sections and options, as Python's configparser reads ClusterShell's.
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

    /// Reads a file; what it says replaces what files before it say.
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
                throw HostSetProblem(.malformed, "An option stands before the first section.", location: location)
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
    /// Without the blanks around it.
    func trimmingBlanks() -> Substring {
        var result = drop(while: \.isWhitespace)
        while let last = result.last, last.isWhitespace { result.removeLast() }
        return result
    }
}
