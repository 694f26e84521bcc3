internal import BridgeSSH
internal import ErrorCore
internal import SSHRun

/// How a fleet run is paced, and what it may take of this machine and the network.
public struct FleetLimits: Sendable, Hashable {
    /// How many hosts run at once.
    public struct Parallel: Sendable, Hashable {
        let count: Int?

        /// It begins at 8, doubles while nothing complains, to 256, and halves when servers say that they are busy, connects
        /// time out in numbers, or this machine runs short.
        public static let automatic = Parallel(count: nil)
        /// So many, at least 1.
        public static func exactly(_ count: Int) -> Parallel { Parallel(count: max(1, count)) }
    }

    /// A number of bytes.
    public struct Memory: Sendable, Hashable {
        /// The number.
        public let bytes: Int

        /// So many bytes, 1 MiB at least.
        public static func bytes(_ count: Int) -> Memory { Memory(bytes: max(1 << 20, count)) }
        /// So many MiB.
        public static func mebibytes(_ count: Int) -> Memory { bytes(min(max(0, count), 1 << 30) << 20) }
    }

    /// The size of a batch.
    public struct Batch: Sendable, Hashable {
        let share: HostShare

        /// So many hosts, at least 1.
        public static func hosts(_ count: Int) -> Batch { Batch(share: .count(count)) }
        /// Such a part of all hosts, rounded down, and at least one.
        public static func percent(_ percent: Double) -> Batch { Batch(share: HostShare(percent: percent)) }
    }

    /// How many hosts run at once. Default ``Parallel/automatic``.
    public var parallel: Parallel
    /// For what is read ahead of hosts and kept of them, over all hosts: memory does not depend on what they print. Each
    /// running host has 32 KiB at least. Default 64 MiB.
    public var memory: Memory
    /// What is kept of each output stream of a host, in bytes, 0 or more; the rest is counted and hashed. Default 1 MiB.
    public var outputLimit: Int
    /// Whether pieces of output are events. Default true.
    public var streamsOutput: Bool
    /// The most hosts that are begun in a second, 0.00001 at least; nil for no limit.
    public var rate: Double?
    /// The sizes of the batches in turn, the last for all that follow: `[.hosts(1), .percent(10), .percent(100)]`. A batch is begun
    /// when the one before it has ended; ``FleetOptions/betweenBatches`` is asked in between. Empty, the default, for one batch of
    /// all hosts.
    public var batches: [Batch]
    /// Each host waits for a random time up to this before its first attempt. Default zero.
    public var splay: Duration
    /// Logins at one address at a time. Default 8.
    public var loginsPerAddress: Int
    /// Connections to one shared jump host. Default 1.
    public var connectionsPerJumpHost: Int
    /// How long a cause on this machine may hold the run up. Default 60 seconds.
    public var pauseLimit: Duration
    /// How often a host is tried again where that can help and its command did not run; all hosts share a budget of a tenth of
    /// them, at least 3. 0 or more. Default 0.
    public var retries: Int
    /// How long each host is waited for from its first attempt on, until it lets us in, where the cause may pass: it boots, is
    /// busy, refuses connections, does not answer. Attempts begin 2 to 10 seconds apart and take nothing of the budget of
    /// ``retries``. Default nil, not at all.
    public var loginWait: Duration?
    /// Whether ``loginWait`` holds for a name that is not found, too. Default false.
    public var loginWaitAwaitsNames: Bool
    /// Whether a command may run twice on a host. Default false.
    public var isIdempotent: Bool
    /// Whether a run on no host at all is a run. Otherwise it is refused: most often a group or an inventory is empty by
    /// mistake. Default false.
    public var allowsNoHosts: Bool

