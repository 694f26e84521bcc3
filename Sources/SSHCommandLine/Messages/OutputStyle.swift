import BridgeSSH

/// The form and amount of a subcommand's output.
struct OutputStyle {
    var json = false
    var quiet = false
    /// How often `-v` was given.
    var verbosity = 0
    var convention = ExitStatus.Convention.bridge
    var commands = ExitStatus.CommandStatus.remote
}
