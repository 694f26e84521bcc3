import BridgeSSH
import ErrorCore
import SSHRun
import Synchronization

/// Follows a running ssh: its progress according to its log, and the first reason for which bridge-ssh ends it early.
final class OpenSSHMonitor: Sendable {
    /// The reason for ending ssh early. Only the first one counts.
    enum Interruption: Sendable {
        case deadline(SSHDeadline)
        case cancelled(signal: String?)
        case outputLimit(SSHEvidence.OutputStream, Int)
        case outputClosed
        /// Standard output cannot be written, with this errno.
        case outputLost(Int32)
        case inputFailed(any Error)
        /// The server asks a question without an answer, and no person can be asked.
        case unanswered(OpenSSHQuestion)
        /// ssh has logged in, and nothing else was requested.
        case loggedIn
    }

    private struct State {
        var progress = SSHTraceProgress()
        /// Nil if they are not wanted.
        var details: SSHTraceDetails?
        var stage: SSHStage?
        var isRunning = false
        var isOver = false
        var interruption: Interruption?
        var runningAt: ContinuousClock.Instant?
        /// When connecting started. Looking up the name has its own time limit.
        var connectingAt = ContinuousClock.now
        var lastOutput = ContinuousClock.now
        /// The time that the person took to answer, and the time of the current question.
        var typing = Duration.zero
        var askedAt: ContinuousClock.Instant?
        var tails: [[UInt8]] = [[], []]
        /// When ssh logged its last message, and the pauses before its last messages.
        var lastWord = ContinuousClock.now
        var pauses: [Duration] = []
        /// The output of other programs on ssh's standard error before there was a session, and the part of it after a
        /// credential was offered.
        var otherOutput = ""
        var otherOutputAfterOffer = ""
        var waiters: [CheckedContinuation<Bool, Never>] = []
        var interrupted: [CheckedContinuation<Void, Never>] = []
    }

    // Safe: only the thread that takes the log uses it until ssh has ended.
    private nonisolated(unsafe) let log: StandInLog
    private let follower: LogFollower

    /// The state that receives the messages. It is separate because the log's closure has to exist before `self` does.
    private final class LogFollower: Sendable {
        let state = Mutex(State())
        let timeline: Timeline
        let onlyLogsIn: Bool
        /// Whether the log contains the server's answer to the request for the command.
        let logsAcceptance: Bool

        init(_ timeline: Timeline, onlyLogsIn: Bool, logsAcceptance: Bool, keepsDetails: Bool) {
            (self.timeline, self.onlyLogsIn, self.logsAcceptance) = (timeline, onlyLogsIn, logsAcceptance)
            if keepsDetails { state.withLock { $0.details = SSHTraceDetails() } }
        }

        /// Whether the command runs, according to the log.
        func hasBegun(_ progress: SSHTraceProgress) -> Bool {
            if onlyLogsIn { return progress.hasSession }
            return progress.isAccepted || !logsAcceptance && progress.isSent
        }

        func take(_ message: ArraySlice<UInt8>, isCarriers: Bool) {
            let text = String(decoding: message, as: UTF8.self)
            let (stage, waiters) = state.withLock { state in
                if !isCarriers { state.details?.take(text, at: timeline.elapsed) }
                state.pauses = (state.pauses + [state.lastWord.duration(to: .now)]).suffix(3)
                state.lastWord = .now
                state.progress.take(text)
                let stage = state.progress.stage
                let isNew = stage != state.stage
                if isNew, stage == .connect { state.connectingAt = .now }
                state.stage = stage
                let waiters = hasBegun(state.progress) ? Self.run(&state) : []
                return (isNew ? stage : nil, waiters)
            }
            if text.hasPrefix("Warning: Permanently added ") { timeline.trustNotice(text.oneLine(400)) }
            if let stage { timeline.begin(stage, "") }
            for waiter in waiters { waiter.resume(returning: true) }
        }

        static func run(_ state: inout State) -> [CheckedContinuation<Bool, Never>] {
            guard !state.isRunning else { return [] }
            state.isRunning = true
            state.runningAt = .now
            state.lastOutput = .now
            defer { state.waiters = [] }
            return state.waiters
        }
    }

    /// - Parameters:
    ///   - onlyLogsIn: whether ssh only logs in.
    ///   - keepsDetails: whether ``details`` are wanted.
    init(_ request: LogRequest, _ timeline: Timeline, onlyLogsIn: Bool, keepsDetails: Bool = false) {
        let follower = LogFollower(
            timeline, onlyLogsIn: onlyLogsIn, logsAcceptance: request.usesLogVerbose, keepsDetails: keepsDetails)
        self.follower = follower
        log = StandInLog(request, showsHostKeyNews: false, destination: -1) { follower.take($0, isCarriers: $1) }
    }

    // MARK: The log, from one thread

    /// Takes the parts of the log and of ssh's standard error that arrived at the same time.
    ///
    /// - Returns: whether the part of standard error belongs to the command.
    func take(_ bytes: [UInt8], beside errors: [UInt8]?) -> Bool {
        // There is a round trip between ssh's request and the command's first output.
        let isAside = errors != nil && !progress.isSent && !Self.asksForSession(bytes)
        if isAside, let errors { takeOtherOutput(errors) }
        bytes.withUnsafeBufferPointer { log.take($0) }
        return !isAside
    }

