package import BridgeSSH

/// A run's configuration with its secrets, which are read or prompted for when they are first needed.
package actor CompletedAccess {
    private let plan: AccessPlan
    private let log: any RunLog
    /// Nil where prompts are not allowed.
    private let answers: RememberedAnswers?
    private var completed: SSHConnectionConfiguration?

    package init(plan: AccessPlan, log: any RunLog) {
        self.plan = plan
        self.log = log
        answers = plan.answers
    }

    /// - Throws: `UsageProblem`; what asking throws.
    package func configuration() async throws -> SSHConnectionConfiguration {
        if let completed { return completed }
        let configuration = try await plan.completeConfiguration(log, answers: answers)
        completed = configuration
        return configuration
    }

    /// An earlier answer may be used once more.
    package func beginAttempt() {
        answers?.beginAttempt()
    }
}
