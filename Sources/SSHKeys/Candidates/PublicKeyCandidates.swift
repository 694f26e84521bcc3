/// The keys found in the identities and the agent, before anything is sent over the network.
package struct PublicKeyCandidates: Sendable {
    package var candidates: [PublicKeyCandidate] = []
    package var keyProblems: [SSHKeyProblem] = []
    /// The first problem of an identity that the user named.
    package var explicitProblem: SSHKeyProblem?
    package var agentProblem: SSHAgentProblem?
    /// Every key that was considered, the candidates first.
    package var considered: [ConsideredKey] {
        candidates.map {
            let isAgents = if case .agent = $0.signer.origin { true } else { false }
            return ConsideredKey($0.key, label: $0.label, isAgents: isAgents, use: .candidate)
        } + leftOut
    }
    /// The keys that will not be offered, and why.
    package var leftOut: [ConsideredKey] = []

    package init() {}
}
