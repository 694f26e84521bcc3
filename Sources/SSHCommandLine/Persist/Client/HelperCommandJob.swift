import BridgeSSH
import Dispatch
import Logging
import SSHRun
import Synchronization

/// Asks a helper for a run's command, with the streams of this process.
final class HelperCommandJob: HelperJob {
    private let run: RunAttempt
    private let source: OpenedInput
    private let style: OutputStyle
    /// Passes on a person's typing. This process has to read it, because the terminal belongs to its process group.
    private let typing = Mutex<TypedInputRelay?>(nil)

    init(_ run: RunAttempt, _ source: OpenedInput, _ style: OutputStyle) {
        self.run = run
        self.source = source
        self.style = style
    }

    func complete(_ request: inout RunRequest) -> [Int32] {
        request.command = run.plan.command
        request.options = run.commandOptions
        request.hasInput = source.descriptor != nil
        request.inputIsRepeatable = source.isRepeatable
        request.inputIsTerminal = source.isTerminal
        request.collectsOutput = style.json
        // The helper reports variables that the server refuses as notices.
        if !run.commandOptions.environment.isEmpty { request.wantsEvents = true }
        request.wantsWaitingNote = run.context.waitingNote != nil
        request.watchesServer = run.plan.isWatchedSession
        let typing = source.isTerminal ? TypedInputRelay(keys: SessionKeys(of: run.plan, at: source, run.control)) : nil
        self.typing.withLock { $0 = typing }
        return [typing?.readEnd ?? source.descriptor].compactMap { $0 } + (request.collectsOutput ? [] : [1, 2])
    }

    func sent() { typing.withLock { $0 }?.closeReadEnd() }

    func began(_ command: RemoteCommand) {
        run.began(command, inputIsTerminal: source.isTerminal)
        typing.withLock { $0 }?.begin(run.inputUse)
    }

    func ended() async {
        run.control.finished()
        await typing.withLock { $0 }?.end()
    }

    func isShown(_ stage: SSHStage) -> Bool { true }

    var lost: SSHError {
        var evidence = SSHEvidence(local: .helperEnded, stage: .command, endpoint: run.plan.endpoint)
        evidence.command = SSHCommandEvidence(command: run.plan.command)
        evidence.command?.progress = .sent
        return SSHFailureClassifier.classify(evidence)
    }
}

/// Passes on a person's typing to a helper through a pipe. A background process must not read its terminal, but the system
/// would not stop a helper, which has no terminal of its own.
final class TypedInputRelay: Sendable {
    /// The helper's end of the pipe.
    let readEnd: Int32
    private struct State {
        var readEnd: OwnedDescriptor?
        var writeEnd: OwnedDescriptor?
        var work: Task<Void, Never>?
    }
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "typing")
    private let terminal: Int32
    private let keys: SessionKeys?
    /// Rung to end the wait for a helper that does not take typed input.
    private let wake = WakePipe()

    /// Nil if no descriptor is left.
    ///
    /// - Parameters:
    ///   - terminal: the terminal to read; stays open.
    ///   - keys: takes the escape characters out of a terminal session's input; nil for other input.
    init?(at terminal: Int32 = 0, keys: SessionKeys? = nil) {
        guard let (readEnd, writeEnd) = openPipe() else { return nil }
        // Only this process's end: a helper that hangs must not block this process.
        _ = fcntl(writeEnd, F_SETFL, fcntl(writeEnd, F_GETFL) | O_NONBLOCK)
        self.terminal = terminal
        self.keys = keys
        self.readEnd = readEnd
        state = Mutex(State(readEnd: OwnedDescriptor(readEnd), writeEnd: OwnedDescriptor(writeEnd)))
    }

    /// Closes this process's copy of the helper's end, so that the pipe ends when this process does.
    func closeReadEnd() { state.withLock { $0.readEnd = nil } }

    /// Starts to pass on typing: the command runs, and accepts input.
    func begin(_ use: InputUse) {
        guard let writeEnd = state.withLock({ $0.writeEnd }) else { return }
        let work = Task { await pass(to: writeEnd, use) }
        state.withLock { state in
            state.work = work
            state.writeEnd = nil
        }
    }

    /// Stops. The terminal's next reader gets what is typed from now on. Input that the helper has not read by now is lost.
    func end() async {
        let work = state.withLock { $0.work }
        work?.cancel()
        wake.ring()
        await work?.value
    }

    private func pass(to writeEnd: OwnedDescriptor, _ use: InputUse) async {
        let reader = InputReader(borrowing: terminal)
        while let piece = try? await reader.next() {
            use.markTaken()
            let piece = keys?.pass(piece) ?? piece
            let isTaken = await withCheckedContinuation { continuation in
                queue.async { [wake] in
                    let failure = piece.withUnsafeBytes {
                        OutputWriter.writeAll($0, to: writeEnd.number, unless: wake.readEnd)
                    }
                    continuation.resume(returning: failure == nil)
                }
            }
            guard isTaken else { return }
        }
        // The person typed the end of input, so the input counts as taken.
        if !Task.isCancelled { use.markTaken() }
    }
}
