import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A subcommand's definition: the only source of its help and its manual page.
struct CommandDescription {
    let type: any ParsableCommand.Type
    /// `bridge-ssh persist stop`.
    let path: [String]
    /// The whole program.
    private let program: any ParsableCommand.Type

    private init(_ type: any ParsableCommand.Type, path: [String], of program: any ParsableCommand.Type) {
        (self.type, self.path, self.program) = (type, path, program)
    }

    /// The description of a program.
    init(ofProgram program: any ParsableCommand.Type) {
        self.init(program, path: [program._commandName], of: program)
    }

    /// The description of the whole program.
    var root: Self { Self(ofProgram: program) }

    /// The description of the parent command. The program is its own parent.
    var parent: Self {
        path.dropFirst().dropLast().reduce(root) { parent, name in
            parent.subcommands.first { $0.path.last == name } ?? parent
        }
    }

    /// Whether each subcommand has a manual page of its own.
    var isPaged: Bool { path.count == 1 || type is any PagedCommand.Type }

    var name: String { path.joined(separator: " ") }
    var abstract: String { type.configuration.abstract }
    var text: [HelpBlock] { HelpBlock.blocks(of: type.configuration.discussion) }

    /// Subcommands, without hidden ones.
    var subcommands: [Self] {
        type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .map { Self($0, path: path + [$0._commandName], of: program) }
    }

    /// The line after "usage".
    var usage: String { type.configuration.usage ?? program.usageString(for: type) }

    /// Arguments and options under their headings, in the order of the definition.
    ///
    /// - Throws: only if the argument parser's own description cannot be read.
    func sections() throws -> [Section] {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8))
        var sections: [Section] = []
        for item in dump.command.arguments ?? [] where item.shouldDisplay {
            let title = item.sectionTitle ?? (item.kind == "positional" ? "Arguments" : "Options")
            if let index = sections.firstIndex(where: { $0.title == title }) {
                sections[index].items.append(item.item)
            } else {
                sections.append(Section(title: title, items: [item.item]))
            }
        }
        // Arguments come first, and options without a group last.
        let (first, last) = ("Arguments", "Options")
        return sections.filter { $0.title == first } + sections.filter { $0.title != first && $0.title != last }
            + sections.filter { $0.title == last }
    }

    struct Section {
        let title: String
        var items: [Item]
    }

    /// An option, a flag or an argument.
    struct Item {
        /// `-p`, `--port`.
        let names: [String]
        /// The placeholder after the names, or the argument itself.
        let value: String?
        let help: String
    }
}

extension CommandDescription {
    /// The parser's description of a command, as `--experimental-dump-help` prints it.
    private struct Dump: Decodable {
        let command: Command

        struct Command: Decodable {
            let arguments: [Argument]?
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let shouldDisplay: Bool
        let sectionTitle: String?
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let allValues: [String]?

        var item: Item {
            let all = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            let names = all.filter { !$0.hasPrefix("--") } + all.filter { $0.hasPrefix("--") }
            let value = kind == "flag" ? nil : valueName
            let values = (allValues ?? []).filter { value?.contains($0) != true && abstract?.contains("\($0) ") != true }
            let help = (abstract ?? "") + (values.isEmpty ? "" : " One of: \(values.joined(separator: ", ")).")
            return Item(names: names, value: value, help: help)
        }
    }
}
