import ArgumentParser
import BridgeSSH
import ErrorCore

/// `bridge-ssh persist`: the helpers that keep connections.
struct PersistCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "persist",
            abstract: "List or end the connections that --persist keeps.",
            discussion: """
                A run or copy with --persist leaves its connection to a helper process in the background. The helper ends when the \
                connection has been idle for the given time. Other runs and copies with --persist to the same destination, with the \
                same settings, use the connection.

                EXAMPLES
                  bridge-ssh run --persist 10m web1 uptime
                  bridge-ssh copy --persist 10m app.conf web1:/etc/app/
                  bridge-ssh persist list
                  bridge-ssh persist stop web1

                EXIT STATUS
                  0    done, also if no connection is kept
                  194  a process did not end within five seconds
                  199  wrong usage
                """,
            subcommands: [PersistListCommand.self, PersistStopCommand.self])
    }
}

/// `bridge-ssh persist list`.
struct PersistListCommand: ParsableCommand, LongRunningCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "List kept connections.")
    }

    @Flag(help: "Write one JSON object.")
    var json = false

    func perform() async -> SSHExitStatus {
        let helpers = await HelperList.running()
        Console.standardOutput(json ? HelperTable.json(helpers) : HelperTable.text(helpers))
        if helpers.isEmpty, !json { Console.note("no connection is kept") }
        return .success
    }
}

/// `bridge-ssh persist stop`.
struct PersistStopCommand: ParsableCommand, LongRunningCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "stop",
            abstract: "End kept connections.",
            discussion: """
                A command that still runs over one of them may finish; no new command starts. A process that does not answer is \
                killed. It is not a failure if no connection is kept. If a process has not ended after five seconds, a message says so, \
                and the status is 194.
                """)
    }

    @Flag(help: "End all kept connections.")
    var all = false

    @Argument(
        help: ArgumentHelp("The destination, as typed for the run or as persist list shows it.", valueName: "destination"),
        completion: .hosts)
    var destination: String?

    func validate() throws {
        guard all != (destination != nil) else { throw ValidationError("Name one destination, or give --all; not both.") }
    }

    func perform() async -> SSHExitStatus {
        var status = SSHExitStatus.success
        let helpers = await HelperList.running().filter { helper in destination.map(helper.isMeant) ?? true }
        if helpers.isEmpty {
            Console.note(
                "no connection is kept" + (destination.map { " to \(TerminalText.escape($0))" } ?? "") + ": nothing to stop")
        }
        for helper in helpers {
            guard await !helper.stop() else { continue }
            Console.note(helper.remains)
            status = .timedOut
        }
        return status
    }
}
