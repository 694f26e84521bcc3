internal import BridgeSSH
package import SSHRun

/// What is done on every host.
package struct FleetJob: Sendable {
    /// The command line for the remote shell; nil to log in and run nothing.
    package var command: String?
    /// Files to copy in place of a command.
    package var transfer: FleetTransfer?
    /// What every host's command reads.
    package var input = FleetInput.none
    /// The password for sudo, through which the command then runs; nil without sudo.
    package var sudo: SudoPassword?
    /// As a person would read it.
    package var title: String

    package init(command: String?, title: String) {
        self.command = command
        self.title = title
    }

    package static func command(_ command: String) -> FleetJob { FleetJob(command: command, title: command) }

    /// Copy files, and run nothing.
    package static func transfer(_ transfer: FleetTransfer) -> FleetJob {
        var job = FleetJob(command: nil, title: transfer.title)
        job.transfer = transfer
        return job
    }

    /// What is done, as a person would say it.
    package var intent: String {
        if transfer != nil { return title }
        return command == nil ? "check" : "run \(title)"
    }

    /// What ssh's configuration is told that the connections are for.
    package var session: SSHConfigSession { transfer == nil ? .command(command ?? "") : .subsystem("sftp") }

    /// Whether a host can fail at it after its login.
    package var mayFail: Bool { command != nil || transfer != nil }

    /// Log in, and run nothing.
    package static let check = FleetJob(command: nil, title: "check")

    /// A script on standard input.
    ///
    /// - Parameters:
    ///   - interpreter: a command line that reads a script there, and takes the arguments after `--`.
    package static func script(_ content: [UInt8], arguments: [String], interpreter: String = "sh -s", name: String) -> FleetJob {
        let words = arguments.isEmpty ? "" : " -- " + arguments.map(ShellWord.quoted).joined(separator: " ")
        var program = FleetJob(
            command: interpreter + words, title: ([name] + arguments.map(ShellWord.quoted)).joined(separator: " "))
        program.input = .bytes(content)
        return program
    }
}
