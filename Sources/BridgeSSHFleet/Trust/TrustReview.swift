package import BridgeSSH
package import SSHRun

/// The host keys of many servers, their known_hosts entries, and the entries to write. It neither asks nor writes anything
/// itself.
package struct TrustReview: Sendable {
    /// The result of comparing a server's keys with the known ones.
    package enum State: Sendable, Equatable {
        /// One of its keys is known, and none contradicts a known one.
        case known
        /// None of its keys is known.
        case new
        /// It shows another key of the same type as a known one.
        case changed
        /// It shows a revoked key.
        case revoked
        /// The server could not be asked.
        case unreachable
    }

    /// A server and its keys.
    package struct Entry: Sendable {
        package let target: TrustTarget
        package var outcome: TrustOutcome
        package let state: State

        package init(_ target: TrustTarget, _ outcome: TrustOutcome) {
            self.target = target
            self.outcome = outcome
            state = Self.state(of: outcome)
        }

        private static func state(of outcome: TrustOutcome) -> State {
            guard let offers = outcome.scan?.offers else { return .unreachable }
            var state = State.new
            for offer in offers {
                switch offer.verdict {
                case .revoked: return .revoked
                case .changed: state = .changed
                case .trusted: if state == .new { state = .known }
                case .unknown, .otherTypeKnown: break
                }
            }
            return state
        }
    }

    /// Which keys may be written.
    package enum Confirmation: Sendable, Equatable {
        /// All new ones.
        case all
        /// Those with these fingerprints.
        case fingerprints(Set<String>)
        /// No key; `declined` if a person refused.
        case none(declined: Bool)
    }

    package private(set) var entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// The keys to confirm: those of servers without a known key.
    package var newKeys: [SSHHostKeyScan.Offer] {
        entries.filter { $0.state == .new }.flatMap { $0.outcome.scan?.offers ?? [] }
    }

    /// The hosts to which these keys belong.
    package var newHosts: [String] { entries.filter { $0.state == .new }.flatMap(\.target.hosts) }

    /// Fingerprints that no server has shown.
    package func unmatched(_ fingerprints: Set<String>) -> [String] {
        let shown = Set(entries.flatMap { $0.outcome.scan?.offers ?? [] }.map(\.key.fingerprint))
        return fingerprints.subtracting(shown).sorted()
    }

    // MARK: Writing

    package struct KnownHostsChange: Sendable {
        /// The first file of the user's known_hosts files gets the change.
        package let files: SSHKnownHostsFiles
        package var additions: [SSHKnownHostsWriter.Addition] = []
        /// The origin of each addition: an entry, and one of its keys.
        fileprivate var places: [(entry: Int, offer: Int)] = []
    }

    /// The changes to make, one for each file.
    package func changes(_ confirmation: Confirmation) -> [KnownHostsChange] {
        var changes: [KnownHostsChange] = []
        for (entry, item) in entries.enumerated() where item.state == .new && Self.isWritable(item.target) {
            let files = item.target.configuration.knownHosts
            for (index, offer) in (item.outcome.scan?.offers ?? []).enumerated() where Self.isConfirmed(offer, confirmation) {
                let place = changes.firstIndex {
                    $0.files.user.first == files.user.first && $0.files.hashesNames == files.hashesNames
                }
                if place == nil { changes.append(KnownHostsChange(files: files)) }
                let name = item.target.knownName
                let last = place ?? changes.count - 1
                changes[last].additions.append(.init(offer.key, host: name.host, port: name.port))
                changes[last].places.append((entry, index))
            }
        }
        return changes
    }

    private static func isConfirmed(_ offer: SSHHostKeyScan.Offer, _ confirmation: Confirmation) -> Bool {
        guard TrustOutcome.isWritable(offer.verdict, updating: false) else { return false }
        switch confirmation {
        case .all: return true
        case .fingerprints(let fingerprints): return fingerprints.contains(offer.key.fingerprint)
        case .none: return false
        }
    }

    /// A name that would also match other hosts is never written.
    private static func isWritable(_ target: TrustTarget) -> Bool { KnownHostName.isWritable(target.knownName.host) }

    /// Applies the outcomes of a change to the entries.
    package mutating func take(_ outcomes: [SSHKnownHostsWriter.Outcome], of change: KnownHostsChange) {
        for (outcome, place) in zip(outcomes, change.places) {
            switch outcome {
            case .added(let location): entries[place.entry].outcome.actions[place.offer] = .added(location)
            case .alreadyKnown: entries[place.entry].outcome.actions[place.offer] = .kept
            case .contradicted(let verdict):
                guard let offer = entries[place.entry].outcome.scan?.offers[place.offer] else { continue }
                let target = entries[place.entry].target
                entries[place.entry].outcome.error = SSHHostKeyScan.Offer(key: offer.key, verdict: verdict)
                    .failure(at: target.endpoint, target.configuration)
            }
        }
    }

    /// Records that a change could not be made.
    package mutating func fail(_ change: KnownHostsChange, _ error: SSHError) {
        for place in change.places { entries[place.entry].outcome.error = error }
    }

    /// Sets the failure of every server that is not trusted. Nothing is written after this.
    package mutating func conclude(_ confirmation: Confirmation) {
        var (isDeclined, expected) = (false, [String]())
        switch confirmation {
        case .all: break
        case .fingerprints(let fingerprints): if fingerprints.count <= 3 { expected = fingerprints.sorted() }
        case .none(let declined): isDeclined = declined
        }
        for index in entries.indices where entries[index].outcome.error == nil {
            let target = entries[index].target
            guard let offer = entries[index].outcome.obstacle else { continue }
            if entries[index].state == .new, !Self.isWritable(target) {
                let name = target.knownName.host
                entries[index].outcome.error = UsageProblem(
                    field: "known_hosts",
                    problem: "the name “\(name)” would mean other hosts too; give the host a HostKeyAlias without any of "
                        + "* ? ! , | # @ [ ]"
                ).verdict(ofSubcommand: "fleet trust")
                continue
            }
            entries[index].outcome.error = offer.failure(
                at: target.endpoint, target.configuration, declined: isDeclined,
                expected: entries[index].state == .new ? expected : [])
        }
    }
}
