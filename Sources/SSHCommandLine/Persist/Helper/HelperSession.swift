import BridgeSSH
import SSHRun

/// The helper's side of one run that uses the connection.
struct HelperSession {
    let socket: FrameSocket
    let persistServer: HelperServer

    /// Seconds that a client may take to identify itself.
    private static let timeLimit = 10.0

    func perform() async {
        guard let frame = try? await socket.receive(within: Self.timeLimit), frame.kind == .hello,
            let hello = try? frame.value(Hello.self)
        else { return }
        await socket.send(.welcome, persistServer.status)
        switch hello.purpose {
        case .look: return
        case .stop: return persistServer.leave()
        case .run: break
        }
        guard hello.isUnderstood, await persistServer.isReady(), await socket.send(.ready, persistServer.trust),
            let request = try? await socket.receive(), request.kind == .run
        else { return }
        await run(request, first: nil)
    }

    /// Runs the command and reports how it ended.
    ///
    /// - Parameter first: the connection and its timeline, if the helper connected for this run; nil for a later run.
    func run(_ frame: Frame, first: (connection: SSHConnection, timeline: Timeline)?) async {
        // The run waits for the end of the socket, and other tasks may still hold it.
        defer { socket.hangUp() }
        guard let request = try? frame.value(RunRequest.self),
            frame.descriptors.count == request.descriptorCount
        else { return }
        guard let connection = persistServer.begin(request) else {
            var report = OutcomeReport(.cancelled(signal: nil), timings: SSHStageTimings())
            report.remedy = .separate
            await socket.send(.outcome, report)
            return
        }
        // Without this frame the run assumes that its command was never sent, and sends it over another connection.
        guard await socket.send(.taken, TextList()) else { return persistServer.ended(request) }
        let observer = request.wantsEvents ? RelayedPerson(socket) : nil
        let timeline = first?.timeline ?? Timeline(observer: observer)
        let shared = first?.connection ?? connection.shared(timeline: timeline, connectTimeout: request.connectTimeout)
        let command = RequestedCommand(request, frame.descriptors)
        let control = RunControl()
        let work = Task(executorPreference: SingleEventLoop.executor) { await command.perform(on: shared, control, socket) }
        control.attach(cancel: { work.cancel() })
        let listening = Task { await listen(control) }
        let end = await work.value
        await sendOutcome(end, command, timeline, connection)
        socket.hangUp()
        await listening.value
        persistServer.ended(request)
    }

    /// Handles the run's frames while its command runs. If the run is gone its command ends too.
    private func listen(_ control: RunControl) async {
        while let frame = try? await socket.receive() {
            switch frame.kind {
            case .cancel: control.end(by: (try? frame.value(TextList.self))?.texts.first)
            case .resize:
                if let size = try? frame.value(TerminalSize.self) { control.resize(columns: size.columns, rows: size.rows) }
            default: break
            }
        }
        control.end(by: "HUP")
    }

    private func sendOutcome(
        _ end: RunOutcome.End, _ command: RequestedCommand, _ timeline: Timeline, _ connection: SSHConnection
    ) async {
        let (output, error) = command.streams.collected
        for (kind, bytes) in [(Frame.Kind.standardOutput, output), (.standardError, error)] {
            var rest = bytes[...]
            while !rest.isEmpty {
                await socket.send(kind, payload: Array(rest.prefix(FrameSocket.pieceLength)))
                rest = rest.dropFirst(FrameSocket.pieceLength)
            }
        }
        var report = OutcomeReport(end, timings: timeline.timings)
        report.inputWasTaken = command.inputUse.isTaken
        if case .failed(let failure) = end, failure.commandMayHaveRun == .no {
            if await !connection.isAlive {
                report.remedy = .another
                persistServer.leave()
            } else if failure.code == .channelSessionLimit {
                report.remedy = .separate
            }
        }
        await socket.send(.outcome, report)
    }
}

/// A command or a subsystem with the streams of the run that requests it.
struct RequestedCommand: Sendable {
    let request: RunRequest
    let streams: RunStreams
    let inputUse = InputUse()
    private let input: RunInput
    /// The socket for a subsystem's bytes in both directions; nil for a command.
    private let socket: OwnedDescriptor?

    /// - Parameter descriptors: the descriptors that came with the request.
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
        // End the bytes first: the run reads their end before it reads the reason.
        defer { if let number = self.socket?.number { shutdown(number, Int32(SHUT_WR)) } }
        let hasTerminal = request.options.pty != nil
        let reportWaiting: @Sendable (SSHTermination) -> Void = { socket.post(.waiting, TerminationFields(value: $0)) }
        let command = CommandRun(
            request.isSubsystem ? .subsystem(request.command) : .command(request.command), options: request.options,
            input: input.standardInput, streams: streams, waiting: request.wantsWaitingNote ? reportWaiting : nil,
            began: { execution in
                socket.post(.running, TextList())
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
