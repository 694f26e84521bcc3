/// A part of a subcommand's text. It is written as plain text: paragraphs with empty lines between, headings in capitals, and
/// indented lines, which are commands, or a term and its meaning with two spaces between.
enum HelpBlock: Equatable {
    case heading(String)
    case paragraph(String)
    /// Lines as they are: nothing in them may be moved.
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

    /// An empty line ends a paragraph, which an empty one stands for here.
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
