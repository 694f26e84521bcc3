import SSHRun

extension OpenedInput {
    /// For a command that this process runs.
    ///
    /// - Parameter keys: takes the escape characters out of a terminal session's input; nil for other input.
    func commandInput(_ keys: SessionKeys?) -> CommandInput {
        let pieces = pieces
        return CommandInput(next: keys?.passing(pieces) ?? pieces, isRepeatable: isRepeatable, isTerminal: isTerminal)
    }
}
