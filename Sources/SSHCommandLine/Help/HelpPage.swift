import ErrorCore

/// A subcommand's help for a terminal. Paragraphs are as wide as the terminal; commands are never broken.
struct HelpPage {
    let description: CommandDescription
    let width: Int

    /// Longer lines are hard to read.
    private static let widest = 120
    private static let narrowest = 30
    private static let margin = "  "
    /// Where the meaning of an option begins; a narrow terminal has it below the option.
    private static let column = 26

    init(_ description: CommandDescription, columns: Int) {
        self.description = description
        width = Self.width(of: columns)
    }

    /// The columns of a terminal's that help takes. In fewer than ``narrowest`` the parser's own page would be empty.
    static func width(of columns: Int) -> Int { min(max(columns, narrowest), widest) }

    /// - Throws: only if the argument parser's own description cannot be read.
    func text() throws -> String {
        let all = description.text
        let end = all.firstIndex { if case .heading = $0 { true } else { false } } ?? all.endIndex
        var parts = [folded(description.abstract), ["USAGE"] + synopsis]
        parts += all[..<end].map(lines)
        for section in try description.sections() {
            parts.append([section.title.uppercased()] + section.items.flatMap { entry(Self.label($0), $0.help) })
        }
        if !description.subcommands.isEmpty {
            parts.append(["COMMANDS"] + description.subcommands.flatMap { entry($0.path.last ?? "", $0.abstract) })
        }
        var heading: [String] = []
        for block in all[end...] {
            if case .heading(let title) = block {
                heading = [title]
            } else {
                parts.append(heading + lines(block))
                heading = []
            }
        }
        if !description.subcommands.isEmpty {
            parts.append(folded("`\(description.name) COMMAND --help` says more of one."))
        }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// Its lines, the ones behind the first indented more.
    private var synopsis: [String] {
        let lines = TerminalText.fold(description.usage, width: width - 2 * Self.margin.count)
        return lines.enumerated().map { Self.margin + ($0.offset == 0 ? "" : Self.margin) + $0.element }
    }

    private static func label(_ item: CommandDescription.Item) -> String {
        let value = item.value.map { "<\($0)>" }
        guard !item.names.isEmpty else { return value ?? "" }
        return item.names.joined(separator: ", ") + (value.map { " \($0)" } ?? "")
    }

    private func lines(_ block: HelpBlock) -> [String] {
        switch block {
        case .heading(let title): return [title]
        case .paragraph(let text): return folded(text)
        case .verbatim(let lines): return lines.map { Self.margin + $0 }
        case .terms(let terms):
            let column = (terms.map { TerminalText.columns($0.term) }.max() ?? 0) + Self.margin.count + 2
            return terms.flatMap { entry($0.term, $0.meaning, column: column) }
        }
    }

    private func entry(_ label: String, _ text: String, column: Int = column) -> [String] {
        let head = Self.margin + label
        guard width >= column + Self.narrowest else { return [head] + folded(text, indentation: 6) }
        let lines = folded(text, indentation: column)
        guard let first = lines.first, TerminalText.columns(head) + 2 <= column else { return [head] + lines }
        return [head + first.dropFirst(TerminalText.columns(head))] + lines.dropFirst()
    }

    private func folded(_ text: String, indentation: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        return TerminalText.fold(text, width: width - indentation).map { margin + $0 }
    }
}
