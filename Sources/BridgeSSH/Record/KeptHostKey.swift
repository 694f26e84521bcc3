/// A host key, and how the run that made a connection came to accept it: what another run has to know before it uses that
/// connection.
package struct KeptHostKey: Sendable, Hashable {
    package enum Acceptance: String, Sendable {
        /// It was known, or has been remembered.
        case known
        /// A person has accepted it, and it could not be remembered.
        case person
        /// The policy has accepted it, and it could not be remembered.
        case policy
    }

    package var key: SSHHostKey
    package var acceptance: Acceptance

    package init(_ key: SSHHostKey, _ acceptance: Acceptance) {
        self.key = key
        self.acceptance = acceptance
    }

    /// Whether a run would have accepted the key by itself.
    ///
    /// - Parameters:
    ///   - policy: the run's; `ask` where it can ask a person.
    ///   - verdict: what its known_hosts say of the key now.
    package func serves(_ policy: SSHHostKeyPolicy, _ verdict: SSHHostKeyVerdict) -> Bool {
        switch SSHTrustDecision(policy: policy, verdict: verdict) {
        case .accept: true
        case .reject: false
        // One that was known and is not any more has been taken out of the file.
        case .acceptAndRemember: acceptance != .known
        case .ask: acceptance == .person
        }
    }
}

extension KeptHostKey: FieldCoded {
    package static var blank: KeptHostKey { KeptHostKey(.blank, .policy) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&key)
        try coder.code(name: &acceptance)
    }
}
