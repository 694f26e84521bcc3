internal import BridgeSSH

/// Runs a command by typing it into a device's shell.
struct ShellRun {
    private let attempt: RunAttempt
    private let options: SSHShellOptions

    init(_ attempt: RunAttempt, _ options: SSHShellOptions) {
        self.attempt = attempt
        self.options = options
    }

    /// - Returns: how it ended, and the known facts about the shell.
    func perform(on connection: SSHConnection) async -> (RunOutcome.End, SSHShellEvidence?) {
        let sinks = StreamSinks(attempt.streams)
        do {
            let shell = try await connection.inShell(attempt.plan.command, options, attempt.plan.commandOptions) {
                sinks.belong(to: $0)
                attempt.began($0, inputIsTerminal: false)
                defer { attempt.control.finished() }
                let sink = ShellSink($1, sinks.output)
                try await RunStreams.passing(sink, sinks.error).move($0, clock: attempt.context.clock, waiting: nil)
                try await sink.end()
            }
            return (.ended(.unknown, nil), shell)
        } catch let lost as UnwritableOutput {
            return (.failed(lost.verdict(on: attempt.plan.command, at: connection.endpoint)), nil)
        } catch {
            return (attempt.end(by: error), nil)
        }
    }
}

/// Filters standard output: removes the parts that belong to the dialogue with the shell.
private struct ShellSink: OutputSink {
    private let dialogue: ShellDialogue
    private let inner: any OutputSink

    init(_ dialogue: ShellDialogue, _ inner: any OutputSink) {
        self.dialogue = dialogue
        self.inner = inner
    }

    func write(_ chunk: SSHOutputChunk) async throws { try await pass(dialogue.take(chunk)) }

    /// Passes on the text that was held back, after the shell has ended.
    func end() async throws {
        let rest = dialogue.end()
        do { try await pass(rest) } catch OutputFailure.abandoned {}
    }

    private func pass(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await inner.write(SSHOutputChunk(copying: bytes, stream: .standardOutput))
    }

    func abandon() { inner.abandon() }
    var isAbandoned: Bool { inner.isAbandoned }
    var idleTime: Duration? { inner.idleTime }
}
