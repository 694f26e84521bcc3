internal import BridgeSSH
internal import ErrorCore
internal import SSHRun

/// The pace of a fleet run, and the resources of this machine and the network that it may use.
///
/// A run with a limit out of its range is refused before any host is contacted, with `ssh.local.usage` and the limit's name.
public struct FleetLimits: Sendable, Hashable {
    /// How many hosts run at once.
    public struct Parallel: Sendable, Hashable {
        let count: Int?

        /// Starts at 8, and doubles up to 256 while there is no trouble. Halves when servers report that they are busy, many
        /// connections time out, or this machine runs short of resources.
        public static let automatic = Parallel(count: nil)
        /// A fixed number, at least 1.
        public static func exactly(_ count: Int) -> Parallel { Parallel(count: count) }
    }

    /// A number of bytes.
    public struct Memory: Sendable, Hashable {
        /// The number of bytes.
        public let bytes: Int

        /// A number of bytes, at least 1 MiB.
        public static func bytes(_ count: Int) -> Memory { Memory(bytes: count) }
        /// A number of MiB, at least 1. More than 2^30 of them count as that.
        public static func mebibytes(_ count: Int) -> Memory { bytes(min(max(0, count), 1 << 30) << 20) }
    }

    /// The size of a batch.
    public struct Batch: Sendable, Hashable {
        let share: HostShare

        /// A number of hosts, at least 1.
        public static func hosts(_ count: Int) -> Batch { Batch(share: .count(count)) }
        /// A percentage of all hosts, rounded down, and at least one host.
        public static func percent(_ percent: Double) -> Batch { Batch(share: HostShare(percent: percent)) }
    }

    /// How many hosts run at once. Default ``Parallel/automatic``.
    public var parallel: Parallel
    /// The memory for receive windows and for kept output, over all hosts; more output does not increase it. Each running host
    /// gets at least 32 KiB. Default 64 MiB.
    public var memory: Memory
    /// The bytes kept of each output stream of a host, 0 or more; the rest is counted and hashed. Default 1 MiB.
    public var outputLimit: Int
    /// Whether pieces of output become events. Default true.
    public var streamsOutput: Bool
    /// The most hosts begun per second, at least 0.00001; nil for no limit.
    public var rate: Double?
    /// The sizes of the batches in order; the last size applies to all further batches: `[.hosts(1), .percent(10),
    /// .percent(100)]`. A batch begins when the one before it has ended; ``FleetOptions/betweenBatches`` is called in between.
    /// Empty, the default, for one batch of all hosts.
    public var batches: [Batch]
    /// The upper limit of each host's random wait before its first attempt, 0 or more. Default zero.
    public var splay: Duration
    /// The most simultaneous logins at one address, at least 1. Default 8.
    public var loginsPerAddress: Int
    /// The number of connections to one shared jump host, at least 1. Default 1.
    public var connectionsPerJumpHost: Int
    /// How long a cause on this machine may pause the run, 0 or more. Default 60 seconds.
    public var pauseLimit: Duration
    /// How often a host is retried if that may help and its command did not run, 0 or more. All hosts share a budget of a tenth
    /// of their number, at least 3. Default 0.
    public var retries: Int
    /// How long to wait for each host, from its first attempt, until it accepts the login, if the cause may pass: the host boots,
    /// is busy, refuses connections, or does not answer. Attempts begin 2 to 10 seconds apart and do not count against the budget
    /// of ``retries``. 0 or more; default nil, no wait.
    public var loginWait: Duration?
    /// Whether ``loginWait`` also applies while a name cannot be resolved. Default false.
    public var loginWaitAwaitsNames: Bool
    /// Whether a command may run twice on a host. Default false.
    public var isIdempotent: Bool
    /// Whether a run may have no hosts. If not, such a run is refused, because usually a group or an inventory is empty by
    /// mistake. Default false.
    public var allowsNoHosts: Bool

