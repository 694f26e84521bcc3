package import ArgumentParser
import ErrorCore

/// A subcommand's help for a terminal. Paragraphs are as wide as the terminal; commands are never broken.
struct HelpPage {
    let description: CommandDescription
    let width: Int

    /// Longer lines are hard to read.
    private static let maximumWidth = 120
    private static let minimumWidth = 30
    private static let margin = "  "
    /// The column of the options' meanings. On a narrow terminal the meaning is below the option.
    private static let column = 26

    init(_ description: CommandDescription, columns: Int) {
        self.description = description
        width = Self.width(of: columns)
    }

    /// The width of the help for a terminal's columns. With fewer than ``minimumWidth`` the parser's own page would be empty.
    static func width(of columns: Int) -> Int { min(max(columns, minimumWidth), maximumWidth) }

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
            parts.append(folded("`\(description.name) COMMAND --help` describes one of them."))
        }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// The lines of the usage; all but the first have a larger indent.
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
        guard width >= column + Self.minimumWidth else { return [head] + folded(text, indentation: 6) }
        let lines = folded(text, indentation: column)
        guard let first = lines.first, TerminalText.columns(head) + 2 <= column else { return [head] + lines }
        return [head + first.dropFirst(TerminalText.columns(head))] + lines.dropFirst()
    }

    private func folded(_ text: String, indentation: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        return TerminalText.fold(text, width: width - indentation).map { margin + $0 }
    }
}

/// A part of a subcommand's text. The text consists of paragraphs with empty lines between, headings in capitals, and indented
/// lines. An indented line is a command, or a term and its meaning with two spaces between.
enum HelpBlock: Equatable {
    case heading(String)
    case paragraph(String)
    /// Lines that are never folded.
    case verbatim([String])
    case terms([Term])

    struct Term: Equatable {
        let term: String
        let meaning: String
    }

    static func blocks(of text: String) -> [HelpBlock] {
        var blocks: [HelpBlock] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            blocks.append(contentsOf: block(of: line))
        }
        return merged(blocks)
    }

    /// The blocks of one line. An empty line becomes an empty paragraph, which ends the paragraph before it.
    private static func block(of line: Substring) -> [HelpBlock] {
        if line.allSatisfy({ $0 == " " }) { return [.paragraph("")] }
        if line.hasPrefix("  ") {
            let content = line.drop { $0 == " " }
            guard let gap = content.firstRange(of: "  ") else { return [.verbatim([String(content)])] }
            return [
                .terms([
                    Term(
                        term: String(content[..<gap.lowerBound]),
                        meaning: String(content[gap.upperBound...].drop { $0 == " " }))
                ])
            ]
        }
        if line.count > 3, line.allSatisfy({ $0.isUppercase || $0 == " " }) { return [.heading(String(line))] }
        return [.paragraph(String(line))]
    }

    /// Joins the lines of one block.
    private static func merged(_ blocks: [HelpBlock]) -> [HelpBlock] {
        var result: [HelpBlock] = []
        var isJoined = false
        for block in blocks {
            switch (block, result.last) {
            case (.paragraph(""), _): isJoined = false
            case (.paragraph(let line), .paragraph(let before)?) where isJoined:
                result[result.count - 1] = .paragraph(before + " " + line)
            case (.verbatim(let lines), .verbatim(let before)?): result[result.count - 1] = .verbatim(before + lines)
            case (.terms(let terms), .terms(let before)?): result[result.count - 1] = .terms(before + terms)
            default: result.append(block)
            }
            isJoined = block != .paragraph("")
        }
        return result
    }
}

/// A command whose subcommands have manual pages of their own.
package protocol PagedCommand: ParsableCommand {}
