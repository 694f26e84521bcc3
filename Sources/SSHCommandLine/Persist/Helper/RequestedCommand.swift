import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command or a subsystem with the streams of the run that asks for it.
struct RequestedCommand: Sendable {
    let request: RunRequest
    let streams: RunStreams
    let inputUse = InputUse()
    private let input: RunInput
    /// What a subsystem's bytes go through both ways.
    private let socket: OwnedDescriptor?

    /// - Parameter descriptors: those that came with the request, as it says.
    init(_ request: RunRequest, _ descriptors: [OwnedDescriptor]) {
        self.request = request
        var descriptors = descriptors[...]
        let reader = request.hasInput ? descriptors.popFirst().map { InputReader(descriptor: $0) } : nil
        input = RunInput(
            CommandInput(
                next: reader?.pieces, isRepeatable: request.inputIsRepeatable, isTerminal: request.inputIsTerminal),
            wantsTerminal: request.options.pty != nil, use: inputUse)
        socket = request.isSubsystem ? reader?.owner : nil
        if let socket {
            streams = .passing(OutputWriter(descriptor: socket), NoOutput())
        } else if let output = descriptors.popFirst(), let error = descriptors.popFirst() {
            streams = .passing(OutputWriter(descriptor: output), OutputWriter(descriptor: error))
        } else {
            streams = .collecting(limit: request.options.outputLimit)
        }
    }

    func perform(on connection: SSHConnection, _ control: RunControl, _ socket: FrameSocket) async -> RunOutcome.End {
        // The run reads the end of the bytes before it reads the reason.
        defer { if let number = self.socket?.number { shutdown(number, Int32(SHUT_WR)) } }
        let hasTerminal = request.options.pty != nil
        let reportWaiting: @Sendable (SSHTermination) -> Void = { socket.post(.waiting, TerminationFields(value: $0)) }
        let command = CommandRun(
            request.isSubsystem ? .subsystem(request.command) : .command(request.command), options: request.options,
            input: input.standardInput, streams: streams, waiting: request.wantsWaitingNote ? reportWaiting : nil,
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
