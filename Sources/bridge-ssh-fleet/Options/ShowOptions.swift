internal import ArgumentParser
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// The options for a run's output and journal.
struct ShowOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "live, fold, diff, jsonl, files=DIRECTORY or quiet; several with commas between them (live).",
            valueName: "mode,…"))
    var output: String?

    @Flag(name: .customShort("b"), help: "Show equal outcome and output once, under the folded names: --output fold.")
    var fold = false

    @Flag(help: "With jsonl, also write output as it comes.")
    var stream = false

    @Flag(name: .shortAndLong, help: "Suppress bridge-ssh's own messages.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Write more on standard error: progress even if it is not a terminal.")
    var verbose: Int

    @Option(
        help: ArgumentHelp(
            "How much of each output stream of a host is kept; the rest is counted and hashed (1M).", valueName: "bytes"),
        transform: BytesOption.parse)
    var outputLimit: BytesOption?

    @Option(
        help: ArgumentHelp("Where the run's journal is kept, or none for no journal.", valueName: "directory|none"),
        transform: FileName.parse)
    var journal: String?

    @Option(help: ArgumentHelp("Whether the journal has the hosts' output: all or none (all).", valueName: "all|none"))
    var journalOutput = "all"

    @Option(
        help: ArgumentHelp(
            "Whether the journal and the reports have the command and the options, as far as they show no secret: all or none (all).",
            valueName: "all|none"))
    var journalCommand = "all"

}

extension ShowOptions {
    /// - Throws: `UsageProblem`.
    func display() throws -> FleetDisplay.Options {
        var options = Self.displayForm
        do throws(OutputModes.Problem) {
            options.modes = try OutputModes(output, isFolded: fold)
        } catch {
            throw UsageProblem(field: "--output", problem: error.text)
        }
        options.streams = stream
        options.isQuiet = quiet
        options.isVerbose = verbose > 0
        return options
    }

    /// The form of this process's standard output and standard error.
    static var displayForm: FleetDisplay.Options {
        var options = FleetDisplay.Options()
        let (out, err) = (TerminalForm.of(1), TerminalForm.of(2))
        options.form.isOutputTerminal = out.isTerminal
        options.form.isErrorTerminal = err.isTerminal
        options.form.isErrorDumb = !err.mayRedraw
        options.form.isShared = StandardDescriptors.areOne
        options.form.width = err.isTerminal ? err.width : out.width
        if err.isTerminal { options.width = { TerminalForm.of(2).width } }
        options.form.color = out.color || err.color
        options.form.glyphs = err.glyphs
        options.spillDirectory = FleetProcess.variable("TMPDIR") ?? "/tmp"
        return options
    }

    /// The name of the run in suggested commands.
    ///
    /// - Parameters:
    ///   - file: its journal, if the run is resumed and was named by that file.
    ///   - subject: the run's subject, with all options.
    ///   - inventory: the options that name its inventory.
    func reference(to run: String, file: String?, subject: RunSubject, inventory: [String], home: String) -> RunReference {
        RunReference(
            run: run, file: file, option: JournalLocation.directory(journal, home: home).option,
            incompleteSubcommand: subject.isWhole && journalCommand == "all" ? nil : subject.kind, inventory: inventory)
    }

    /// Whether the journal keeps the hosts' output.
    ///
    /// - Throws: `UsageProblem`.
    func keepsOutput() throws -> Bool {
        guard ["all", "none"].contains(journalOutput) else {
            throw UsageProblem(field: "--journal-output", problem: "“\(journalOutput)” is neither all nor none")
        }
        return journalOutput == "all"
    }

    /// Whether the journal keeps the arguments of the run.
    ///
    /// - Throws: `UsageProblem`.
    func keepsCommand() throws -> Bool {
        guard ["all", "none"].contains(journalCommand) else {
            throw UsageProblem(field: "--journal-command", problem: "“\(journalCommand)” is neither all nor none")
        }
        return journalCommand == "all"
    }

    /// The directory of the journal; nil without one.
    func directory(home: String) -> JournalDirectory? {
        journal == "none" ? nil : JournalLocation.directory(journal, home: home)
    }

    /// The bytes kept of each stream of a host; 0 if nothing needs them.
    func limit(_ modes: OutputModes, journal: Bool, html: Bool) throws -> Int {
        let isWanted = modes.modes.contains { mode in
            switch mode {
            case .fold, .diff, .jsonl, .files: true
            case .live, .quiet: false
            }
        }
        let keepsInJournal = try keepsOutput() && journal
        return isWanted || keepsInJournal || html ? outputLimit?.count ?? 1 << 20 : 0
    }
}
