extension SSHConnectionConfiguration {
    /// - Throws: ``SSHError``, `ssh.local.usage`, for a number that means nothing: nothing is connected to then.
    func check() throws(SSHError) {
        guard let problem else { return }
        throw SSHFailureClassifier.classify(SSHEvidence(local: .usage(field: problem.field, problem: problem.text)))
    }

    private var problem: (field: String, text: String)? {
        if let keepalive {
            guard keepalive.interval > .zero else { return ("keepalive", "its interval must be more than zero") }
            guard keepalive.countMax > 0 else {
                return ("keepalive", "its countMax is \(keepalive.countMax); it must be at least 1")
            }
        }
        guard credentials.passwordPrompts >= 0 else {
            return ("passwordPrompts", "\(credentials.passwordPrompts) prompts are less than none; give 0 or more")
        }
        return jumpHosts.lazy.compactMap(\.configuration.problem).first
    }
}
