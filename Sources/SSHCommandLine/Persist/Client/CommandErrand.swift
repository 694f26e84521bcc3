import BridgeSSH
import Logging
import SSHRun
import Synchronization

/// A run's command, with the streams of this process.
final class CommandErrand: HelperErrand {
    private let run: RunAttempt
    private let source: OpenedInput
    private let style: OutputStyle
    /// What passes on a person's typing, which is ours to read: the terminal belongs to this process's group.
    private let typing = Mutex<Typing?>(nil)

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
        request.collects = style.json
        // A variable that the server refuses is a notice.
        if !run.commandOptions.environment.isEmpty { request.wantsEvents = true }
        request.wantsWaitingNote = run.context.waitingNote != nil
        request.watchesServer = run.plan.isWatchedSession
        let typing = source.isTerminal ? Typing(keys: SessionKeys(of: run.plan, at: source, run.control)) : nil
        self.typing.withLock { $0 = typing }
        return [typing?.readEnd ?? source.descriptor].compactMap { $0 } + (request.collects ? [] : [1, 2])
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