    private static func asksForSession(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return ["Sending command: ", "Sending subsystem: ", "mux_client_request_session"].contains { text.mentions($0) }
    }

    /// Takes the output on ssh's standard error that is not in its log: banners, and messages of a ProxyCommand.
    private func takeOtherOutput(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let isCarried = follower.state.withLock { state in
            state.otherOutput = String((state.otherOutput + text).suffix(8192))
            if state.progress.hasOffered {
                state.otherOutputAfterOffer = String((state.otherOutputAfterOffer + text).suffix(8192))
            }
            return state.progress.isCarried
        }
        // A jump host's ssh also writes it into the log, a little later: see ``text``.
        if isCarried { return }
        log.takeOtherOutput(bytes)
        follower.timeline.serverBanner(text)
    }

    /// The whole log, once ssh has ended.
    var text: String {
        log.finish()
        let text = log.text
        guard progress.isCarried, let end = text.firstPlace(of: "\n") else { return text }
        // The log does not contain the output of a ProxyCommand.
        let missing = otherOutput.all.split(whereSeparator: \.isNewline).filter { !text.mentions(String($0)) }
        return text[..<end.upperBound] + missing.map { $0 + "\r\n" }.joined() + text[end.upperBound...]
    }

    // MARK: Progress

    var progress: SSHTraceProgress { follower.state.withLock { $0.progress } }
    /// The details of the connection, once ssh has ended; nil if they were not wanted.
    var details: SSHTraceDetails? {
        var details = follower.state.withLock { $0.details }
        details?.end(at: follower.timeline.elapsed)
        return details
    }
    var isRunning: Bool { follower.state.withLock { $0.isRunning } }
    var interruption: Interruption? { follower.state.withLock { $0.interruption } }

    /// Waits until the command runs.
    ///
    /// - Returns: false if it never will.
    func running() async -> Bool {
        await withCheckedContinuation { continuation in
            let known: Bool? = follower.state.withLock { state in
                if state.isRunning || state.isOver { return state.isRunning }
                state.waiters.append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Waits until ssh is ended early, or has ended.
    func interrupted() async {
        await withCheckedContinuation { continuation in
            let isKnown = follower.state.withLock { state in
                if state.interruption != nil || state.isOver { return true }
                state.interrupted.append(continuation)
                return false
            }
            if isKnown { continuation.resume() }
        }
    }

    /// - Returns: whether this is the first reason.
    func interrupt(_ interruption: Interruption) -> Bool {
        let waiters = follower.state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.interruption == nil, !state.isOver else { return nil }
            state.interruption = interruption
            defer { state.interrupted = [] }
            return state.interrupted
        }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters != nil
    }

    /// Records that ssh has ended.
    func processEnded() {
        let (waiters, interrupted) = follower.state.withLock { state in
            state.isOver = true
            defer { (state.waiters, state.interrupted) = ([], []) }
            return (state.waiters, state.interrupted)
        }
        for waiter in waiters { waiter.resume(returning: false) }
        for waiter in interrupted { waiter.resume() }
    }

    // MARK: Output

    /// Notes the command's output.
    func note(_ bytes: [UInt8], _ stream: SSHEvidence.OutputStream) {
        let waiters = follower.state.withLock { state in
            let (index, limit) = stream == .standardOutput ? (0, 2048) : (1, 8192)
            state.tails[index] = Array((state.tails[index] + bytes.suffix(limit)).suffix(limit))
            state.lastOutput = .now
            return LogFollower.run(&state)
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// The output of other programs on ssh's standard error before there was a session: a banner, a ProxyCommand, a jump host's
    /// ssh.
    var otherOutput: (all: String, behindOffer: String) { follower.state.withLock { ($0.otherOutput, $0.otherOutputAfterOffer) } }

    /// The longest pause before ssh's last messages, in seconds.
    var pause: Double { follower.state.withLock { $0.pauses.max()?.inSeconds ?? 0 } }

    var tails: (output: String, errors: String) {
        follower.state.withLock { (String(decoding: $0.tails[0], as: UTF8.self), String(decoding: $0.tails[1], as: UTF8.self)) }
    }

    // MARK: Time

    func beginTyping() { follower.state.withLock { $0.askedAt = .now } }

    func endTyping() {
        follower.state.withLock { state in
            if let asked = state.askedAt { state.typing += asked.duration(to: .now) }
            state.askedAt = nil
        }
    }

    /// The time since connecting started, without a person's typing; nil while a person types.
    var connecting: Duration? {
        follower.state.withLock { $0.askedAt == nil ? $0.connectingAt.duration(to: .now) - $0.typing : nil }
    }

    /// The time since the last output of the command.
    var timeSinceOutput: Duration { follower.state.withLock { $0.lastOutput.duration(to: .now) } }
}

/// The command that ssh runs. Cancelling it ends ssh.
struct OpenSSHCommand: ControlledCommand {
    let watch: OpenSSHMonitor
    let process: OpenSSHProcess

    func cancel(signal: String?) async { _ = watch.interrupt(.cancelled(signal: signal)) }
    func resize(columns: Int, rows: Int) async { process.resize(columns: columns, rows: rows) }
}
