/// A setting of a fleet run that cannot be: names the input and says what to write instead.
package struct FleetPlanProblem: Error, Equatable {
    /// The option.
    package let field: String
    /// What is wrong and the remedy, without a period at the end.
    package let problem: String

    package init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }
}