    /// The defaults, but for what is given.
    public init(
        parallel: Parallel = .automatic, memory: Memory = .mebibytes(64), outputLimit: Int = 1 << 20, streamsOutput: Bool = true,
        rate: Double? = nil, batches: [Batch] = [], splay: Duration = .zero, loginsPerAddress: Int = 8,
        connectionsPerJumpHost: Int = 1,
        pauseLimit: Duration = .seconds(60), retries: Int = 0, loginWait: Duration? = nil,
        loginWaitAwaitsNames: Bool = false, isIdempotent: Bool = false, allowsNoHosts: Bool = false
    ) {
        self.parallel = parallel
        self.memory = memory
        self.outputLimit = outputLimit
        self.streamsOutput = streamsOutput
        self.rate = rate
        self.batches = batches
        self.splay = splay
        self.loginsPerAddress = loginsPerAddress
        self.connectionsPerJumpHost = connectionsPerJumpHost
        self.pauseLimit = pauseLimit
        self.retries = retries
        self.loginWait = loginWait
        self.loginWaitAwaitsNames = loginWaitAwaitsNames
        self.isIdempotent = isIdempotent
        self.allowsNoHosts = allowsNoHosts
    }
}

extension EnginePlan {
    /// - Parameters:
    ///   - whole: the number of hosts of a run that goes on with some of them, by which its rules count; nil where these are
    ///     all.
    ///   - runsCommand: whether a command is run at all.
    /// - Throws: `FleetPlanProblem` for a rule that can never hold.
    package init(
        hosts: Int, of whole: Int? = nil, _ limits: FleetLimits, stop: [StopRule], runsCommand: Bool
    ) throws(FleetPlanProblem) {
        self.init(hosts: hosts)
        guard limits.retries >= 0 else {
            throw FleetPlanProblem(
                field: "limits.retries", option: "--retries", problem: "\(limits.retries) is less than none; give 0 or more")
        }
        guard limits.batches.allSatisfy(\.share.isPossible) else {
            throw FleetPlanProblem(
                field: "limits.batches", option: "--batches",
                problem: "a batch has at least one host, and at most 100 percent of them")
        }
        batches = limits.batches.map(\.share)
        let codes = Set(SSHError.Code.known.map(\.rawValue))
        for rule in stop {
            self.stop.append((rule, try rule.number(of: whole ?? hosts, codes: codes, runsCommand: runsCommand)))
        }
        parallel = limits.parallel.count
        ceiling = DescriptorLimit.hostsAtOnce
        loginsPerAddress = max(1, limits.loginsPerAddress)
        if let rate = limits.rate {
            // The time between two hosts must be one that can be counted.
            guard rate >= 0.00001, rate.isFinite else {
                throw FleetPlanProblem(
                    field: "limits.rate", option: "--rate",
                    problem: "it must be at least 0.00001 hosts a second, about one a day")
            }
            self.rate = rate
        }
        splay = limits.splay
        pauseLimit = limits.pauseLimit
        retry = RetryPolicy.default
        retry.maxAttempts = min(limits.retries, .max - 1) + 1
        retry.isIdempotent = limits.isIdempotent
        wait = limits.loginWait.map { LoginWait($0, awaitsName: limits.loginWaitAwaitsNames) }
        var generator = SystemRandomNumberGenerator()
        seed = generator.next()
    }
}

extension UsageProblem {
    /// - Parameter isOption: whether a command line gave it.
    package init(_ problem: FleetPlanProblem, isOption: Bool = true) {
        self.init(field: isOption ? problem.option : problem.field, problem: problem.problem)
    }
}

/// Numbers for addresses that hosts log in at: equal ones for equal host names, ports and users of the way there.
package enum AddressNumbers {
    /// - Parameter endpoints: nil for a host that has none.
    package static func of(_ endpoints: [SSHEndpoint?]) -> [Int32] {
        var numbers: [String: Int32] = [:]
        return endpoints.enumerated().map { index, endpoint in
            let place = endpoint?.place ?? "\(index)"
            if let number = numbers[place] { return number }
            let number = Int32(numbers.count)
            numbers[place] = number
            return number
        }
    }
}
