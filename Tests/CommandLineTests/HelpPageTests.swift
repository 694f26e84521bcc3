import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite("Help") struct HelpPageTests {
    private static func all(_ description: CommandDescription = CommandDescription(ofProgram: BridgeSSHCommand.self))
        -> [CommandDescription]
    {
        [description] + description.subcommands.flatMap { all($0) }
    }

    static let names = all().map { Array($0.path.dropFirst()) }

    @Test("it fits the terminal, and commands stay whole", arguments: names, [40, 80, 200])
    func widths(_ path: [String], _ columns: Int) throws {
        let subject = try HelpRequest.subject(of: ["help"] + path)
        let page = try HelpPage(subject, columns: columns).text()
        var verbatim: [String] = []
        for case .verbatim(let lines) in subject.text { verbatim += lines }
        let lines = page.split(separator: "\n").map(String.init)
        for command in verbatim { #expect(lines.contains("  " + command)) }
        for line in lines where TerminalText.columns(line) > columns {
            // Usage, examples, names of options and commands in backquotes may be longer.
            let text = line.drop { $0 == " " }
            #expect(
                text.hasPrefix("-") || text.hasPrefix("<") || text.hasPrefix("bridge-ssh ") || text.contains("`")
                    || verbatim.contains(String(text)), "\(line)")
        }
        #expect(page.contains(subject.abstract.prefix(20)))
    }

    @Test("a paragraph is as wide as the terminal") func flows() throws {
        let subject = try HelpRequest.subject(of: ["run", "--help"])
        func longest(_ columns: Int) throws -> Int {
            try HelpPage(subject, columns: columns).text().split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(\.count).max()
                ?? 0
        }
        #expect(try longest(40) <= 40)
        #expect(try (70...80).contains(longest(80)))
        #expect(try (110...120).contains(longest(200)))
        // Only the last line of a paragraph is short.
        let page = try HelpPage(subject, columns: 80).text()
        #expect(!page.contains("a password.\n"))
    }

    @Test("in a very narrow terminal the program's page is as narrow as possible", arguments: [1, 20, 26])
    func tooNarrow(_ columns: Int) {
        let page = BridgeSSHCommand.helpMessage(columns: HelpPage.width(of: columns))
        #expect(page.contains("bridge-ssh run --help"))
        #expect(page.contains("doctor"))
    }

    @Test("every option of the definition is in the help and in the manual", arguments: names)
    func complete(_ path: [String]) throws {
        let subject = try HelpRequest.subject(of: ["help"] + path)
        let page = try HelpPage(subject, columns: 80).text()
        let manual = try ManualPage(description: subject).text()
        let names = try subject.sections().flatMap(\.items).flatMap(\.names)
        #expect(names.contains("--help"))
        for name in names {
            #expect(page.contains(name))
            #expect(manual.contains("\\fB\(ManualPage.escaped(name))\\fR"), "\(name)")
        }
    }

    @Test(
        "help for an unknown command fails",
        arguments: [(["help", "rnu"], "did you mean run?"), (["help", "persist", "lst"], "list?")])
    func unknown(_ arguments: [String], _ words: String) {
        let problem = #expect(throws: UsageProblem.self) { try HelpRequest.subject(of: arguments) }
        #expect(problem?.verdict.message.contains(words) == true)
    }

    @Test("the subject is the subcommand that is named") func theSubjectIsTheSubcommandThatIsNamed() throws {
        #expect(try HelpRequest.subject(of: ["persist", "stop", "--help"]).name == "bridge-ssh persist stop")
        #expect(try HelpRequest.subject(of: ["run", "--help"]).name == "bridge-ssh run")
        #expect(try HelpRequest.subject(of: ["--help"]).name == "bridge-ssh")
        #expect(try HelpRequest.subject(of: ["run", "-v", "web1", "--help"]).name == "bridge-ssh run")
    }

    @Test("a text has blocks") func aTextHasBlocks() {
        let blocks = HelpBlock.blocks(
            of: "One\ntwo.\n\nThree.\n\nEXAMPLES\n  a b\n  c\n\nEXIT STATUS\n  0   fine\n  128+n  killed  by n")
        #expect(
            blocks == [
                .paragraph("One two."), .paragraph("Three."), .heading("EXAMPLES"), .verbatim(["a b", "c"]),
                .heading("EXIT STATUS"),
                .terms([.init(term: "0", meaning: "fine"), .init(term: "128+n", meaning: "killed  by n")]),
            ])
    }

    @Test(
        "roff output",
        arguments: [
            ("a-b", "a\\-b"), (".x", "\\&.x"), ("\\", "\\e"), ("'x'", "\\(aqx\\(aq"), ("1–2", "1\\[u2013]2"),
        ])
    func roff(_ text: String, _ escaped: String) { #expect(ManualPage.escaped(text) == escaped) }

    @Test("commands and options are bold") func commandsAndOptionsAreBold() {
        #expect(ManualPage.marked("See `run x` or --json, -v.") == "See \\fBrun x\\fR or \\fB\\-\\-json\\fR, \\fB\\-v\\fR\\&.")
    }
}

@Suite("Completion of hosts") struct HostCompletionTests {
    @Test(
        "candidates",
        arguments: [("we", ["web1", "web2"]), ("bob@we", ["bob@web1", "bob@web2"]), ("x", []), ("", ["db", "web1", "web2"])])
    func candidates(_ word: String, _ found: [String]) {
        #expect(HostCompletion.candidates(for: word, ["db", "web1", "web2"]) == found)
    }

    @Test(
        "completion of run's host",
        arguments: [
            (["bridge-ssh", "run", "we"], 2, false), (["bridge-ssh", "run", "-p", "22", "we"], 4, false),
            (["bridge-ssh", "run", "web1", "l"], 3, true), (["bridge-ssh", "run", "-v", "--", "w"], 4, false),
            (["bridge-ssh", "run", "bob", "@", "w"], 4, false), (["bridge-ssh", "run", "bob", "@"], 3, false),
            (["bridge-ssh", "run", "bob", "@", "web1", "l"], 5, true),
            (["bridge-ssh", "run", "--", "web1", "l"], 4, true),
        ])
    func hostOfRun(_ words: [String], _ index: Int, _ has: Bool) {
        #expect(HostCompletion.hasHost(words, before: index) == has)
    }
}
