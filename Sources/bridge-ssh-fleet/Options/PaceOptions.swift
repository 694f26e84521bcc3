internal import ArgumentParser
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// The pace of a run, and when it stops early.
struct PaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Hosts at once; auto begins at 8, doubles while there is no trouble, to 256, and halves when servers are busy (auto).",
            valueName: "number|auto"))
    var parallel = "auto"

    @Option(help: ArgumentHelp("Begin at most this many hosts per second.", valueName: "number"))
    var rate: Double?

    @Option(
        help: ArgumentHelp("Each host waits for a random time up to this before it begins.", valueName: "time"),
        transform: TimeOption.parse)
    var splay: TimeOption?

    // `--batch` is the name in version 0.1; in other programs it means "never ask".
    @Option(
        name: [.customLong("batches"), .customLong("batch")],
        help: ArgumentHelp(
            "Begin in batches of these numbers or percentages of hosts, each after the previous one has ended: 1,10%,100%.",
            valueName: "size,…"))
    var batch: String?

    @Option(
        help: ArgumentHelp(
            "Between two batches: ask, a time such as 30s, or a local command that must succeed.", valueName: "ask|time|command"))
    var between: String?

    @Option(
        help: ArgumentHelp(
            """
            Start no further hosts once this many match: failed=5%, error=10, ssh.auth.*=3, sudo=1, any=1. failed counts hosts \
            whose command ran and did not end with 0, error those where it did not run, unknown those where it may have run; any \
            counts all three. Repeatable.
            """,
            valueName: "rule"))
    var stop: [String] = []

    @Flag(help: "Begin no more hosts after the first failure: --stop any=1.")
    var failFast = false

    @Flag(help: "When a rule stops the run, end the running commands too.")
    var stopKill = false

    @Option(
        help: ArgumentHelp(
            "How long a local cause, such as a lost network, may pause the run (60s).", valueName: "time"),
        transform: TimeOption.parse)
    var pauseLimit: TimeOption?

    @Option(
        help: ArgumentHelp("Memory for read-ahead and kept output, over all hosts (64M).", valueName: "bytes"),
        transform: BytesOption.parse)
    var memory: BytesOption?

    @Option(
        help: ArgumentHelp("Connections to each shared jump host (1).", valueName: "number"))
    var jumpConnections = 1

    @Flag(help: "Do not ask to confirm the number of hosts.")
    var yes = false

    @Flag(help: "Show the actions, the hosts and the pace without connecting.")
    var dryRun = false
}

extension PaceOptions {
    /// - Throws: `UsageProblem`.
    func limits(_ hosts: HostOptions) throws -> FleetLimits {
        var limits = FleetLimits()
        if parallel != "auto" {
            guard let count = Int(parallel), (1...1_000_000).contains(count) else {
                throw UsageProblem(
                    field: "--parallel", problem: "“\(parallel)” is not a number of hosts; write one from 1, or auto")
            }
            limits.parallel = .exactly(count)
        }
        if let between, between.allSatisfy(\.isWhitespace) {
            throw UsageProblem(field: "--between", problem: "it is empty; write ask, a time such as 30s, or a local command")
        }
        limits.rate = rate
        if let splay { limits.splay = splay.duration }
        if let pauseLimit { limits.pauseLimit = pauseLimit.duration }
        if let memory { limits.memory = .bytes(memory.count) }
        limits.connectionsPerJumpHost = jumpConnections
        limits.retries = hosts.retries
        limits.isIdempotent = hosts.isIdempotent
        limits.loginWait = hosts.wait?.time
        limits.loginWaitAwaitsNames = hosts.wait?.awaitsName ?? false
        return limits
    }

    /// - Parameter whole: in a resumed run of only some hosts, the number of hosts of the whole run.
    /// - Throws: `UsageProblem`, also for a rule that can never apply.
    func plan(hosts: Int, of whole: Int?, _ limits: FleetLimits, runsCommand: Bool) throws -> EnginePlan {
        do throws(FleetPlanProblem) {
            var rules: [StopRule] = []
            for text in stop { rules.append(try StopRule(parsing: text)) }
            if failFast { rules.append(.failures(1)) }
            var plan = try EnginePlan(hosts: hosts, of: whole, limits, stop: rules, runsCommand: runsCommand)
            if let batch { plan.batches = try BatchPlan.sizes(parsing: batch) }
            plan.waitsBetween = between != nil
            plan.stopEndsRunningCommands = stopKill
            return plan
        } catch {
            throw UsageProblem(error)
        }
    }

    /// The step between two batches: returns the reason to end the run, or nil.
    var gate: (@Sendable (Int) async -> String?)? {
        guard let between else { return nil }
        if between == "ask" {
            return { number in
                let answer = try? await FleetProcess.ask("Batch \(number) has ended. Go on? Type yes or no: ")
                return answer == "yes" || answer == "y" ? nil : "the next batch was declined"
            }
        }
        if let time = TimeOption(argument: between) {
            return { _ in
                do { try await Task.sleep(for: time.duration) } catch { return "interrupted" }
                return nil
            }
        }
        return { _ in
            guard let status = await FleetProcess.runLocal(between) else { return "\(between) could not be started" }
            // Ctrl-C at the terminal also reaches this process, and cancels the wait.
            if status == 128 + SIGINT { try? await Task.sleep(for: .seconds(1)) }
            return status == 0 ? nil : "\(between) ended with status \(status)"
        }
    }
}
