package import BridgeSSH
package import SSHRun

/// The action on every host.
package struct FleetJob: Sendable {
    /// The command line for the remote shell; nil to log in only.
    package var command: String?
    /// The files to copy instead of running a command.
    package var transfer: FleetTransfer?
    /// The input of every host's command.
    package var input = FleetInput.none
    /// The names of the variables whose refusal is reported.
    package var variables: [String] = []
    /// The options for typing the command into a shell; nil for an exec request.
    package var shell: SSHShellOptions?
    /// The password for sudo, which then runs the command; nil to run it without sudo.
    package var sudo: SudoPassword?
    /// Whether a host on which nothing runs reports its offer of post-quantum key exchange as its output.
    package var reportsOffer = true
    /// The title, as a person would read it.
    package var title: String

    package init(command: String?, title: String) {
        self.command = command
        self.title = title
    }

    package static func command(_ command: String) -> FleetJob { FleetJob(command: command, title: command) }

    /// Copies files and runs no command.
    package static func transfer(_ transfer: FleetTransfer) -> FleetJob {
        var job = FleetJob(command: nil, title: transfer.title)
        job.transfer = transfer
        return job
    }

    /// The purpose, as a person would say it.
    package var intent: String {
        if transfer != nil { return title }
        return command == nil ? "check" : "run \(title)"
    }

    /// The session type that `Match` in ssh's configuration sees.
    package var session: SSHConfigSession { transfer == nil ? .command(command ?? "") : .subsystem("sftp") }

    /// Whether a host can fail after its login.
    package var mayFail: Bool { command != nil || transfer != nil }

    /// Logs in and runs no command.
    package static let check = FleetJob(command: nil, title: "check")

    /// Runs a script, sent on standard input.
    ///
    /// - Parameters:
    ///   - interpreter: a command line that reads a script from standard input, and takes the arguments after `--`.
    package static func script(_ content: [UInt8], arguments: [String], interpreter: String = "sh -s", name: String) -> FleetJob {
        let words = arguments.isEmpty ? "" : " -- " + arguments.map(ShellWord.quoted).joined(separator: " ")
        var program = FleetJob(
            command: interpreter + words, title: ([name] + arguments.map(ShellWord.quoted)).joined(separator: " "))
        program.input = .bytes(content)
        return program
    }
}
