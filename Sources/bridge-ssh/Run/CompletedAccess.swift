import BridgeSSH

/// A run's configuration with its secrets, which are read and asked for when they are first needed.
actor CompletedAccess {
    private let plan: AccessPlan
    private let log: StageLog
    private var completed: Configuration?

    init(plan: AccessPlan, log: StageLog) {
        self.plan = plan
        self.log = log
    }

    /// - Throws: `UsageProblem`; what asking throws.
    func configuration() async throws -> Configuration {
        if let completed { return completed }
        let configuration = try await plan.completeConfiguration(log)
        completed = configuration
        return configuration
    }

    /// What a person said before may be used once more.
    func beginAttempt() {
        (completed?.interaction as? RememberedAnswers)?.beginAttempt()
    }
}
