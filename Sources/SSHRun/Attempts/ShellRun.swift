package import BridgeSSH

/// Runs a command by typing it into a device's shell.
package struct ShellRun {
    private let command: String
    private let shell: SSHShellOptions
    private let options: SSHCommandOptions
    private let streams: RunStreams
    private let clock: any Clock<Duration>
    private let control: RunControl
    private let began: (SSHExecution) -> Void

    /// - Parameters:
    ///   - control: ends the run; the outcome of an error is its answer.
    ///   - began: called when the shell has started.
    package init(
        _ command: String, _ shell: SSHShellOptions, _ options: SSHCommandOptions, streams: RunStreams,
        clock: any Clock<Duration> = ContinuousClock(), control: RunControl, began: @escaping (SSHExecution) -> Void
    ) {
        self.command = command
        self.shell = shell
        self.options = options
        self.streams = streams
        self.clock = clock
        self.control = control
        self.began = began
    }

    /// - Returns: how it ended, and the known facts about the shell.
    package func perform(on connection: SSHConnection) async -> (RunOutcome.End, SSHShellEvidence?) {
        let sinks = StreamSinks(streams)
        do {
            let evidence = try await connection.inShell(command, shell, options) {
                sinks.belong(to: $0)
                began($0)
                defer { control.finished() }
                let sink = ShellSink($1, sinks.output)
                try await RunStreams.passing(sink, sinks.error).move($0, clock: clock, waiting: nil)
                try await sink.end()
            }
            return (.ended(.unknown, nil), evidence)
        } catch let lost as UnwritableOutput {
            return (.failed(lost.verdict(on: command, at: connection.endpoint)), nil)
        } catch {
            return (control.end(of: error), nil)
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
