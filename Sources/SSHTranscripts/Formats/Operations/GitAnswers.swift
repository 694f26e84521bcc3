/// The lines before git's `Could not read from remote repository` that tell the reason.
enum GitAnswers {
    private static let missing = "' does not appear to be a git repository"

    /// Whether git has no remote of the usual name, and so did not run ssh.
    static func isUnknownRemote(_ facts: TranscriptFacts) -> Bool {
        ["origin", "upstream"].contains { facts.otherLines.last(1).first?.hasSuffix("fatal: '\($0)" + missing) == true }
    }

    /// The reading of these lines; nil if they tell nothing.
    static func reading(_ facts: TranscriptFacts) -> TranscriptReading? {
        let lines = facts.otherLines.last(8)
        // A command that the server runs for this key.
        if lines.last?.hasSuffix(": command not found") == true { return .known(.commandNotFound, .guess, .wrapper) }
        // The server may have no repository of this name. It may be a path here, too.
        if lines.last?.hasSuffix(missing) == true {
            return .known(.commandExitNonzero, .guess, .plain, or: ["it is a path on this machine"])
        }
        // The stack of the service's own program.
        return lines.first { $0.mentions("/gitlab-shell/") }.map(WrapperFormat.refusedByService)
    }
}
