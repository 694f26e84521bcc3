/// A setting of a fleet run that cannot be: names the input and says what to write instead.
package struct FleetPlanProblem: Error, Equatable {
    /// The parameter of the library.
    package let field: String
    /// The option of the command line.
    package let option: String
    /// What is wrong and the remedy, without a period at the end.
    package let problem: String

    package init(field: String, option: String, problem: String) {
        self.field = field
        self.option = option
        self.problem = problem
    }
}
