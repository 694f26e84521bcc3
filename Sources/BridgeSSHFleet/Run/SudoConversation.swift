internal import BridgeSSH
internal import SSHRun
internal import Synchronization

/// Gives sudo its password, and only sudo: it asks with a prompt that holds a number which only this run knows.
///
/// It stands before standard error, where sudo asks, and takes the prompt out of it. A second prompt means that the password was
/// wrong: it is not sent again. Once sudo lets the command run, which the command itself says first, the command gets its input.
final class SudoConversation: OutputSink {
    fileprivate enum Step {
        /// Neither asked nor let through.
        case waiting
        case answered
        case refused
        /// The command runs.
        case through
    }

    fileprivate struct State {
        var step = Step.waiting
        /// What has come and may be the beginning of a marker.
        var pending: [UInt8] = []
        /// Why sudo was not given the password that it asked for.
        var reason: String?
    }

    private let prompt: [UInt8]
    private let marker: [UInt8]
    private let nonce: String
    private let password: SudoPassword
    /// What is masked where the host repeats it.
    private let secrets: KnownSecrets
    private let input: FleetInput.Reader
    private let inner: HostOutput
    private let attempt: HostAttempt
    private let state = Mutex(State())
    private let pieces: AsyncStream<[UInt8]>
    private let addPiece: AsyncStream<[UInt8]>.Continuation

    init(
        _ attempt: HostAttempt, password: SudoPassword, _ secrets: KnownSecrets, input: @escaping FleetInput.Reader,
        nonce: String = SudoConversation.makeNonce()
    ) {
        self.attempt = attempt
        self.password = password
        self.secrets = secrets
        self.input = input
        self.nonce = nonce
        inner = attempt.error
        prompt = Array("\(Self.prompt(nonce))\n".utf8)
        marker = Array("\(Self.marker(nonce))\n".utf8)
        (pieces, addPiece) = AsyncStream.makeStream(of: [UInt8].self)
    }

    private static func prompt(_ nonce: String) -> String { "bridge-ssh-sudo-\(nonce)-password" }
    private static func marker(_ nonce: String) -> String { "bridge-ssh-sudo-\(nonce)-started" }

    static func makeNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(generator.next() as UInt32, radix: 36) }.joined()
    }

    /// The command line that runs a command through sudo.
    func command(_ command: String) -> String {
        let script = "printf '%s\\n' \(Self.marker(nonce)) >&2; exec sh -c \"$0\""
        return "sudo -S -p \(ShellWord.quoted(Self.prompt(nonce) + "\n")) -- sh -c \(ShellWord.quoted(script)) "
            + ShellWord.quoted(command)
    }

    /// What the remote command reads: the password if sudo asks for it, then the command's input.
    var standardInput: SSHStandardInput {
        .pieces { [self] in
            for await piece in pieces { return piece }
            return state.withLock { $0.step == .through } ? try await input() : nil
        }
    }

    // MARK: Standard error

    func write(_ chunk: SSHOutputChunk) async throws {
        let isThrough = state.withLock { $0.step == .through && $0.pending.isEmpty }
        if isThrough { return try await inner.write(chunk) }
        state.withLock { $0.pending += chunk.bytes }
        while let (passed, found) = state.withLock({ $0.next(prompt, marker) }) {
            if !passed.isEmpty { try await inner.write(passed) }
            switch found {
            case .prompt: await asked()
            case .marker: await started()
            case nil: return
            }
        }
    }

    /// The command has ended: what was held back as the beginning of a marker is none.
    func flush() async {
        let rest = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        addPiece.finish()
        if !rest.isEmpty { try? await inner.write(rest) }
    }

    private func asked() async {
        let isFirst = state.withLock { state in
            defer { if state.step == .answered { state.step = .refused } }
            return state.step == .waiting
        }
        guard isFirst else {
            await attempt.answered(.sudo, accepted: false)
            return addPiece.finish()
        }
        let turn = await attempt.turn(.sudo)
        guard turn == .offered else {
            return withhold(
                turn.map {
                    $0 == .refusedHere
                        ? "it was sent there in an attempt before, and not accepted" : "other hosts have not accepted it"
                })
        }
        do {
            let secret = try await password.secret()
            secrets.add(secret)
            state.withLock { $0.step = .answered }
            addPiece.yield(secret.withBytes { Array($0) } + [UInt8(ascii: "\n")])
        } catch let failure as SudoPassword.Failure {
            await attempt.left(.sudo)
            withhold(
                failure.absence == .declined
                    ? "none was typed"
                    : "there is no terminal to ask for it on; --sudo-password-file names a file that has it")
        } catch {
            await attempt.left(.sudo)
            withhold(nil)
        }
    }

    private func withhold(_ reason: String?) {
        state.withLock { ($0.step, $0.reason) = (.refused, reason) }
        addPiece.finish()
    }

    /// The end of the command, with what was not sent to sudo where that is why.
    func explained(_ end: RunOutcome.End) -> RunOutcome.End {
        guard case .ended(let termination, let error?) = end, let reason = state.withLock({ $0.reason }) else { return end }
        return .ended(
            termination,
            SSHError(
                code: error.code, message: error.message, hint: "sudo wanted a password, and was not sent one: \(reason).",
                confidence: error.confidence, alternatives: error.alternatives, retry: error.retry, cause: error.cause,
                evidence: error.evidence))
    }

    private func started() async {
        let wasAnswered = state.withLock { state in
            defer { state.step = .through }
            return state.step == .answered
        }
        if wasAnswered { await attempt.answered(.sudo, accepted: true) }
        addPiece.finish()
    }

    func abandon() { inner.abandon() }
    var isAbandoned: Bool { inner.isAbandoned }
    var idleTime: Duration? { inner.idleTime }
}

extension SudoConversation.State {
    fileprivate enum Found {
        case prompt
        case marker
    }

    /// Takes what can be passed on, up to a marker.
    ///
    /// - Returns: nil if there is nothing.
    fileprivate mutating func next(_ prompt: [UInt8], _ marker: [UInt8]) -> (passed: [UInt8], Found?)? {
        guard !pending.isEmpty else { return nil }
        if step == .through { return (take(pending.count), nil) }
        for start in pending.indices {
            let rest = pending[start...]
            for (word, found) in [(prompt, Found.prompt), (marker, Found.marker)] {
                if rest.starts(with: word) {
                    let passed = take(start)
                    _ = take(word.count)
                    return (passed, found)
                }
                // It may be the beginning of one.
                if rest.count < word.count, word.starts(with: rest) { return start == 0 ? nil : (take(start), nil) }
            }
        }
        return (take(pending.count), nil)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}
