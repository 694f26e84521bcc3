/// What the identities and the agent come to, before anything goes over the network.
struct PublicKeyCandidates: Sendable {
    var candidates: [PublicKeyCandidate] = []
    var keyProblems: [KeyProblem] = []
    /// The first problem of an identity that the user named.
    var explicitProblem: KeyProblem?
    var agentProblem: AgentProblem?
    /// Every key that was looked at, the candidates first.
    var considered: [ConsideredKey] {
        candidates.map {
            let isAgents = if case .agent = $0.signer.origin { true } else { false }
            return ConsideredKey($0.key, label: $0.label, isAgents: isAgents, use: .candidate)
        } + leftOut
    }
    /// The keys that will not be offered, and why.
    var leftOut: [ConsideredKey] = []
}
