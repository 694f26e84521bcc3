/// What a fleet run does on every host.
public struct FleetAction: Sendable {
    package let program: FleetJob

    package init(_ program: FleetJob) { self.program = program }

    /// Runs a command.
    ///
    /// - Parameter command: given to the user's login shell as it is (RFC 4254 section 6.5).
    public static func command(_ command: String) -> FleetAction { FleetAction(.command(command)) }

    /// Runs a script, which is sent on standard input.
    ///
    /// - Parameters:
    ///   - content: the script.
    ///   - arguments: the script's; each reaches it as it is.
    ///   - interpreter: a command line that reads a script from standard input, and takes the arguments after `--`.
    public static func script(
        _ content: [UInt8], arguments: [String] = [], interpreter: String = "sh -s"
    ) -> FleetAction {
        FleetAction(.script(content, arguments: arguments, interpreter: interpreter, name: "script"))
    }

    /// Reaches each host, verifies its key and logs in, and runs nothing.
    public static let check = FleetAction(.check)
}
