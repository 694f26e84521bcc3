/// All that a diagnosis has seen: the only input of ``DiagnosisRules``.
struct Observations: Sendable {
    var endpoint: Endpoint
    /// The methods that may be tried.
    var methods: [AuthenticationMethod]
    /// Whether a person may be asked for what is not held.
    var mayAsk: Bool
    var facts = ConnectionFacts()
    /// Seconds in each stage.
    var durations: [Stage: Double] = [:]
    var lastStage: Stage?
    /// What was known when the command ended or the first thing failed.
    var evidence: Evidence?
    /// The first failure.
    var error: SSHError?
    /// What became of the addresses that the connection did not need.
    var otherAddresses: [AddressOutcome] = []
    /// What the login shell made of our command; nil where it was not sent.
    var shell: ShellReading?
    /// Whether others may change the known_hosts file that the host key stands in.
    var trustedFileIsWritable = false

    init(endpoint: Endpoint, configuration: Configuration) {
        self.endpoint = endpoint
        methods = configuration.credentials.methods
        mayAsk = configuration.interaction != nil
    }

    mutating func take(_ timeline: Timeline) {
        facts = timeline.facts
        durations = timeline.durations
        lastStage = timeline.lastStage
    }

    /// The step in which the first failure shows; nil where nothing failed.
    var failedStep: DiagnosisStep? {
        guard let error else { return nil }
        if case .requestRefused(.exec) = error.evidence.event { return .exec }
        return DiagnosisStep(of: error.stage, last: lastStage)
    }

    /// Each address once, in the resolver's order, with what became of it.
    var addressOutcomes: [AddressOutcome] {
        facts.addresses.compactMap { address in
            (otherAddresses + facts.connects.reversed()).first { $0.address == address }
        }
    }

    var login: AuthenticationEvidence { evidence?.authentication ?? AuthenticationEvidence() }

    /// Whether the server let us in.
    var isLoggedIn: Bool { evidence?.command != nil }
}
