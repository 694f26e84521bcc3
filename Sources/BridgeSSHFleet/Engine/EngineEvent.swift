package import ErrorCore
package import SSHRun

/// The events that the engine handles. Hosts are numbers from 0.
package enum EngineEvent: Sendable {
    case begin
    /// Time has passed: see ``FleetEngine/nextWake``.
    case tick
    /// A host has accepted the login.
    case loggedIn(host: Int)
    /// From now on the command may have run on the host.
    case armed(host: Int)
    /// A host wants a password and has not been offered it yet.
    case passwordWanted(host: Int, PasswordUse)
    /// A host has answered an offer of the password.
    case passwordAnswered(host: Int, PasswordUse, accepted: Bool)
    /// A host that was about to get the password did not, and will not in this attempt.
    case passwordUnused(host: Int, PasswordUse)
    case attemptEnded(host: Int, AttemptEnd)
    /// The step between two batches has ended; `problem` is the reason to end the run, or nil.
    case betweenEnded(problem: String?)
    /// A person wants another number of hosts to run at once.
    case parallel(Int)
    /// A person or a signal ends the run. The first time no more hosts are begun, the second time running commands are ended, and
    /// the third time the run ends without waiting for its attempts.
    case interrupted(reason: String)
    /// Something that the whole run depends on has failed, such as its journal.
    case broken(reason: String)
}

/// The use of a password. Each use has its own quarantine.
package enum PasswordUse: Sendable, Hashable, CaseIterable {
    case login
    case sudo
}

/// Whether the password is offered to a host that wants it.
package enum PasswordTurn: Sendable, Hashable {
    case offered
    /// The host refused it before.
    case refusedHere
    /// Other hosts refused it.
    case refusedElsewhere
}

/// The actions that the engine's owner must perform, in order.
package enum EngineDecision: Sendable, Equatable {
    case batch(number: Int, of: Int, hosts: Int)
    /// Take the step between two batches; the answer is ``EngineEvent/betweenEnded(problem:)``.
    case between(after: Int)
    /// Begin an attempt; attempts count from 1.
    case start(host: Int, attempt: Int)
    /// Whether to offer the password to a host that wants it.
    case password(host: Int, PasswordUse, PasswordTurn)
    /// The host will be retried after a delay.
    case retry(host: Int, after: Duration)
    /// The host has its outcome.
    case finish(host: Int, EngineEnding)
    /// End the running attempt on a host.
    case cancel(host: Int)
    case paused(reason: String)
    case resumed(reason: String)
    case stopped(rule: String?, reason: String)
    /// Every host has its outcome. This is the last decision.
    case completed
}

/// The reason for a host's outcome.
package enum EngineEnding: Sendable, Hashable {
    /// Its last attempt decides.
    case result
    /// Work on it never began.
    case skipped
    /// The run ended without waiting for an attempt in progress.
    case abandoned(mayHaveRun: Bool)
}

/// The result of an attempt on a host, as far as the engine needs it.
package struct AttemptEnd: Sendable, Hashable {
    /// A problem that may not be the fault of this host alone.
    package enum SharedProblem: Sendable, Hashable {
        /// The server refused the connection because it is busy.
        case serverBusy
        /// The server did not answer in time.
        case timedOut
        /// The cause is on this machine.
        case local(reason: String)
        /// The host's name cannot be resolved: its name servers do not answer, or this machine can resolve no name.
        case unresolved(reason: String)
        /// This machine has run out of a resource, such as file descriptors.
        case shortage(reason: String)
    }

    /// Never `skipped`.
    package var outcome: FleetHostOutcome
    package var code: String?
    package var isElevationRefused = false
    package var retry = RetryAdvice.never
    package var sharedProblem: SharedProblem?
    /// Why the host does not accept the login yet, for a run that waits for it.
    package var reason = LoginWait.Reason.other

    package init(
        _ outcome: FleetHostOutcome, code: String? = nil, isElevationRefused: Bool = false, retry: RetryAdvice = .never,
        sharedProblem: SharedProblem? = nil, reason: LoginWait.Reason = .other
    ) {
        self.outcome = outcome
        self.code = code
        self.isElevationRefused = isElevationRefused
        self.retry = retry
        self.sharedProblem = sharedProblem
        self.reason = reason
    }

    /// The cause on this machine; nil if the cause is elsewhere.
    var localReason: String? {
        switch sharedProblem {
        case .local(let reason), .unresolved(let reason), .shortage(let reason): reason
        case .serverBusy, .timedOut, nil: nil
        }
    }
}
