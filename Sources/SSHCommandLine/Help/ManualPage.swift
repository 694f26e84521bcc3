import BridgeSSH

/// A subcommand's manual page (man(7)), from the same definition as its help.
struct ManualPage {
    let description: CommandDescription

    /// The name of the page: `bridge-ssh-run`.
    private static func page(_ description: CommandDescription) -> String { description.path.joined(separator: "-") }

    /// A marker: scripts/generate/manual inserts the sections that only the manual has here.
    static let place = ".\\\" more"

    /// - Throws: only if the argument parser's own description cannot be read.
    func text() throws -> String {
        let name = Self.page(description)
        var lines = [
            ".\\\" Written by scripts/generate/manual from the definition of the options; change them there.",
            ".TH \(name.uppercased()) 1 \"\" \"bridge-ssh \(Product.version)\" \"User Commands\"",
            ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(Self.clause(description.abstract)))", ".SH SYNOPSIS",
        ]
        lines += synopsis
        lines.append(".SH DESCRIPTION")
        let all = description.text
        let end = all.firstIndex { if case .heading = $0 { true } else { false } } ?? all.endIndex
        lines += all[..<end].flatMap(Self.lines)
        if !description.subcommands.isEmpty {
            lines.append(".SH COMMANDS")
            lines += description.subcommands.flatMap { Self.term("\\fB\(Self.escaped($0.name))\\fR", $0.abstract) }
        }
        lines += try Self.options(of: description)
        if !description.isPaged {
            for command in description.subcommands { lines += try Self.options(of: command, title: command.name) }
        }
        lines += all[end...].flatMap(Self.lines)
        if description.path.count == 1 { lines += Self.statuses }
        lines.append(Self.place)
        lines += [".SH SEE ALSO", seeAlso]
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Parts

    private var synopsis: [String] {
        let commands = description.subcommands.isEmpty ? [description] : description.subcommands
        return commands.flatMap { [".B \(Self.escaped($0.usage))", ".br"] }.dropLast()
    }

    private static func options(of description: CommandDescription, title: String? = nil) throws -> [String] {
        var lines = [".SH \(escaped((title ?? "options").uppercased()))"]
        if title != nil { lines += description.text.flatMap(Self.lines) }
        for section in try description.sections() {
            if section.title != "Options" { lines.append(".SS \(escaped(section.title))") }
            lines += section.items.flatMap { item in
                // A placeholder for several arguments contains marks between them: `hosts> <command`.
                let value = item.value.map { "\\fI\(escaped($0.filter { $0 != "<" && $0 != ">" }))\\fR" }
                let names = item.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
                return term([names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " "), item.help)
            }
        }
        return lines
    }

    /// Every exit status of bridge-ssh's own, with the failures that end with it.
    private static var statuses: [String] {
        let statuses = Set(CodeExplanation.all.map(\.definition.exitStatus)).sorted { $0.rawValue < $1.rawValue }
        return [
            ".SH EXIT STATUS", "The failures with each exit status. \\fBbridge\\-ssh explain\\fR describes one of them.",
        ]
            + statuses.flatMap { status in
                term("\\fB\(status)\\fR", status.meaning ?? "")
                    + status.codes.flatMap { [".br", "\(escaped($0.rawValue)): \(escaped($0.meaning))"] }
            }
    }

    private var seeAlso: String {
        let parent = description.isPaged ? description : description.parent
        let pages = ([description.root, parent] + parent.subcommands).filter { $0.path != description.path }
            .reduce(into: [CommandDescription]()) { pages, page in if pages.last?.path != page.path { pages.append(page) } }
        return (pages.map { "\\fB\(Self.escaped(Self.page($0)))\\fR(1)" } + ["\\fBssh\\fR(1)", "\\fBssh_config\\fR(5)"])
            .joined(separator: ", ")
    }

    private static func lines(_ block: HelpBlock) -> [String] {
        switch block {
        case .heading(let title): [".SH \(escaped(title))"]
        case .paragraph(let text): [".PP", marked(text)]
        case .verbatim(let lines): [".PP", ".nf"] + lines.map(escaped) + [".fi"]
        case .terms(let terms): terms.flatMap { term("\\fB\(escaped($0.term))\\fR", $0.meaning) }
        }
    }

    private static func term(_ term: String, _ text: String) -> [String] { [".TP", term, marked(text)] }

    // MARK: Characters

    /// Text with commands in backquotes, and options, in bold.
    static func marked(_ text: String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            if index % 2 == 1 { return "\\fB\(escaped(String(part)))\\fR" }
            return part.split(separator: " ", omittingEmptySubsequences: false).map { word in
                guard word.hasPrefix("-"), word.dropFirst().contains(where: \.isLetter) else { return escaped(String(word)) }
                let name = word.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
                return "\\fB\(escaped(String(name)))\\fR\(escaped(String(word[name.endIndex...])))"
            }.joined(separator: " ")
        }.joined()
    }

    /// Escapes text that roff would read as a request or a hyphen, and names characters beyond ASCII (groff_char(7)).
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": output += "\\e"
            case "-": output += "\\-"
            case "'": output += "\\(aq"
            case "~": output += "\\(ti"
            case "^": output += "\\(ha"
            case "`": output += "\\(ga"
            case "\"": output += "\\(dq"
            case let scalar where scalar.isASCII: output.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16).uppercased()
                output += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return output.hasPrefix(".") ? "\\&" + output : output
    }

    /// A text for the NAME section: no initial capital, no period.
    private static func clause(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
