import BridgeSSH
import ErrorCore
import SSHRun
import Synchronization

/// The run's side of the exchange with its helper, until the job has ended.
final class HelperConversation: Sendable {
    enum End: Sendable {
        case ended(RunOutcome)
        /// The helper's connection is dead, and the helper did not send the command.
        case connectionLost
        /// The connection accepts no further command at the moment.
        case separate
        /// The helper ended before it sent the command.
        case gone
    }

    private enum Phase {
        /// The helper is still connecting for another run.
        case waiting
        /// The helper is connecting for this run.
        case opening
        case running
    }

    private struct State {
        var phase: Phase
        /// Whether the helper may have sent the command.
        var isTaken = false
        /// When a silent helper counts as hung; nil for a command without a time limit.
        var deadline: ContinuousClock.Instant?
    }

    private let socket: FrameSocket
    private let run: RunAttempt
    private let job: any HelperJob
    private let wantsEvents: Bool
    private let keepFor: Double
    private let configuration: SSHConnectionConfiguration?
    private let limit: Double?
    private let timeline: Timeline
    private let state: Mutex<State>
    private let endTimeout: HelperEndTimeout

    /// - Parameters:
    ///   - wantsEvents: whether to show stages and notices.
    ///   - configuration: the interaction of each hop, for a helper that connects for this run; nil for a connected helper.
    ///   - limit: seconds to wait for a helper that connects for another run; nil for a helper that connects for this run.
    init(
        socket: FrameSocket, run: RunAttempt, job: any HelperJob, wantsEvents: Bool, keepFor: Double,
        asking configuration: SSHConnectionConfiguration?, waitsAtMost limit: Double?
    ) {
        self.socket = socket
        self.run = run
        self.job = job
        self.wantsEvents = wantsEvents
        self.keepFor = keepFor
        self.configuration = configuration
        self.limit = limit
        timeline = run.timeline()
        state = Mutex(State(phase: limit == nil ? .opening : .waiting))
        endTimeout = HelperEndTimeout(socket)
    }

    func perform() async -> End {
        await withTaskCancellationHandler {
            await converse()
        } onCancel: {
            guard state.withLock({ $0.phase != .waiting }) else { return socket.hangUp() }
            socket.post(.cancel, TextList())
            endTimeout.begin()
        }
    }

    private func converse() async -> End {
        var (output, error): ([UInt8], [UInt8]) = ([], [])
        let end: End
        frames: do {
            while let frame = try await receive() {
                switch frame.kind {
                case .taken: taken()
                case .stage, .notice, .trust, .banner, .authenticated: relay(frame)
                case .question: await answer(try frame.value(PersonQuestion.self))
                case .ready:
                    if let objection = await objection(to: frame) {
                        run.context.log.line("persist: the connection is not used: \(objection)")
                        end = .separate
                        // Otherwise the helper would wait for a command.
                        socket.hangUp()
                        break frames
                    }
                    await ask()
                case .running: job.began(RemoteCommand(socket: socket, endTimeout: endTimeout))
                case .waiting: run.context.waitingNote?(try frame.value(TerminationFields.self).value)
                case .standardOutput: output += frame.payload
                case .standardError: error += frame.payload
                case .unopened, .outcome:
                    end = try conclusion(try frame.value(OutcomeReport.self), output, error)
                    break frames
                default: break
                }
            }
            end = helperEnded()
        } catch {
            end = helperEnded()
        }
        endTimeout.end()
        await job.ended()
        return end
    }

    /// The next frame. If the helper hangs this hangs up: frames already sent still arrive, and the helper can send nothing
    /// more.
    private func receive() async throws -> Frame? {
        let (phase, deadline) = state.withLock { ($0.phase, $0.deadline) }
        if phase == .waiting { return try await socket.receive(within: limit) }
        guard let deadline else { return try await socket.receive() }
        do {
            return try await socket.receive(within: max(0, ContinuousClock.now.duration(to: deadline).inSeconds))
        } catch FrameSocket.Failure.late {
            socket.hangUp()
            return try await socket.receive()
        }
    }

    /// Why this run must not use a connection made with another run's settings; nil if it may use it.
    private func objection(to frame: Frame) async -> String? {
        guard limit != nil else { return nil }
        let keys = (try? frame.value(KeptTrust.self))?.hostKeys ?? []
        return await run.plan.access.decidedConfiguration.objection(to: keys, of: run.plan.endpoint)
    }

    // MARK: The command

