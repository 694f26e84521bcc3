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
    /// The problem and the remedy, without a period at the end.
    package let problem: String

    package init(field: String, option: String, problem: String) {
        self.field = field
        self.option = option
        self.problem = problem
    }
}
