import SSHRun

extension InputSource {
    /// - Throws: `UsageProblem` if the options contradict each other.
    init(_ options: ExecutionOptions) throws {
        switch options.stdin {
        case nil: self = options.noInput ? .none : .inherited
        case "none": self = .none
        case let path? where options.noInput:
            throw UsageProblem(field: "--stdin", problem: "\(path) contradicts -n, which lets the command read nothing; drop one")
        case let path?: self = .file(path)
        }
    }
}