    /// Requests the command.
    private func ask() async {
        var request = RunRequest()
        request.connectTimeout = run.plan.configuration.timeouts.connect
        request.wantsEvents = wantsEvents
        request.keepFor = keepFor
        let descriptors = job.complete(&request)
        state.withLock { state in
            state.phase = .running
            // The helper needs no time to take the command.
            state.deadline = .now + HelperEndTimeout.time
        }
        await socket.send(.run, request, descriptors: descriptors)
        job.sent()
        // An earlier cancellation may have hung up on a helper that was not yet this run's.
        if Task.isCancelled {
            socket.post(.cancel, TextList())
            endTimeout.begin()
        }
    }

    /// The helper is about to send the command.
    private func taken() {
        run.control.isConnected(true)
        let longest = run.plan.commandOptions.timeout.map {
            $0 + run.plan.configuration.timeouts.connect + HelperEndTimeout.time
        }
        state.withLock { state in
            state.isTaken = true
            state.deadline = longest.map { .now + $0 }
        }
    }

    private func conclusion(_ report: OutcomeReport, _ output: [UInt8], _ error: [UInt8]) throws -> End {
        switch report.remedy {
        case .another where limit != nil: return .connectionLost
        case .separate: return .separate
        case .another, .none: break
        }
        if report.inputWasTaken { run.inputUse.markTaken() }
        var outcome = RunOutcome(end: run.control.named(try report.end()))
        (outcome.standardOutput, outcome.standardError) = (output, error)
        outcome.timings = report.timings
        return .ended(outcome)
    }

    /// The helper has ended without reporting how the command did.
    private func helperEnded() -> End {
        // The helper must not take the command any more: the run may send it by another connection.
        socket.hangUp()
        guard state.withLock({ $0.isTaken }) else {
            return Task.isCancelled ? .ended(RunOutcome(end: .cancelled(signal: run.control.signal))) : .gone
        }
        return .ended(RunOutcome(end: .failed(job.lost)))
    }

    // MARK: What the helper reports in the meantime

    private func relay(_ frame: Frame) {
        guard let texts = try? frame.value(TextList.self).texts, let first = texts.first else { return }
        switch frame.kind {
        case .stage:
            if let stage = SSHStage(rawValue: first), job.isShown(stage) { timeline.begin(stage, texts.last ?? "") }
        case .trust: timeline.trustNotice(first)
        case .banner: timeline.serverBanner(first)
        case .authenticated: timeline.authenticated(with: first)
        default: timeline.remark(first)
        }
    }

    private func answer(_ question: PersonQuestion) async {
        var answer = PersonAnswer()
        var secrets: [SSHSecret]?
        let person = configuration?.interaction(atHop: question.hop)
        do {
            switch question.kind {
            case .hostKey: if let key = question.hostKey { answer.accepts = try await person?.accept(key) }
            case .passphrase:
                secrets = try await person?.passphrase(forKeyAt: question.path, isRetry: question.isRetry).map { [$0] }
            case .password:
                secrets = try await person?.password(
                    user: question.user, host: question.host, isRetry: question.isRetry
                ).map { [$0] }
            case .prompts:
                secrets = try await person?.answers(to: question.request, user: question.user, host: question.host)
            }
        } catch {
            answer.isCancelled = true
        }
        answer.secrets = secrets?.count
        await socket.send(.answer, answer)
        for secret in secrets ?? [] { socket.post(secret) }
    }
}

/// The command that a helper runs on behalf of this run.
struct RemoteCommand: ControlledCommand {
    let socket: FrameSocket
    let endTimeout: HelperEndTimeout

    func cancel(signal: String?) async {
        socket.post(.cancel, TextList(texts: signal.map { [$0] } ?? []))
        endTimeout.begin()
    }
    func resize(columns: Int, rows: Int) async { socket.post(.resize, TerminalSize(columns: columns, rows: rows)) }
}

/// A run's request to a helper, with its streams.
protocol HelperJob: Sendable {
    /// Completes the request. Called once for each helper that is asked.
    ///
    /// - Returns: the descriptors for the helper.
    func complete(_ request: inout RunRequest) -> [Int32]

    /// The helper has its descriptors.
    func sent()

    /// The command has started.
    func began(_ command: RemoteCommand)

    /// The helper sends nothing more.
    func ended() async

    /// Whether a stage that the helper reports belongs to the run.
    func isShown(_ stage: SSHStage) -> Bool

    /// The verdict if the helper ends while it has the job.
    var lost: SSHError { get }
}
