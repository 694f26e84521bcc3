package import BridgeSSH
package import ErrorCore
internal import Synchronization

/// How often to retry a run, how long to wait for a host that does not accept logins yet, and whether the command may run twice.
package struct RetryPlan: Sendable, Equatable {
    package var retries: Int
    package var isIdempotent: Bool
    /// How to wait for a host that does not accept logins yet; nil treats that as a failure.
    package var wait: LoginWait?

    package init(retries: Int = 0, isIdempotent: Bool = false, wait: LoginWait? = nil) {
        self.retries = retries
        self.isIdempotent = isIdempotent
        self.wait = wait
    }

    /// The greatest number of attempts, including the first but not those of the wait for a login.
    package var attempts: Int { retries + 1 }

    /// Whether to retry depends on the error's own advice, and on whether the command may have run
    /// (`SSHError.mayHaveTakenEffect`).
    ///
    /// - Parameter canRepeat: whether another attempt could read the same input.
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

    /// Whether the server received a password and closed the connection without an answer. It has counted the attempt
    /// (sshd_config(5), MaxAuthTries), so sending the password again may lock the account. A server whose logins are closed has
    /// accepted the password.
    package static func sentPassword(_ error: any Error) -> Bool {
        guard let error = error as? SSHError, error.code != .authLoginsClosed else { return false }
        return error.evidence.authentication?.attempts.contains { $0.method != "publickey" && $0.outcome == .unanswered } ?? false
    }

    /// The name of an attempt in messages.
    package func text(ofAttempt number: Int) -> String { wait == nil ? "attempt \(number) of \(attempts)" : "attempt \(number)" }
}

/// The number of retries left, not counting attempts of the wait.
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

/// Waits until a host accepts logins, for causes that pass on their own.
package struct LoginWait: Sendable, Equatable {
    /// The time limit for starting an attempt, measured from the first.
    package var time: Duration
    /// Whether to wait for a name that does not resolve yet.
    package var awaitsName: Bool

    package init(_ time: Duration, awaitsName: Bool = false) {
        self.time = time
        self.awaitsName = awaitsName
    }

    /// sshd counts 5 s of penalty for a refused login, and refuses an address at 15 s (sshd_config(5), PerSourcePenalties).
    /// Attempts at this pace never reach that sum.
    package static let pace = RetryPolicy(
        maxAttempts: .max, initialDelay: .seconds(2), multiplier: 1.5, maxDelay: .seconds(10), jitter: .none)

    /// Whether the cause may pass, and nothing has been started on the host.
    package func passes(_ error: SSHError) -> Bool { passes(Self.reason(of: error)) }

    package func passes(_ reason: Reason) -> Bool { reason == .closed || reason == .noName && awaitsName }

    /// The meaning of a failure during a wait for a login.
    package enum Reason: Sendable, Hashable {
        /// Waiting does not help, or the login succeeded.
        case other
        /// The host is unreachable or accepts no logins, for a temporary cause.
        case closed
        /// The name was not found.
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
