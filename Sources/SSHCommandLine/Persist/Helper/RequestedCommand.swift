import BridgeSSH
import SSHRun

/// A command with the streams of the run that asks for it.
struct RequestedCommand: Sendable {
    let request: RunRequest
    let streams: RunStreams
    let inputUse = InputUse()
    private let input: RunInput

    /// - Parameter descriptors: those that came with the request, as it says.
    init(_ request: RunRequest, _ descriptors: [OwnedDescriptor]) {
        self.request = request
        var descriptors = descriptors[...]
        let reader = request.hasInput ? descriptors.popFirst().map { InputReader(descriptor: $0) } : nil
        input = RunInput(
            CommandInput(
                next: reader?.pieces, isRepeatable: request.inputIsRepeatable, isTerminal: request.inputIsTerminal),
            wantsTerminal: request.options.pty != nil, use: inputUse)
        if let output = descriptors.popFirst(), let error = descriptors.popFirst() {
            streams = .passing(OutputWriter(descriptor: output), OutputWriter(descriptor: error))
        } else {
            streams = .collecting(limit: request.options.outputLimit)
        }
    }

    func perform(on connection: SSHConnection, _ control: RunControl, _ socket: FrameSocket) async -> RunOutcome.End {
        let hasTerminal = request.options.pty != nil
        let reportWaiting: @Sendable (SSHTermination) -> Void = { socket.post(.waiting, TerminationFields(value: $0)) }
        let command = CommandRun(
            command: request.command, options: request.options, input: input.standardInput, streams: streams,
            waiting: request.wantsWaitingNote ? reportWaiting : nil,
            began: { execution in
                socket.post(.running, Texts())
                control.running(execution, hasTerminal: hasTerminal)
            },
            ended: { control.finished() })
        do {
            return try await command.perform(on: connection)
        } catch {
            return RunOutcome.End(error, signal: nil)
        }
    }
}
