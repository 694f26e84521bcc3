internal import Dispatch
internal import Synchronization

/// Answers one keyboard-interactive attempt: a single hidden prompt with the password, everything else by asking.
///
/// libssh2 needs the answers inside its callback. So this runs on a thread that may block, and waits there for the answers from
/// an asynchronous task. This attempt owns the task, and ends after it.
final class Prompter: Sendable {
    private let endpoint: SSHEndpoint
    private let password: SSHSecret?
    private let interaction: (any SSHInteraction)?
    private let promptPause: PromptPause
    private let secrets: KnownSecrets
    private let isRetry: Bool

    private struct State {
        var serverTexts: [String] = []
        var wasAsked = false
        var rounds = 0
        var unansweredRounds = 0
        var unanswerable: String?
        var usedPassword = false
        var failure: (any Error)?
        var asking: Task<Void, Never>?
        var isCancelled = false
    }
    private let state = Mutex(State())
    /// The greatest number of the server's texts that are kept.
    private static let serverTextLimit = 64
    /// The number of prompts that are accepted after one without an answer; as many as ssh(1) allows (ssh_config(5),
    /// NumberOfPasswordPrompts).
    private static let maximumUnanswered = 3

    /// - Parameter isRetry: whether the server has refused earlier answers.
    init(
        endpoint: SSHEndpoint, password: SSHSecret?, interaction: (any SSHInteraction)?, promptPause: PromptPause,
        secrets: KnownSecrets,
        isRetry: Bool
    ) {
        self.endpoint = endpoint
        self.password = password
        self.interaction = interaction
        self.promptPause = promptPause
        self.secrets = secrets
        self.isRetry = isRetry
    }

    /// All texts from the server in this attempt: titles, instructions and prompts.
    var serverTexts: [String] { state.withLock { $0.serverTexts } }
    /// Whether the server sent a prompt.
    var wasAsked: Bool { state.withLock { $0.wasAsked } }
    var unanswerable: String? { state.withLock { $0.unanswerable } }
    var usedPassword: Bool { state.withLock { $0.usedPassword } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    func run(in session: Session, user: String) async throws -> AuthenticationAnswer {
        try await withTaskCancellationHandler {
            do {
                return try await session.authenticate(
                    user: user, prompter: { self.react(to: $0) }, on: BlockingCalls(), interrupt: { self.cancel() })
            } catch let fault as Fault {
                guard case .protocolViolated(.endlessQuestions) = fault.event, let prompt = unanswerable else { throw fault }
                throw Fault(.promptUnanswerable(prompt: prompt), stage: .authentication)
            }
        } onCancel: {
            cancel()
        }
    }

    /// Withdraws the current prompt and all later ones.
    private func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.asking?.cancel()
        }
    }

    /// Called on a thread that may block.
    private func react(to request: SSHPromptRequest) -> PromptReaction {
        let isEndless = state.withLock { state in
            state.rounds += 1
            if state.unanswerable != nil { state.unansweredRounds += 1 }
            return state.rounds > PromptReaction.maximumRounds || state.unansweredRounds > Self.maximumUnanswered
        }
        return isEndless ? .giveUp : .answers(answers(to: request) ?? [])
    }

    private func answers(to request: SSHPromptRequest) -> [SSHSecret]? {
        state.withLock { state in
            let texts = [request.name, request.instruction] + request.prompts.map(\.text)
            state.serverTexts += texts.filter { !$0.isEmpty }.prefix(Self.serverTextLimit - state.serverTexts.count)
            state.wasAsked = state.wasAsked || !request.prompts.isEmpty
        }
        if request.prompts.isEmpty { return [] }
        let mayUsePassword = state.withLock { !$0.usedPassword } && request.prompts.count == 1 && !request.prompts[0].echo
        if mayUsePassword, let password {
            state.withLock { $0.usedPassword = true }
            return [password]
        }
        guard let interaction else {
            state.withLock { $0.unanswerable = request.prompts[0].text }
            return nil
        }
        return ask(request, interaction)
    }

    private func ask(_ request: SSHPromptRequest, _ interaction: any SSHInteraction) -> [SSHSecret]? {
        var request = request
        // Later rounds of the same attempt are new prompts, not a repetition.
        request.isRetry = isRetry && state.withLock { $0.rounds == 1 }
        let question = secrets.masking(request)
        let answer = Mutex<[SSHSecret]?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            do {
                let given = try await promptPause.ask {
                    try await interaction.answers(to: question, user: endpoint.user, host: endpoint.name)
                }
                // An answer that is visible while it is typed is not secret.
                for (prompt, answer) in zip(question.prompts, given ?? []) where !prompt.echo { secrets.add(answer) }
                answer.withLock { $0 = given }
            } catch {
                state.withLock { $0.failure = error }
            }
            done.signal()
        }
        state.withLock { state in
            state.asking = task
            if state.isCancelled { task.cancel() }
        }
        done.wait()
        let given = answer.withLock { $0 }
        if given == nil { state.withLock { $0.unanswerable = request.prompts[0].text } }
        return given
    }
}

/// Pauses a deadline while a person types, and asks without blocking other tasks.
struct PromptPause: Sendable {
    let deadline: PausableDeadline

    func ask<Answer: Sendable>(_ question: @Sendable () async throws -> Answer) async rethrows -> Answer {
        deadline.pause()
        defer { deadline.resume() }
        return try await BlockingWork.run(question)
    }
}

/// Tracks how much of the server's banner was reported to the observer.
struct ReportedBanner {
    private var count = 0

    /// Reports the part that was received since the last report.
    mutating func report(of session: isolated Session, _ timeline: Timeline) {
        session.collectBanners()
        guard let banner = session.authentication.banner?.utf8, banner.count > count else { return }
        timeline.serverBanner(String(decoding: Array(banner.dropFirst(count)), as: UTF8.self))
        count = banner.count
    }
}

extension SSHAuthenticationEvidence {
    /// The accepted credentials, for a person: `the key ~/.ssh/id_ed25519 (SHA256:…) and a password`.
    var acceptedCredentials: String {
        let accepted = attempts.filter { $0.outcome == .accepted || $0.outcome == .partial }.map { attempt in
            switch attempt.method {
            case "publickey": "the key \(attempt.credential)\(attempt.fingerprint.map { " (\($0))" } ?? "")"
            case "password": "the password"
            default: "the answers to its questions"
            }
        }
        return accepted.isEmpty ? "no credential" : accepted.listed()
    }
}
