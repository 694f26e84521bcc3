import BridgeSSH
import SSHRun

/// One run that uses the connection, seen from the helper.
struct HelperSession {
    let socket: FrameSocket
    let persistServer: PersistServer

    /// How long a client may take to identify itself.
    private static let patience = 10.0

    func perform() async {
        guard let frame = try? await socket.receive(within: Self.patience), frame.kind == .hello,
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
    /// - Parameter first: the connection that the run had made, with the record of that.
    func run(_ frame: Frame, first: (connection: SSHConnection, timeline: Timeline)?) async {
        // Others may hold the socket, and the run waits for its end.
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
        // Without this frame a run assumes that its command was never sent, and sends it by another way.
        guard await socket.send(.taken, Texts()) else { return persistServer.ended(request) }
        let observer = request.wantsEvents ? RelayedPerson(socket) : nil
        let timeline = first?.timeline ?? Timeline(observer: observer)
        let shared = first?.connection ?? connection.shared(timeline: timeline, connectTimeout: request.connectTimeout)
        let command = RequestedCommand(request, frame.descriptors)
        let control = RunControl()
        let work = Task(executorPreference: OneLoop.executor) { await command.perform(on: shared, control, socket) }
        control.attach(cancel: { work.cancel() })
        let listening = Task { await listen(control) }
        let end = await work.value
        await sendOutcome(end, command, timeline, connection)
        socket.hangUp()
        await listening.value
        persistServer.ended(request)
    }

    /// Passes on the person's input in the meantime. A run that is gone wants its command to end.
    private func listen(_ control: RunControl) async {
        while let frame = try? await socket.receive() {
            switch frame.kind {
            case .cancel: control.end(by: (try? frame.value(Texts.self))?.texts.first)
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
