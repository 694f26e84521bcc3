import ArgumentParser

/// How the command is run.
struct ExecutionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Time that the command may run.", valueName: "seconds"), transform: Seconds.parse)
    var timeout: Seconds?

    @Option(help: ArgumentHelp("Time for which the command may write nothing.", valueName: "seconds"), transform: Seconds.parse)
    var idleTimeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "After the exit status, wait only this long for output that something left behind keeps open.",
            valueName: "seconds"),
        transform: Seconds.parse)
    var drain: Seconds?

    @Option(
        help: ArgumentHelp(
            "Set a variable for the command. Repeatable; the server may refuse (-v tells).", valueName: "name=value"),
        transform: EnvironmentVariable.parse)
    var env: [EnvironmentVariable] = []

    @Flag(name: [.customShort("t"), .long], help: "Give the command a terminal; its two outputs then come as one.")
    var tty = false

    @Option(
        help: ArgumentHelp("What the command reads, instead of our standard input.", valueName: "file|none"),
        completion: .file())
    var stdin: String?

    @Flag(name: .customShort("n"), help: "The command reads nothing: --stdin none.")
    var noInput = false
}
