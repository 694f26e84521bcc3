package import BridgeSSH
package import SSHRun

/// Does a run's work on one host: over SSH, or simulated in a test.
package protocol HostRunner: Sendable {
    /// Makes one attempt. The report contains every failure.
    func perform(_ attempt: HostAttempt) async -> AttemptReport
}

/// One attempt on a host, as its work receives it.
package struct HostAttempt: Sendable {
    /// The host as the run names it.
    package let host: String
    /// The number of the attempt, from 1.
    package let number: Int
    /// Ends the attempt in order.
    package let control: RunControl
    /// The executor of the attempt's connection and of its task.
    package let executor: LoopExecutor
    /// The receive window: how many bytes the server may send before we read them.
    package let window: Int
    /// The files that earlier attempts on the host finished; nil if nothing is copied or no host is retried.
    let finished: SFTPFinishedFiles?
    let output: HostOutput
    let error: HostOutput
    let coordinator: FleetCoordinator
    let index: Int

    /// The sinks for the command's standard output and standard error.
    package var sinks: (any OutputSink, any OutputSink) { (output, error) }

    /// Takes a piece of the command's output.
    ///
    /// - Throws: `OutputFailure`.
    package func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
        try await (stream == .standardOutput ? output : error).write(bytes)
    }

    /// Reports that the host has accepted the login.
    package func loggedIn() async { await coordinator.post(.loggedIn(host: index)) }

    /// Returns once the journal has durably recorded that the command may be sent.
    ///
    /// - Throws: what the journal throws; the command must not be sent then.
    package func arm() async throws { try await coordinator.arm(index) }

    /// Whether the password may be offered; waits for the host's turn.
    ///
    /// An offer counts as refused if it is neither answered nor withdrawn with ``left(_:)`` by the end of the attempt.
    ///
    /// - Returns: nil if the attempt is over.
    package func turn(_ use: PasswordUse) async -> PasswordTurn? { await coordinator.turn(use, of: index) }

    /// Reports that the password was not sent after all.
    package func left(_ use: PasswordUse) async { await coordinator.post(.passwordUnused(host: index, use)) }

    /// Reports that the host has accepted or refused the password.
    package func answered(_ use: PasswordUse, accepted: Bool) async {
        await coordinator.post(.passwordAnswered(host: index, use, accepted: accepted))
    }
}

package struct AttemptReport: Sendable {
    package var end: RunOutcome.End
    /// The destination's endpoint; nil if it was never known.
    package var endpoint: SSHEndpoint?
    package var timings = SSHStageTimings()
    /// Whether the attempt failed only because a password that an earlier attempt sent was not sent again. That attempt's failure
    /// is then the host's.
    package var repeatsEarlier = false
    /// Whether the task was only to log in.
    package var ranNothing = false
    /// The direction in which files were to be copied; nil if none were.
    package var direction: HostTransfer.Direction?
    /// What was copied, as far as is known.
    package var copied: SFTPCopyResult?
    /// The device's shell that the command was typed into.
    package var shell: SSHShellEvidence?
    /// The server's offer of post-quantum key exchange; nil if it is not known.
    package var postQuantum: PostQuantumOffer?
    /// What became of the host keys that the server announced; nil if known_hosts had them all.
    package var hostKeyUpdate: HostKeyUpdate?
    /// The job's variables that the host refused to set.
    package var refusedVariables: [String] = []

    package init(_ end: RunOutcome.End, endpoint: SSHEndpoint? = nil, timings: SSHStageTimings = SSHStageTimings()) {
        self.end = end
        self.endpoint = endpoint
        self.timings = timings
    }
}

/// What is done on every host.
package struct FleetJob: Sendable {
    /// The command line for the remote shell; nil to log in only.
    package var command: String?
    /// The files to copy instead of running a command.
    package var transfer: FleetTransfer?
    /// The input of every host's command.
    package var input = FleetInput.none
    /// The names of the variables whose refusal is reported.
    package var variables: [String] = []
    /// What the command is typed into, and how; nil for an exec request.
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
