import BridgeSSH

/// A run's configuration with its secrets, which are read and asked for when they are first needed.
actor CompletedAccess {
    private let plan: AccessPlan
    private let log: StageLog
    /// Nil where no questions are allowed.
    private let answers: RememberedAnswers?
    private var completed: Configuration?

    init(plan: AccessPlan, log: StageLog) {
        self.plan = plan
        self.log = log
        answers = plan.answers
    }

    /// - Throws: `UsageProblem`; what asking throws.
    func configuration() async throws -> Configuration {
        if let completed { return completed }
        let configuration = try await plan.completeConfiguration(log, answers: answers)
        completed = configuration
        return configuration
    }

    /// What a person said before may be used once more.
    func beginAttempt() {
        answers?.beginAttempt()
    }
}
