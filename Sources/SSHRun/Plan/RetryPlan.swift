package import BridgeSSH
package import ErrorCore
internal import Synchronization

/// The retries of a run, its wait for a host that does not accept logins yet, and whether its command may run twice.
package struct RetryPlan: Sendable, Equatable {
    package var retries: Int
    package var isIdempotent: Bool
    /// The wait for a host that does not accept logins yet; nil makes that a failure.
    package var wait: LoginWait?

    package init(retries: Int = 0, isIdempotent: Bool = false, wait: LoginWait? = nil) {
        self.retries = retries
        self.isIdempotent = isIdempotent
        self.wait = wait
    }

    /// The maximum number of attempts, the first included, beside those that wait.
    package var attempts: Int { retries + 1 }

    /// The error's own advice decides, and whether the command may have run (`SSHError.mayHaveTakenEffect`).
    ///
    /// - Parameter canRepeat: whether another attempt could be given the same input.
    package func policy(_ canRepeat: @escaping @Sendable () -> Bool) -> RetryPolicy {
        guard let wait else {
            var policy = RetryPolicy.default
            policy.maxAttempts = attempts
            policy.isIdempotent = isIdempotent
            policy.shouldRetry = { RetryAdvice.of($0).allowsRetry && canRepeat() && !Self.sentPassword($0) }
            return policy
        }
        var policy = LoginWait.pace
        policy.deadline = wait.time
        policy.isIdempotent = isIdempotent
        let left = Retries(retries)
        policy.shouldRetry = { error in
            guard canRepeat(), !Self.sentPassword(error) else { return false }
            if let error = error as? SSHError, wait.passes(error) { return true }
            return RetryAdvice.of(error).allowsRetry && left.take()
        }
        return policy
    }

    /// Whether the server was sent a password, and hung up in place of an answer: it has counted the try (sshd_config(5),
    /// MaxAuthTries), and sending it again may lock the account. A server whose logins are closed has accepted the password.
    package static func sentPassword(_ error: any Error) -> Bool {
        guard let error = error as? SSHError, error.code != .authLoginsClosed else { return false }
        return error.evidence.authentication?.attempts.contains { $0.method != "publickey" && $0.outcome == .unanswered } ?? false
    }

    /// The words for an attempt in messages.
    package func text(ofAttempt number: Int) -> String { wait == nil ? "attempt \(number) of \(attempts)" : "attempt \(number)" }
}

/// How many retries are left beside the waiting.
private final class Retries: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

/// Waiting until a host lets us in: for causes that pass by themselves.
package struct LoginWait: Sendable, Equatable {
    /// No attempt begins later than this after the first.
    package var time: Duration
    /// Whether to wait for a name that does not resolve yet.
    package var awaitsName: Bool

    package init(_ time: Duration, awaitsName: Bool = false) {
        self.time = time
        self.awaitsName = awaitsName
    }

    /// A refused login costs 5 s of sshd's patience, and 15 s are what it punishes (sshd_config(5), PerSourcePenalties):
    /// attempts at these times never add up to them.
    package static let pace = RetryPolicy(
        maxAttempts: .max, initialDelay: .seconds(2), multiplier: 1.5, maxDelay: .seconds(10), jitter: .none)

    /// Whether the cause of a failure may pass, and nothing has been begun at the host.
    package func passes(_ error: SSHError) -> Bool { passes(Self.reason(of: error)) }

    package func passes(_ reason: Reason) -> Bool { reason == .closed || reason == .noName && awaitsName }

    /// What a failure means while waiting for a login.
    package enum Reason: Sendable, Hashable {
        /// Waiting does not help, or the login succeeded.
        case other
        /// The host is unreachable or accepts no logins, for a cause that passes.
        case closed
        /// The name is not found.
        case noName
    }

    package static func reason(of error: SSHError) -> Reason {
        if error.code == .resolveHostNotFound { return .noName }
        switch error.stage {
        case .resolve, .connect, .banner, .keyExchange, .hostKey, .key, .authentication:
            return error.retry.allowsRetry && error.commandMayHaveRun == .no ? .closed : .other
        case .channel, .session, .sftp, .command, .local: return .other
        }
    }
}
