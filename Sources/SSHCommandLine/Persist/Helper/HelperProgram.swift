import BridgeSSH
import Dispatch
import SSHRun

/// The main program of a helper: the process that keeps a connection. A run with `--persist` starts it if there is none.
enum HelperProgram {
    // The descriptors that the helper inherits.
    private static let opener: Int32 = 3
    private static let listener: Int32 = 4
    private static let lock: Int32 = 5

    /// Whether this process was started as a helper: the descriptors are open, and the opener's peer is this user.
    static var isOne: Bool {
        var kind = stat()
        return [opener, listener].allSatisfy { fstat($0, &kind) == 0 && kind.st_mode & S_IFMT == S_IFSOCK }
            && fcntl(lock, F_GETFD) >= 0
    }

    static func perform() async {
        for descriptor in [opener, listener, lock] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        // Before others see this process as their peer: `persist stop` kills only a process whose number is in the lock file.
        HelperRecord.note(process: getpid(), in: lock)
        _ = LocalSocket.listenSocket(listener)
        let socket = FrameSocket(descriptor: opener)
        let lock = OwnedDescriptor(lock)
        guard socket.peer?.user == geteuid(), let request = try? await request(from: socket) else { return }
        let persistServer = HelperServer(request.0, lock: lock)
        SignalWatch.start { number in
            if number != SIGWINCH { persistServer.leave() }
        }
        let accepted = AsyncStream.makeStream(of: FrameSocket.self)
        accept { accepted.continuation.yield($0) }
        await withDiscardingTaskGroup { group in
            group.addTask {
                await HelperFirstSession(request: request.0, secrets: request.1, socket: socket, persistServer: persistServer)
                    .perform()
            }
            for await socket in accepted.stream {
                group.addTask { await HelperSession(socket: socket, persistServer: persistServer).perform() }
            }
        }
    }

    private static func request(from socket: FrameSocket) async throws -> (OpenRequest, OneTimeSecrets)? {
        guard let frame = try await socket.receive(), frame.kind == .open else { return nil }
        let request = try frame.value(OpenRequest.self)
        guard let password = try await socket.receive()?.secret, let passphrase = try await socket.receive()?.secret else {
            return nil
        }
        return (request, OneTimeSecrets(password: password, passphrase: passphrase))
    }

    /// Accepts connections on a thread of its own, for the rest of the process's life.
    private static func accept(_ body: @escaping @Sendable (FrameSocket) -> Void) {
        DispatchQueue(label: "accept").async {
            while true {
                let descriptor = acceptConnection(listener)
                guard descriptor >= 0 else {
                    // Out of descriptors: accept waiting clients when others have left.
                    if errno != EINTR, errno != ECONNABORTED { usleep(20_000) }
                    continue
                }
                let socket = FrameSocket(descriptor: descriptor)
                // The directory already excludes other users, but root can enter it: check the peer's user too.
                if socket.peer?.user == geteuid() { body(socket) }
            }
        }
    }
}

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
        guard hello.isUnderstood, await persistServer.waitUntilReady(), await socket.send(.ready, persistServer.trust),
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
        let observer = request.wantsEvents ? RelayedInteraction(socket) : nil
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
