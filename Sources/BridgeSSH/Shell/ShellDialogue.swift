internal import Synchronization

/// Runs a ``ShellConversation`` over a channel: reads, types, and watches the clock.
package final class ShellDialogue: Sendable {
    private struct State {
        var conversation: ShellConversation
        /// The number of times that data has arrived.
        var arrivals = 0
        var execution: SSHExecution?
    }

    /// The silence after which the last line counts as a prompt.
    private static let quiet = Duration.milliseconds(300)
    /// The factor by which the silence must be longer if the text leaves a doubt.
    private static let longQuiet = 7

    private let state: Mutex<State>
    private let hasTerminal = Mutex(true)
    private let typed: AsyncStream<[UInt8]>
    private let type: AsyncStream<[UInt8]>.Continuation
    private let arrivals: AsyncStream<Int>
    private let arrived: AsyncStream<Int>.Continuation

    package init(_ command: String, _ options: SSHShellOptions, on connection: SSHConnection) async {
        let identification = await connection.session.serverSoftware
        state = Mutex(
            State(conversation: ShellConversation(command, prompt: options.prompt, identification: "-" + identification)))
        (typed, type) = AsyncStream.makeStream()
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The typed text, as the shell's input.
    package var standardInput: SSHStandardInput {
        .pieces { [typed] in
            for await piece in typed { return piece }
            return nil
        }
    }

    /// Called when the shell has started. No part of the command was sent yet.
    package func began(_ execution: SSHExecution) {
        let hasPTY = execution.hasPTY
        state.withLock { state in
            state.execution = execution
            state.conversation.began(hasTerminal: hasPTY)
        }
        hasTerminal.withLock { $0 = hasPTY }
        describe()
    }

    /// Takes received data, and returns the part that is the command's output.
    package func take(_ chunk: SSHOutputChunk) -> [UInt8] {
        let (output, count) = state.withLock { state in
            guard state.execution?.isInterrupted != true else {
                // The device's answer to what ended it.
                state.conversation.giveUp()
                return ([UInt8](), Int?.none)
            }
            chunk.withUnsafeBytes { state.conversation.take($0) }
            state.arrivals += 1
            return (state.conversation.takeOutput(), state.conversation.mayWait ? state.arrivals : nil)
        }
        if let count { arrived.yield(count) }
        return output
    }

    /// Called when the channel has ended; returns the text that was held back.
    package func end() -> [UInt8] {
        type.finish()
        arrived.finish()
        let output = state.withLock { state in
            state.conversation.end()
            return state.conversation.takeOutput()
        }
        describe()
        return output
    }

    /// Types each step's text, and ends the shell once the prompt has come again. Returns after that, or when cancelled.
    ///
    /// - Parameter timeLimit: how long to wait for the prompt before the command.
    package func watch(_ execution: SSHExecution, timeLimit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.answer(execution) }
            group.addTask {
                guard (try? await Task.sleep(for: timeLimit)) != nil, !self.isSent else { return }
                self.describe()
                await execution.interrupt(.deadline(SSHDeadline(kind: .prompt, seconds: timeLimit.seconds)))
            }
            // After the shell was left, no prompt is expected.
            await group.next()
            if isOver { group.cancelAll() }
        }
    }

    private func answer(_ execution: SSHExecution) async {
        for await count in arrivals {
            guard let step = await step(after: count) else {
                if Task.isCancelled { return }
                continue
            }
            switch step {
            case .type(let line):
                describe()
                type.yield(Array(line.utf8) + [hasTerminal.withLock { $0 } ? UInt8(ascii: "\r") : UInt8(ascii: "\n")])
            case .press(let key): type.yield(Array(key.utf8))
            case .leave:
                describe()
                type.finish()
                return await execution.leave()
            }
        }
    }

    /// The next step after this arrival and a silence; nil if more has arrived, or there is nothing to do.
    private func step(after count: Int) async -> ShellConversation.Step? {
        for round in 1...Self.longQuiet {
            guard (try? await Task.sleep(for: Self.quiet)) != nil else { return nil }
            let (isOver, step) = state.withLock { state -> (Bool, ShellConversation.Step?) in
                guard state.arrivals == count else { return (true, nil) }
                return (false, state.conversation.settle(isLong: round == Self.longQuiet))
            }
            if isOver || step != nil { return step }
        }
        return nil
    }

    private var isSent: Bool { state.withLock { [.running, .over].contains($0.conversation.phase) } }
    private var isOver: Bool { state.withLock { $0.conversation.phase == .over } }

    /// Records the progress in the evidence.
    private func describe() {
        let (execution, shell, progress) = state.withLock { state in
            (state.execution, state.conversation.evidence, state.conversation.progress)
        }
        execution?.describe(shell, progress)
    }

    /// Notices about the run, for a person.
    package var notices: [String] {
        state.withLock { state in
            var notices: [String] = []
            if state.conversation.keepsPager { notices.append("the device did not take the command that switches its pager off") }
            if state.conversation.answeredPager { notices.append("the device's pager was answered, page by page") }
            return notices
        }
    }

    /// The facts about the shell.
    package var evidence: SSHShellEvidence { state.withLock { $0.conversation.evidence } }

    /// The verdict on an ended shell; nil if the device accepted the command and its prompt came again.
    package func failure<Value>(_ outcome: SSHCommandOutcome<Value>) -> SSHError? {
        let isFine = state.withLock { $0.conversation.phase == .over && $0.conversation.rejection == nil }
        return isFine ? nil : outcome.evidence.map { SSHFailureClassifier.classify($0) }
    }
}

extension ShellConversation {
    fileprivate var evidence: SSHShellEvidence {
        var evidence = SSHShellEvidence(lastLine: lastLine)
        evidence.device = device?.name
        evidence.prompt = prompt
        evidence.rejection = rejection?.line
        evidence.promptReturned = phase == .over
        evidence.echoSeen = hasEchoed
        return evidence
    }

    fileprivate var progress: SSHCommandEvidence.Progress {
        switch phase {
        case .greeting, .preparing: .notSent
        case .running: .sent
        case .over: rejection?.isSyntaxError == true ? .refused : .accepted
        }
    }
}
