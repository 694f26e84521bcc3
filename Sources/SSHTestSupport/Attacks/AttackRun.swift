import Foundation

/// Runs attacks against an executable, and judges the outcomes.
public struct AttackRun: Sendable {
    /// The resources that a run may use.
    public struct Limits: Sendable {
        /// The limit for its peak memory, in bytes.
        public var memory: Int
        /// The limit for its processor time, in seconds of one processor.
        public var processorSeconds = 2.0
        /// The deadline for connecting, and the deadline for the command, in whole seconds each.
        public var deadline = 3
        /// The deadline of a second attempt, for a busy machine. An attack then counts as wrong only if both attempts were. Nil
        /// for none.
        public var secondDeadline: Int?
        /// The tolerance for the deadline, in seconds.
        public var delay = 1.0

        /// With this memory limit.
        public init(memory: Int) { self.memory = memory }
    }

    /// The outcome of one attack.
    public struct Result: Sendable, CustomStringConvertible {
        /// The attack.
        public let attack: Attack
        /// What was wrong; empty if the run ended correctly.
        public let problems: [String]
        /// The code of its error, `success`, or how the process ended.
        public let ending: String
        /// Whether the client offers the algorithms that the attack needs.
        public let isOffered: Bool
        /// The resources that the process used.
        public let run: MeasuredRun

        /// One line: the attack, its problems, its end and the resources it used.
        public var description: String {
            let cost = String(
                format: "%.1f s, CPU %.1f s, %d MiB", run.seconds, run.processorSeconds, run.peakMemory >> 20)
            return "\(attack.name): \(problems.joined(separator: ", ")) (\(ending); \(cost))"
        }
    }

    /// The path of `bridge-ssh`.
    public let executable: String
    /// The resources that a run may use.
    public var limits: Limits
    /// Attacks this executable.
    public init(_ executable: String, limits: Limits) {
        self.executable = executable
        self.limits = limits
    }

    /// The resources of a run against a well-behaved server.
    public func baseline() async throws -> Result {
        try await result(
            of: Attack(
                group: "baseline", name: "", kind: "", stage: .runningCommand, outcomes: .success, actions: { [] }))
    }

    /// Runs `width` attacks at a time, and returns the results in the order in which the runs ended.
    public func results(
        of attacks: [Attack], atATime width: Int, each: (Result) -> Void = { _ in }
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            var rest = attacks[...]
            var results: [Result] = []
            func begin() {
                guard let attack = rest.popFirst() else { return }
                group.addTask { try await result(of: attack) }
            }
            for _ in 0..<width { begin() }
            while let result = try await group.next() {
                begin()
                each(result)
                results.append(result)
            }
            return results
        }
    }

    /// Runs one attack.
    public func result(of attack: Attack) async throws -> Result {
        let first = try await once(attack)
        guard let deadline = limits.secondDeadline, !first.problems.isEmpty else { return first }
        var patient = self
        patient.limits.deadline = deadline
        return try await patient.once(attack)
    }

    private func once(_ attack: Attack) async throws -> Result {
        let run = try await ScriptedServer.run(attack.script) { server in
            try await ScratchDirectory.with { home in
                var words = ["run", "--json", "--batch", "-F", "none", "--agent", "none", "-p", "\(server.port)", "-l", "alice"]
                words += ["--known-hosts", server.knownHosts, "--output-limit", "65536"]
                words += ["--connect-timeout", "\(limits.deadline)", "--timeout", "\(limits.deadline)"]
                switch attack.login {
                case .password, .keyboardInteractive:
                    words += ["--password-file", try home.write("sesame\n", to: "password")]
                case .publicKey: words += ["-i", try await TestKey.make().write(to: home, as: "id")]
                }
                var environment = ["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8"]
                environment["SWIFT_BACKTRACE"] = "enable=no"
                environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
                return try await MeasuredRun.run(
                    executable, words + [server.host, "--", "serve"], environment: environment,
                    limit: 6 * Double(limits.deadline) + limits.delay, memoryLimit: 512 << 20, scratch: home)
            }
        }
        return judge(attack, run)
    }

    private func judge(_ attack: Attack, _ run: MeasuredRun) -> Result {
        let report = try? JSON(parsing: Data(run.standardOutput))
        let code = report?["error"]?["code"]?.text
        let isServed: Bool = run.termination == .exited(42) && report?["stdout"]?.text?.contains("served\n") == true
        let outcome: AttackOutcomes = isServed ? .success : AttackOutcomes(code: code ?? "")
        var problems: [String] = []
        let deadline = Double((attack.isBeforeCommand ? 1 : 2) * limits.deadline) + limits.delay
        if run.wasKilled {
            problems.append(run.peakMemory > limits.memory ? "took too much memory" : "did not end by itself")
        } else if case .signalled(let signal) = run.termination {
            problems.append("was killed by signal \(signal)")
        } else {
            if outcome.isEmpty || !attack.outcomes.contains(outcome) { problems.append("ended in a way that is not allowed") }
            if run.seconds > deadline { problems.append("ended after its deadline") }
        }
        if run.peakMemory > limits.memory { problems.append("held \(run.peakMemory >> 20) MiB") }
        if run.processorSeconds > limits.processorSeconds { problems.append("computed for too long") }
        let isOffered = attack.mode == .ctr || outcome != .noCommonAlgorithm
        let status =
            switch run.termination {
            case .exited(let status): "exit \(status)"
            case .signalled(let signal): "signal \(signal)"
            }
        return Result(
            attack: attack, problems: isOffered ? problems : [], ending: isServed ? "success" : "\(status) \(code ?? "no code")",
            isOffered: isOffered, run: run)
    }
}
