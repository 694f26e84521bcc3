/// All observations of a diagnosis: the only input of ``DiagnosisRules``.
struct Observations: Sendable {
    var endpoint: SSHEndpoint
    /// The methods that may be tried.
    var methods: [SSHAuthenticationMethod]
    /// Whether a person may be asked for credentials that are not held.
    var mayAsk: Bool
    /// The ProxyCommand that carries the whole way.
    var proxyCommand: String?
    /// The jump hosts, the nearest first.
    var hops: [ObservedHop]
    /// What was learnt of the nearest hop, which is the destination where there are no jump hosts.
    var nearest: ConnectionFacts { hops.first?.facts ?? facts }
    var facts = ConnectionFacts()
    /// Seconds in each stage of the destination.
    var durations: [SSHStage: Double] = [:]
    var lastStage: SSHStage?
    /// The libssh2 in use; nil where it was not looked at.
    var library: ObservedLibrary?
    /// What was known of the destination when the command ended or the first thing failed.
    var evidence: SSHEvidence?
    /// The first failure.
    var error: SSHError?
    /// The outcomes of the addresses that the connection did not need.
    var otherAddresses: [AddressOutcome] = []
    /// The login shell's handling of the probe command; nil if it was not sent.
    var shell: ShellReading?
    /// Whether other users may change the known_hosts file that holds the host key.
    var trustedFileIsWritable = false

    init(endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration) {
        self.endpoint = endpoint
        methods = configuration.credentials.methods
        mayAsk = configuration.interaction != nil
        let chain = Hop.hops(to: endpoint, configuration)
        proxyCommand = chain[0].configuration.proxyCommand?.command
        hops = chain.dropLast().map { ObservedHop(endpoint: $0.endpoint, number: $0.number) }
    }

    /// - Parameter chain: the jump hosts and the destination.
    mutating func take(_ timeline: Timeline, of chain: [Hop]) {
        for index in hops.indices { hops[index].facts = timeline.facts(of: chain[index]) }
        facts = timeline.facts(of: chain[hops.count])
        durations = timeline.durations
        lastStage = timeline.lastStage
    }

    /// The step in which the first failure shows; nil where nothing failed.
    var failedStep: SSHDiagnosisStep? {
        guard let error else { return nil }
        if error.evidence.hop?.isJumpHost == true { return .route }
        if case .proxyFailed = error.evidence.event { return .route }
        if case .requestRefused(.exec) = error.evidence.event { return .exec }
        return SSHDiagnosisStep(of: error.stage, last: lastStage)
    }

    /// Each address once, in the resolver's order, with its outcome.
    var addressOutcomes: [AddressOutcome] {
        facts.addresses.compactMap { address in
            (otherAddresses + facts.connects.reversed()).first { $0.address == address }
        }
    }

    var login: SSHAuthenticationEvidence { evidence?.authentication ?? SSHAuthenticationEvidence() }

    /// Whether authentication succeeded.
    var isLoggedIn: Bool { evidence?.command != nil }
}

/// A jump host, and what was learnt of it.
struct ObservedHop: Sendable {
    var endpoint: SSHEndpoint
    /// 1 is the nearest.
    var number: Int
    var facts = ConnectionFacts()
}

/// The libssh2 in use, with the names of its known defects.
struct ObservedLibrary: Sendable {
    let version: String
    /// The version of Debian's package that it comes from, if it does.
    let package: String?
    let holes: [String]

    static func loaded() -> ObservedLibrary {
        let (version, package, holes) = Library.report()
        return ObservedLibrary(version: version, package: package, holes: holes.map(\.name))
    }
}
