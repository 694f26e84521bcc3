internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet report`: reports on a run.
struct FleetReportCommand: FleetSubcommand {
    static let name = "fleet report"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "report", abstract: "Report on a run: as text, or for a browser, a CI system or a program.",
            usage: "bridge-ssh fleet report [<options>] <run>",
            discussion: """
                Without options, shows the same text as a run at its end: the failures by cause, each with its remedy once, and how to continue.

                The page of --html is one file without scripts, which loads nothing. In the file of --junit every host is a test case, \
                also one that was not reached: failed is a failure, error and unknown are errors, skipped is skipped, and the type is \
                the failure's code. --json writes one object with everything in the run's journal.

                The same files are written at the end of a run by `bridge-ssh fleet run --html FILE --junit FILE`.

                EXAMPLES
                  bridge-ssh fleet report last
                  bridge-ssh fleet report --html run.html 20261123-021032-123k7f
                  bridge-ssh fleet report --junit run.xml --json last

                EXIT STATUS
                  0    the reports are written, whatever became of the run
                  199  wrong usage, or there is no such run
                """)
    }

    @OptionGroup var files: ReportOptions

    @Flag(help: "Write the run as one JSON object on standard output.")
    var json = false

    @Option(
        help: ArgumentHelp("Where the journals are.", valueName: "directory"), completion: .directory,
        transform: FileName.parse)
    var journal: String?

    @Argument(help: ArgumentHelp("The run: last, its name, the start of its name, or its file.", valueName: "run"))
    var run: String

    /// The options of the run that name its inventory; none if the journal does not have its arguments.
    private static func inventory(of info: RunInfo) -> [String] {
        guard info.subject.areArgumentsWhole, !info.subject.arguments.isEmpty,
            let command = try? FleetParser.parse(info.subject.arguments) as? any ResumableSubcommand
        else { return [] }
        return command.selection.inventoryWords
    }

    func perform() async throws -> SSHExitStatus {
        let files = try files.files(isQuiet: true)
        let directory = JournalLocation.directory(journal, home: FleetProcess.environment().home)
        let history = RunHistory(directory)
        let path = try JournalLocation.refusing(run) { () throws(JournalProblem) in try history.path(of: run) }
        do {
            let reader = try JournalReader(path)
            let info = try reader.info()
            let reference = RunReference(
                run: info.name, file: run.contains("/") ? run : nil, option: directory.option,
                incompleteSubcommand: info.subject.isWhole ? nil : info.subject.kind, inventory: Self.inventory(of: info))
            var form = ShowOptions.displayForm.form
            // The report goes to standard output.
            form.isErrorTerminal = form.isOutputTerminal
            let output = TerminalForm.of(1)
            (form.width, form.glyphs) = (output.width, output.glyphs)
            var report = try reader.report(
                reference, form: form, memory: ReportFiles.memory, spillDirectory: ReportFiles.spillDirectory,
                folded: FleetRunConfiguration.fold)
            report.run.isUnderWay = info.finishedAt == nil && history.isUnderWay(info.name)
            try files?.write(report)
            if json { try ReportJSON.write(report, from: reader) { FleetProcess.output(String(decoding: $0, as: UTF8.self)) } }
            if files == nil, !json { FleetProcess.show(report.text) }
        } catch let problem as JournalProblem {
            throw problem.refusal(run)
        }
        return .success
    }
}
