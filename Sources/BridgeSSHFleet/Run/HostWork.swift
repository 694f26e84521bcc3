internal import BridgeSSH
package import SSHRun

/// Does the part of a run that one host is: over SSH, or, in a test, over nothing.
package protocol HostWork: Sendable {
    /// One attempt. All failures are in the report.
    func perform(_ attempt: HostAttempt) async -> AttemptReport
}

/// One attempt on a host, as its work gets it.
package struct HostAttempt: Sendable {
    /// The host as the run names it.
    package let host: String
    /// The number of the attempt, from 1.
    package let number: Int
    /// Ends the attempt in order.
    package let control: RunControl
    /// Where the attempt's connection lives, and its task runs.
    package let executor: LoopExecutor
    /// How far the server may be ahead of us, in bytes.
    package let window: Int
    /// The files that earlier attempts on the host have finished; nil where nothing is copied, or no host is tried again.
    let finished: SFTPFinishedFiles?
    let output: HostOutput
    let error: HostOutput
    let conductor: FleetConductor
    let index: Int

    /// The two outputs of the command.
    package var sinks: (any OutputSink, any OutputSink) { (output, error) }

    /// Takes a piece of the command's output.
    ///
    /// - Throws: `OutputFailure`.
    package func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
        try await (stream == .standardOutput ? output : error).write(bytes)
    }

    /// The host has accepted the login.
    package func loggedIn() async { await conductor.post(.loggedIn(host: index)) }

    /// Returns when it is durable that the command may be sent.
    ///
    /// - Throws: what the journal throws. The command must not be sent then.
    package func arm() async throws { try await conductor.arm(index) }

    /// Whether the password may be offered; waits for the host's turn.
    ///
    /// An offer that is neither answered nor taken back with ``left(_:)`` by the end of the attempt counts as refused.
    ///
    /// - Returns: nil where the attempt is over.
    package func turn(_ use: PasswordUse) async -> PasswordTurn? { await conductor.turn(use, of: index) }

    /// The password was offered to the host, and not sent.
    package func left(_ use: PasswordUse) async { await conductor.post(.passwordUnused(host: index, use)) }

    /// The host has accepted or refused the password.
    package func answered(_ use: PasswordUse, accepted: Bool) async {
        await conductor.post(.passwordAnswered(host: index, use, accepted: accepted))
    }
}

/// How an attempt ended.
package struct AttemptReport: Sendable {
    package var end: RunOutcome.End
    /// Where the host was reached; nil where that was never known.
    package var endpoint: SSHEndpoint?
    package var timings = SSHStageTimings()
    /// Whether all that was to be done was to log in.
    package var ranNothing = false
    /// Which way files were to be copied; nil where none were.
    package var direction: HostTransfer.Direction?
    /// What was copied, as far as it is known.
    package var copied: SFTPCopyResult?

    package init(_ end: RunOutcome.End, endpoint: SSHEndpoint? = nil, timings: SSHStageTimings = SSHStageTimings()) {
        self.end = end
        self.endpoint = endpoint
        self.timings = timings
    }
}

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

    /// The purpose of the connections, for `Match` in ssh's configuration.
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
