package import ErrorCore
package import SSHRun

/// What the engine is to do, as numbers.
package struct EnginePlan: Sendable {
    /// The number of hosts.
    package var hosts: Int
    /// Of each host the number of its address, from 0: hosts with the same one share a login gate. Empty without gates.
    package var addresses: [Int32] = []
    /// Logins at one address at a time.
    package var loginsPerAddress = 8
    /// Hosts at once; nil adapts.
    package var parallel: Int?
    /// What this machine allows.
    package var ceiling = Int.max
    /// The most hosts that are begun in a second; nil for no limit.
    package var rate: Double?
    /// Each host waits for a random time up to this before its first attempt.
    package var splay = Duration.zero
    /// The sizes of the batches; empty for one of all hosts.
    package var batches: [HostShare] = []
    /// Whether something is to happen between two batches.
    package var waitsBetween = false
    package var stop: [(rule: StopRule, at: Int)] = []
    /// Whether running commands are ended when a rule stops the run.
    package var stopKills = false
    /// How long a cause on this machine may hold the run up.
    package var pauseLimit = Duration.seconds(60)
    /// How often a host is tried and how long it waits in between, and whether a command may run twice.
    package var retry = RetryPolicy(maxAttempts: 1, initialDelay: .seconds(1), maxDelay: .seconds(30))
    /// How long to wait for a host that does not accept logins yet, from its first attempt on; nil for no wait.
    package var wait: LoginWait?
    /// What decides the random numbers.
    package var seed: UInt64 = 0

    package init(hosts: Int) { self.hosts = hosts }
}

/// The batches of a run: ranges of its hosts, one begun when the one before it has ended.
package struct BatchPlan: Sendable, Equatable {
    package let ranges: [Range<Int>]

    /// - Parameters:
    ///   - sizes: of the batches in turn; the last holds for all that follow. None is one batch of all hosts.
    ///   - hosts: the number of hosts of the run.
    package init(_ sizes: [HostShare], hosts: Int) {
        var ranges: [Range<Int>] = []
        var begun = 0
        while begun < hosts {
            let size = sizes.isEmpty ? hosts : sizes[min(ranges.count, sizes.count - 1)].hosts(of: hosts)
            let end = begun + min(max(1, size), hosts - begun)
            ranges.append(begun..<end)
            begun = end
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
                    problem: "“\(part)” is no size of a batch; write numbers of hosts and percentages of 1% to 100%, as in: "
                        + "--batch 1,10%,100%")
            }
            sizes.append(size)
        }
        return sizes
    }
}

/// A setting of a fleet run that cannot be: names the input and says what to write instead.
package struct FleetPlanProblem: Error, Equatable {
    /// The parameter of the library.
    package let field: String
    /// The option of the command line.
    package let option: String
    /// What is wrong and the remedy, without a period at the end.
    package let problem: String

    package init(field: String, option: String, problem: String) {
        self.field = field
        self.option = option
        self.problem = problem
    }
}
