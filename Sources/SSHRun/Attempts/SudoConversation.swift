package import BridgeSSH
internal import ErrorCore
internal import Synchronization

/// Gives sudo its password, and nothing but sudo: the prompt contains a random number that only this run knows.
///
/// sudo prompts on standard error. This sink filters that stream and removes the prompt. A second prompt means that the password
/// was wrong; it is not sent again. Before the command starts, it prints a marker. Then the command receives its input.
package final class SudoConversation: OutputSink {
    /// The next piece of the command's input; nil at its end.
    package typealias Input = @Sendable () async throws -> [UInt8]?

    fileprivate enum Phase {
        /// sudo has neither prompted nor started the command.
        case waiting
        case answered
        case refused
        /// The command is running.
        case through
    }

    fileprivate struct State {
        var phase = Phase.waiting
        /// Received bytes that may be the start of a prompt or marker.
        var pending: [UInt8] = []
        /// Why sudo did not get the password that it asked for.
        var reason: String?
        /// The pending prompt to a person.
        var asking: Task<SSHSecret, any Error>?
        var isAbandoned = false
    }

    private let prompt: [UInt8]
    private let marker: [UInt8]
    private let line: SudoCommandLine
    private let password: SudoPassword
    /// Secrets to mask when the host prints them.
    private let secrets: KnownSecrets
    private let input: Input
    private let inner: any OutputSink
    private let permit: any SudoPermit
    private let began: @Sendable () -> Void
    private let state = Mutex(State())
    private let pieces: AsyncStream<[UInt8]>
    private let addPiece: AsyncStream<[UInt8]>.Continuation

    /// - Parameters:
    ///   - secrets: receives the password once it is known.
    ///   - input: the command's input once it runs.
    ///   - inner: receives the command's standard error.
    ///   - isThrough: called when sudo has started the command.
    package init(
        _ permit: any SudoPermit, password: SudoPassword, _ secrets: KnownSecrets, input: @escaping Input,
        to inner: any OutputSink,
        nonce: String = SudoCommandLine.makeNonce(), isThrough: @escaping @Sendable () -> Void = {}
    ) {
        self.began = isThrough
        self.permit = permit
        self.password = password
        self.secrets = secrets
        self.input = input
        self.inner = inner
        line = SudoCommandLine(nonce: nonce)
        prompt = Array("\(line.prompt)\n".utf8)
        marker = Array("\(line.marker)\n".utf8)
        (pieces, addPiece) = AsyncStream.makeStream(of: [UInt8].self)
    }

    /// The command line that runs a command through sudo.
    package func command(_ command: String) -> String { line.text(for: command) }

    /// The input for the remote command: the password if sudo prompts for it, then the command's own input.
    package var standardInput: SSHStandardInput { .pieces { [self] in try await nextInput() } }

    /// The next piece of ``standardInput``; nil at the end.
    package func nextInput() async throws -> [UInt8]? {
        for await piece in pieces { return piece }
        return state.withLock { $0.phase == .through } ? try await input() : nil
    }

    // MARK: Standard error

    package func write(_ chunk: SSHOutputChunk) async throws {
        let isThrough = state.withLock { $0.phase == .through && $0.pending.isEmpty }
        if isThrough { return try await inner.write(chunk) }
        state.withLock { $0.pending += chunk.bytes }
        while let (passed, found) = state.withLock({ $0.next(prompt, marker) }) {
            if !passed.isEmpty { try await pass(passed) }
            switch found {
            case .prompt: await asked()
            case .marker: await started()
            case nil: return
            }
        }
    }

    /// Runs the command by `run`. If sudo got no password, adds the reason to the outcome.
    ///
    /// - Throws: what `run` throws.
    package func perform(
        at endpoint: SSHEndpoint, _ run: (SudoConversation) async throws -> RunOutcome.End
    ) async throws -> RunOutcome.End {
        do {
            let end = try await run(self)
            await flush()
            if case .ended(.exited(0), nil) = end, !isThrough() { return .failed(Self.notBegun(at: endpoint)) }
            return explained(end)
        } catch {
            await flush()
            guard let failure = error as? SSHError else { throw error }
            throw explained(failure)
        }
    }

    private func isThrough() -> Bool { state.withLock { $0.phase == .through } }

    /// The verdict on a sudo that exited with status 0 without running the command.
    private static func notBegun(at endpoint: SSHEndpoint) -> SSHError {
        SSHError(
            code: .channelExecDenied, message: "sudo on \(endpoint.label) ended with status 0 and did not run the command.",
            hint: "Check what \(run: "sudo", .placeholders, on: .server) is on that host; it is not sudo(8).",
            confidence: .exact, retry: .never,
            evidence: SSHEvidence(local: .requestRefused(.exec), stage: .channel, endpoint: endpoint))
    }

    /// The command has ended, so the held-back bytes are not a marker: pass them on.
    func flush() async {
        let rest = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        addPiece.finish()
        if !rest.isEmpty { try? await pass(rest) }
    }

    private func pass(_ bytes: [UInt8]) async throws {
        try await inner.write(SSHOutputChunk(copying: bytes, stream: .standardError))
    }

    private func asked() async {
        let isFirst = state.withLock { state in
            defer { if state.phase == .answered { state.phase = .refused } }
            return state.phase == .waiting
        }
        guard isFirst else {
            await permit.answered(accepted: false)
            return addPiece.finish()
        }
        if case .withheld(let reason) = await permit.mayAnswer() { return withhold(reason) }
        do {
            let secret = try await secret()
            secrets.add(secret)
            state.withLock { $0.phase = .answered }
            addPiece.yield(secret.withBytes { Array($0) } + [UInt8(ascii: "\n")])
        } catch let failure as SudoPassword.Failure {
            await permit.unused()
            withhold(
                failure.reason == .declined
                    ? "none was typed"
                    : "there is no terminal for the prompt; use --sudo-password-file")
        } catch {
            await permit.unused()
            withhold(nil)
        }
    }

    /// The password. Cancelling the run ends the wait for a person's answer.
    private func secret() async throws -> SSHSecret {
        let asking = Task { [password] in try await password.secret() }
        let isLate = state.withLock { state in
            state.asking = asking
            return state.isAbandoned
        }
        if isLate { asking.cancel() }
        defer { state.withLock { $0.asking = nil } }
        return try await withTaskCancellationHandler {
            try await asking.value
        } onCancel: {
            asking.cancel()
        }
    }

    private func withhold(_ reason: String?) {
        if let reason { permit.withheld(reason: reason) }
        state.withLock { ($0.phase, $0.reason) = (.refused, reason) }
        addPiece.finish()
    }

    /// The message for a sudo that asked for the password and did not get it.
    package var note: String? { state.withLock { $0.reason }.map(SudoPassword.note) }

    private func explained(_ end: RunOutcome.End) -> RunOutcome.End {
        switch end {
        case .ended(let termination, let error?): .ended(termination, explained(error))
        case .failed(let error): .failed(explained(error))
        default: end
        }
    }

    /// The failure without prompt and marker in its texts. If no password was sent, it says why.
    private func explained(_ error: SSHError) -> SSHError {
        var evidence = error.evidence
        let words = [prompt, marker].map { String(decoding: $0, as: UTF8.self) }
        for word in words { evidence.command?.standardErrorTail.replace(word, with: "") }
        let note = note
        return SSHError(
            code: error.code, message: note.map { error.message.ended + " \($0.sentence)." } ?? error.message,
            hint: note == nil ? error.remedyText : Self.remedy, confidence: error.confidence,
            alternatives: error.alternatives, retry: error.retry, cause: note.map(Self.withheld) ?? error.cause,
            evidence: evidence)
    }

    private static let remedy = RemedyText(
        "Give the password that is right on that host with --sudo-password-file FILE, or let the account run the command without "
            + "one (NOPASSWD in sudoers).")

    /// The cause for a sudo that did not refuse but got no answer.
    private static func withheld(_ note: String) -> SSHRemoteCause {
        SSHRemoteCause("sudo-unanswered", .permissionDenied(tool: "sudo"), note.sentence + ".", .exact)
    }

    private func started() async {
        let wasAnswered = state.withLock { state in
            defer { state.phase = .through }
            return state.phase == .answered
        }
        if wasAnswered { await permit.answered(accepted: true) }
        addPiece.finish()
        began()
    }

    package func abandon() {
        let asking = state.withLock { state in
            state.isAbandoned = true
            return state.asking
        }
        asking?.cancel()
        inner.abandon()
    }

    package var isAbandoned: Bool { inner.isAbandoned }
    package var idleTime: Duration? { inner.idleTime }
}

extension SudoConversation.State {
    fileprivate enum FoundText {
        case prompt
        case marker
    }

    /// Takes the bytes that can be passed on, up to a prompt or marker.
    ///
    /// - Returns: nil if there are none.
    fileprivate mutating func next(_ prompt: [UInt8], _ marker: [UInt8]) -> (passed: [UInt8], FoundText?)? {
        guard !pending.isEmpty else { return nil }
        if phase == .through { return (take(pending.count), nil) }
        // Prompt and marker begin with the same byte, so everything before that byte belongs to neither.
        var start = pending.startIndex
        while let next = pending[start...].firstIndex(of: prompt[0]) {
            start = next
            let rest = pending[start...]
            for (word, found) in [(prompt, FoundText.prompt), (marker, FoundText.marker)] {
                if rest.starts(with: word) {
                    let passed = take(start)
                    _ = take(word.count)
                    return (passed, found)
                }
                // This may be the start of a prompt or marker.
                if rest.count < word.count, word.starts(with: rest) { return start == 0 ? nil : (take(start), nil) }
            }
            start += 1
        }
        return (take(pending.count), nil)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}