    /// The defaults, except for the given values.
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

extension FleetLimits {
    /// - Throws: `FleetPlanProblem` for a limit out of its range.
    fileprivate func check() throws(FleetPlanProblem) {
        func require(_ isPossible: Bool, _ field: String, _ option: String, _ problem: String) throws(FleetPlanProblem) {
            if !isPossible { throw FleetPlanProblem(field: "limits.\(field)", option: option, problem: problem) }
        }
        func require(_ time: Duration?, _ field: String, _ option: String) throws(FleetPlanProblem) {
            try require(time ?? .zero >= .zero, field, option, "a time cannot be negative; give 0 or more")
        }
        let (hosts, addresses, jumps) = (parallel.count ?? 1, loginsPerAddress, connectionsPerJumpHost)
        try require(hosts >= 1, "parallel", "--parallel", "\(hosts) hosts at once are not possible; give 1 or more")
        try require(memory.bytes >= 1 << 20, "memory", "--memory", "\(memory.bytes) B is too little; give 1 MiB or more")
        try require(retries >= 0, "retries", "--retries", "\(retries) is negative; give 0 or more")
        // No option sets this one.
        try require(addresses >= 1, "loginsPerAddress", "", "\(addresses) logins at once are not possible; give 1 or more")
        try require(
            jumps >= 1, "connectionsPerJumpHost", "--jump-connections", "\(jumps) connections are not possible; give 1 or more")
        try require(
            batches.allSatisfy(\.share.isPossible), "batches", "--batches",
            "a batch has at least one host, and at most 100 percent of them")
        // The time between two hosts must be representable.
        try require(
            rate.map { $0 >= 0.00001 && $0.isFinite } ?? true, "rate", "--rate",
            "it must be at least 0.00001 hosts a second, about one a day")
        try require(splay, "splay", "--splay")
        try require(pauseLimit, "pauseLimit", "--pause-limit")
        try require(loginWait, "loginWait", "--wait")
    }
}

extension EnginePlan {
    /// - Parameters:
    ///   - whole: in a resumed run of only some hosts, the number of hosts of the whole run, which its rules count by;
    ///     otherwise nil.
    ///   - runsCommand: whether a command is run at all.
    /// - Throws: `FleetPlanProblem` for a limit out of its range, and a rule that can never apply.
    package init(
        hosts: Int, of whole: Int? = nil, _ limits: FleetLimits, stop: [StopRule], runsCommand: Bool
    ) throws(FleetPlanProblem) {
        self.init(hosts: hosts)
        try limits.check()
        batches = limits.batches.map(\.share)
        let codes = Set(SSHError.Code.known.map(\.rawValue))
        for rule in stop {
            self.stop.append((rule, try rule.number(of: whole ?? hosts, codes: codes, runsCommand: runsCommand)))
        }
        parallel = limits.parallel.count
        ceiling = DescriptorLimit.hostsAtOnce
        loginsPerAddress = limits.loginsPerAddress
        rate = limits.rate
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

extension FleetRunConfiguration {
    /// A run of a job. Its command is redacted, because it is shown and recorded.
    package init(
        run: String, job: FleetJob, on names: [String], plan: EnginePlan, _ limits: FleetLimits, work: any HostRunner,
        output: OutputPolicy
    ) {
        self.init(
            run: run, names: names, command: Redactor.standard.text(job.title), plan: plan, work: work, output: output)
        memory = limits.memory.bytes
        transfer = job.transfer
        sudo = job.sudo
        runsAfterLogin = job.mayFail
    }
}

extension UsageProblem {
    /// - Parameter isOption: whether the limit came from a command line.
    package init(_ problem: FleetPlanProblem, isOption: Bool = true) {
        self.init(field: isOption ? problem.option : problem.field, problem: problem.problem)
    }
}

/// Numbers the addresses at which hosts log in: equal host names, ports and usernames of the route get equal numbers.
package enum AddressNumbers {
    /// - Parameter endpoints: nil for a host without one.
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
