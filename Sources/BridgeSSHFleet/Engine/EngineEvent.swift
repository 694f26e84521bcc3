package import ErrorCore
package import SSHRun

/// What the engine hears of the outside. Hosts are numbers from 0.
package enum EngineEvent: Sendable {
    /// The run begins.
    case begin
    /// Time has passed: see ``FleetEngine/nextWake``.
    case tick
    /// A host has accepted the login.
    case loggedIn(host: Int)
    /// From now on the command may have run on the host.
    case armed(host: Int)
    /// A host asks for a password and has not been offered it.
    case passwordWanted(host: Int, PasswordUse)
    /// A host has answered an offer of the password.
    case passwordAnswered(host: Int, PasswordUse, accepted: Bool)
    /// A host that was offered the password was not sent it, and will not be in this attempt.
    case passwordUnused(host: Int, PasswordUse)
    /// An attempt is over.
    case attemptEnded(host: Int, AttemptEnd)
    /// What was to happen between two batches has happened; with a reason not to go on, or nil.
    case betweenEnded(problem: String?)
    /// A person wants another number of hosts at once.
    case parallel(Int)
    /// A person or a signal ends the run: the first time no more hosts are begun, the second time running commands are ended,
    /// the third time the run is left.
    case interrupted(reason: String)
    /// Something that the whole run depends on has failed, such as its journal.
    case broken(reason: String)
}

/// What a password is for. Each has its own quarantine.
package enum PasswordUse: Sendable, Hashable, CaseIterable {
    case login
    case sudo
}

/// Whether a host that asks for a password is sent it.
package enum PasswordTurn: Sendable, Hashable {
    case offered
    /// The host was sent it before, and did not accept it.
    case refusedHere
    /// Other hosts did not accept it.
    case refusedElsewhere
}

/// What the outside has to do, in order.
package enum EngineDecision: Sendable, Equatable {
    case batch(number: Int, of: Int, hosts: Int)
    /// What is to happen between two batches; answered by ``EngineEvent/betweenEnded(problem:)``.
    case between(after: Int)
    /// Begin an attempt; the number counts from 1.
    case start(host: Int, attempt: Int)
    /// Whether the password is offered to a host that has asked for it.
    case password(host: Int, PasswordUse, PasswordTurn)
    /// The host will be tried again after a while.
    case retry(host: Int, after: Duration)
    /// The host has its outcome.
    case finish(host: Int, EngineEnding)
    /// End the attempt that is under way on a host.
    case cancel(host: Int)
    case paused(reason: String)
    case resumed(reason: String)
    case stopped(rule: String?, reason: String)
    /// Every host has its outcome. The last decision.
    case completed
}

/// How a host gets its outcome.
package enum EngineEnding: Sendable, Hashable {
    /// Its last attempt decides.
    case result
    /// Work on it never began.
    case skipped
    /// The run was left while an attempt was under way.
    case abandoned(mayHaveRun: Bool)
}

/// What an attempt on a host came to, as far as the engine has to know.
package struct AttemptEnd: Sendable, Hashable {
    /// What may be the fault of more than this host.
    package enum Trouble: Sendable, Hashable {
        /// The server turned the connection away because it is busy.
        case serverBusy
        /// The server did not answer in time.
        case timedOut
        /// The cause is on this machine.
        case local(reason: String)
        /// This machine has run out of something, such as descriptors.
        case shortage(reason: String)
    }

    /// Never `skipped`.
    package var outcome: FleetHostOutcome
    /// The code of the failure.
    package var code: String?
    package var isElevationRefused = false
    package var retry = RetryAdvice.never
    package var trouble: Trouble?
    /// What the failure is to one who waits until the host lets us in.
    package var reason = LoginWait.Reason.other

    package init(
        _ outcome: FleetHostOutcome, code: String? = nil, isElevationRefused: Bool = false, retry: RetryAdvice = .never,
        trouble: Trouble? = nil, reason: LoginWait.Reason = .other
    ) {
        self.outcome = outcome
        self.code = code
        self.isElevationRefused = isElevationRefused
        self.retry = retry
        self.trouble = trouble
        self.reason = reason
    }

    /// Why the cause is on this machine; nil if it is not.
    var localReason: String? {
        switch trouble {
        case .local(let reason), .shortage(let reason): reason
        case .serverBusy, .timedOut, nil: nil
        }
    }
}
