internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import ErrorCore
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet list`: lists the runs whose journals are kept.
struct FleetListCommand: FleetSubcommand {
    static let name = "fleet list"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the runs that are kept, the newest first.",
            usage: "bridge-ssh fleet list [<options>]")
    }

    @Option(
        help: ArgumentHelp("The directory of the journals.", valueName: "directory"), completion: .directory,
        transform: FileName.parse)
    var journal: String?

    func perform() async throws -> SSHExitStatus {
        let home = FleetProcess.environment().home
        let directory = JournalLocation.directory(journal, home: home)
        let history = RunHistory(directory)
        let names = try JournalLocation.refusing("--journal") { () throws(JournalProblem) in try history.names() }
        if names.isEmpty { FleetProcess.note("there is no run in \(directory.path)") }
        let width = TerminalForm.of(1)
        var status = SSHExitStatus.success
        for name in names {
            do throws(JournalProblem) {
                let reader = try JournalReader(history.path(of: name), check: nil)
                let line = RunLine(try reader.info(), try reader.outcomes(), isUnderWay: history.isUnderWay(name)).text
                FleetProcess.show(RunLine.cut(line, width.isTerminal ? width.width : RunLine.maximumLength) + "\n")
            } catch {
                FleetProcess.note("\(name): \(error.text)")
                status = .localFailure
            }
        }
        return status
    }
}

struct RunLine {
    private let info: RunInfo
    private let outcomes: [FleetHostOutcome: Int]
    private let isUnderWay: Bool

    init(_ info: RunInfo, _ outcomes: [FleetHostOutcome: Int], isUnderWay: Bool) {
        self.info = info
        self.outcomes = outcomes
        self.isUnderWay = isUnderWay
    }

    /// `20261123-021032-123k7f  2026-11-23 03:10:32  exit 1       12 hosts: 10 ok, 2 failed  run uptime`. The time in the name is
    /// in UTC.
    var text: String {
        let isScript = info.subject.kind == "script"
        let whole = (isScript ? info.subject.scriptPath : nil) ?? info.subject.command
        let command = info.subject.omitsCommandText ? "(not in the journal)" : PathText.shown(whole)
        let parts = [
            info.name, FleetTimestamp.local(info.startedAt), state + String(repeating: " ", count: max(0, 11 - state.count)),
            "\(Formatted.hosts(info.hosts)): \(FleetHostOutcome.text(of: outcomes))",
            info.subject.kind + (command.isEmpty ? "" : " " + TerminalText.escape(command).replacing("\n", with: " ")),
        ]
        return parts.joined(separator: "  ")
    }

    private var state: String {
        if isUnderWay { return "running" }
        return info.exitStatus.map { "exit \($0)" } ?? "interrupted"
    }

    /// The columns of a line if the output is not a terminal. A command may be longer than a page.
    static let maximumLength = 240

    /// The start of a line, cut to the width.
    static func cut(_ line: String, _ width: Int) -> String {
        guard TerminalText.columns(line) > width else { return line }
        var (text, used) = ("", 0)
        for character in line {
            used += TerminalText.columns(String(character))
            // The ASCII ellipsis takes three columns.
            guard used <= width - 3 else { break }
            text.append(character)
        }
        return text + "…"
    }
}
