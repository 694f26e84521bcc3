import SSHRun

extension InputSource {
    /// - Throws: `UsageProblem` if the options contradict each other.
    ///
    /// - Parameter isNull: ssh's configuration says so (StdinNull); an option comes before it.
    init(_ options: ExecutionOptions, isNull: Bool = false) throws {
        switch options.stdin {
        case nil: self = options.noInput || isNull ? .none : .inherited
        case "none": self = .none
        case let path? where options.noInput:
            throw UsageProblem(field: "--stdin", problem: "\(path) contradicts -n, which lets the command read nothing; drop one")
        case "-": self = .inherited
        case let path?: self = .file(path)
        }
    }
}
