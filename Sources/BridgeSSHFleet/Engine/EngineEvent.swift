package import ErrorCore
package import SSHRun

/// The parameters of a run, as numbers.
package struct EnginePlan: Sendable {
    package var hosts: Int
    /// For each host the number of its address, from 0. Hosts with the same address share a login gate. Empty for no gates.
    package var addresses: [Int32] = []
    /// The most simultaneous logins at one address.
    package var loginsPerAddress = 8
    /// How many hosts run at once; nil adapts the number.
    package var parallel: Int?
    /// The most hosts that this machine allows at once.
    package var ceiling = Int.max
    /// The most hosts begun per second; nil for no limit.
    package var rate: Double?
    /// The upper limit of each host's random wait before its first attempt.
    package var splay = Duration.zero
    /// The sizes of the batches; empty for one batch of all hosts.
    package var batches: [HostShare] = []
    /// Whether there is a step between two batches.
    package var waitsBetween = false
    package var stop: [(rule: StopRule, at: Int)] = []
    /// Whether running commands are ended when a rule stops the run.
    package var stopEndsRunningCommands = false
    /// How long a cause on this machine may pause the run.
    package var pauseLimit = Duration.seconds(60)
    /// How often a host is tried, the delays between attempts, and whether a command may run twice.
    package var retry = RetryPolicy(maxAttempts: 1, initialDelay: .seconds(1), maxDelay: .seconds(30))
    /// How long to wait for a host that does not accept logins yet, from its first attempt; nil for no wait.
    package var wait: LoginWait?
    /// The seed of the random numbers.
    package var seed: UInt64 = 0

    package init(hosts: Int) { self.hosts = hosts }
}

/// The batches of a run: ranges of its hosts. A batch begins when the one before it has ended.
package struct BatchPlan: Sendable, Equatable {
    package let ranges: [Range<Int>]

    /// - Parameters:
    ///   - sizes: the sizes of the batches in order; the last one applies to all further batches. Empty for one batch of all
    ///     hosts.
    ///   - hosts: the number of hosts of the run.
    package init(_ sizes: [HostShare], hosts: Int) {
        var ranges: [Range<Int>] = []
        var startedCount = 0
        while startedCount < hosts {
            let size = sizes.isEmpty ? hosts : sizes[min(ranges.count, sizes.count - 1)].hosts(of: hosts)
            let end = startedCount + min(max(1, size), hosts - startedCount)
            ranges.append(startedCount..<end)
            startedCount = end
        }
        self.ranges = ranges
    }

    /// Reads `1,10%,100%`.
    ///
    /// - Throws: `FleetPlanProblem`.
    package static func sizes(parsing text: String) throws(FleetPlanProblem) -> [HostShare] {
        var sizes: [HostShare] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let size = HostShare(parsing: String(part)), size.isPossible else {
                throw FleetPlanProblem(
                    field: "batch", option: "--batches",
                    problem: "“\(part)” is not a size of a batch; write numbers of hosts and percentages of 1% to 100%, as in: "
                        + "--batch 1,10%,100%")
            }
            sizes.append(size)
        }
        return sizes
    }
}

/// An invalid setting of a fleet run: names the setting and says what to write instead.
package struct FleetPlanProblem: Error, Equatable {
    /// The name of the library's parameter.
    package let field: String
    /// The name of the command-line option.
    package let option: String
    /// What is wrong and the remedy, without a period at the end.
    package let problem: String

    package init(field: String, option: String, problem: String) {
        self.field = field
        self.option = option
        self.problem = problem
    }
}

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

/// What a password is used for. Each use has its own quarantine.
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

/// What the engine's owner must do, in order.
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

/// How a host gets its outcome.
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
        /// The host's name cannot be resolved: it has no name server that answers, or no name can be resolved here.
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
