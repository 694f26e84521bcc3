public import ArgumentParser
public import BridgeSSH

/// What becomes of the command's exit status.
struct StatusOptions: ParsableArguments {
    static let fileOption = "--status-file"

    @Option(
        help: ArgumentHelp(
            "The exit status of a command that fails: its own (remote), or always 1, so that 193–199 are never the command's (strict).",
            valueName: "remote|strict"))
    var exitStatus: ExitStatus.CommandStatus?

    @Option(
        help: ArgumentHelp(
            "Write how the command ended to a file, on one line: exited STATUS CODE, signalled NAME CODE, or none - CODE.",
            valueName: "file"),
        completion: .file())
    var statusFile: String?

    /// What becomes of the command's exit status.
    var commandStatus: ExitStatus.CommandStatus { exitStatus ?? .remote }
}

// By their names.
extension ExitStatus.CommandStatus: ExpressibleByArgument, ArgumentValue {}

extension StatusOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--exit-status") { $0.exitStatus = $1 },
        .value(fileOption) { $0.statusFile = $1 },
    ]
}
