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
    /// How long a host that lets nobody in yet is waited for, from its first attempt on; nil for not at all.
    package var wait: LoginWait?
    /// What decides the random numbers.
    package var seed: UInt64 = 0

    package init(hosts: Int) { self.hosts = hosts }
}
