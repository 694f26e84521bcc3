package import BridgeSSH
internal import SSHRun
internal import Synchronization

/// The servers whose host keys are examined before a fleet's hosts begin, each once.
package struct TrustTargets: Sendable {
    /// Which servers are examined.
    package enum Coverage: Sendable {
        /// All hosts, and unknown jump hosts.
        case all
        /// Unknown hosts and jump hosts whose policy is to ask a person.
        case questionable
    }

    private let coverage: Coverage
    private let known: KnownHostsLookUp
    private var indices: [TrustTarget.Identity: (round: Int, index: Int)] = [:]
    /// The servers of the jump hosts, in rounds: a server behind a jump host can be reached once the jump host's key is known.
    /// The hosts themselves are the last round.
    private var byDepth: [[TrustTarget]] = []
    private var hosts: [TrustTarget] = []

    /// Marks the last round.
    private static let last = -1

    package init(_ coverage: Coverage, _ known: KnownHostsLookUp = KnownHostsLookUp()) {
        self.coverage = coverage
        self.known = known
    }

    /// The rounds in order, without empty ones.
    package var rounds: [[TrustTarget]] { (byDepth + [hosts]).filter { !$0.isEmpty } }

    /// Adds a host and the jump hosts on the way to it, as far as they must be examined.
    package mutating func add(_ host: String, _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        for (depth, jumpHost) in configuration.jumpHosts.enumerated() {
            var own = jumpHost.configuration
            own.jumpHosts = Array(configuration.jumpHosts.prefix(depth))
            guard !known.isKnown(jumpHost.endpoint, own), coverage == .all || own.hostKeyPolicy == .ask else { continue }
            while byDepth.count <= depth { byDepth.append([]) }
            add(jumpHost.endpoint.name, jumpHost.endpoint, own, round: depth)
        }
        guard coverage == .all || configuration.hostKeyPolicy == .ask && !known.isKnown(endpoint, configuration) else { return }
        add(host, endpoint, configuration, round: Self.last)
    }

    private mutating func add(
        _ host: String, _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, round: Int
    ) {
        let identity = TrustTarget.Identity(endpoint, configuration)
        if let place = indices[identity], place.round == round {
            if round == Self.last { hosts[place.index].add(host) } else { byDepth[round][place.index].add(host) }
            return
        }
        let target = TrustTarget(host, endpoint, configuration)
        if round == Self.last {
            indices[identity] = (round, hosts.count)
            hosts.append(target)
        } else {
            indices[identity] = (round, byDepth[round].count)
            byDepth[round].append(target)
        }
    }
}

/// A server whose host keys are examined, for all hosts of the fleet that it serves.
package struct TrustTarget: Sendable {
    /// The hosts, as the fleet names them; at least one.
    package private(set) var hosts: [String]
    package let endpoint: SSHEndpoint
    package let configuration: SSHConnectionConfiguration

    package init(_ host: String, _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        hosts = [host]
        self.endpoint = endpoint
        self.configuration = configuration
    }

    /// Its name and port in known_hosts.
    package var knownName: (host: String, port: Int) { configuration.knownHostName(of: endpoint) }

    mutating func add(_ host: String) {
        if !hosts.contains(host) { hosts.append(host) }
    }

    /// Two hosts with equal identities show the same keys and have the same line in known_hosts.
    struct Identity: Hashable {
        let place: String
        let host: String
        let port: Int
        let files: SSHKnownHostsFiles
        let way: [String]

        init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
            place = endpoint.place
            (host, port) = configuration.knownHostName(of: endpoint)
            files = configuration.knownHosts
            way = configuration.jumpHosts.map(\.endpoint.description) + [configuration.proxyCommand?.command ?? ""]
        }
    }
}

/// Looks up whether hosts are known. Reads each file once for all hosts.
package final class KnownHostsLookUp: Sendable {
    private let contents = Mutex<[SSHKnownHostsFiles: SSHKnownHosts]>([:])

    package init() {}

    /// Whether no question is needed before the connection: a key is known for the host, or only the connection can find
    /// out.
    package func isKnown(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) -> Bool {
        guard configuration.trustedHostKeys.isEmpty, configuration.knownHostsCommand == nil else { return true }
        // The connection will report files that cannot be read.
        guard let content = content(of: configuration.knownHosts) else { return true }
        let name = configuration.knownHostName(of: endpoint)
        return content.lines(for: name.host, port: name.port).contains { $0.marker == .trusted }
    }

    private func content(of files: SSHKnownHostsFiles) -> SSHKnownHosts? {
        contents.withLock { contents in
            if let content = contents[files] { return content }
            guard let content = try? files.load(policy: .acceptNew), content.unreadable.isEmpty else { return nil }
            contents[files] = content
            return content
        }
    }
}

/// Asks every server for its host keys, and logs in to jump hosts only.
package final class HostKeyScanRunner: HostRunner {
    private let targets: [String: TrustTarget]
    private let connections: FleetConnections
    private let openedKeys: OpenedKeys
    private let extent: HostKeyScanner.KeySelection
    private let timeLimit: Duration?
    private let scans = Mutex<[String: SSHHostKeyScan]>([:])

    /// - Parameters:
    ///   - targets: the servers, by the names that the run uses.
    ///   - extent: how many keys of each server are asked for.
    ///   - openedKeys: key files for jump hosts that are already decrypted.
    ///   - timeLimit: the most time that connecting to each server may take; nil for the limit of its configuration.
    package init(
        _ targets: [String: TrustTarget], _ connections: FleetConnections, _ extent: HostKeyScanner.KeySelection,
        openedKeys: OpenedKeys = OpenedKeys(), timeLimit: Duration? = nil
    ) {
        self.timeLimit = timeLimit
        self.openedKeys = openedKeys
        self.targets = targets
        self.connections = connections
        self.extent = extent
    }

    /// The host keys that a server has shown; nil if it could not be asked.
    package func scan(of name: String) -> SSHHostKeyScan? { scans.withLock { $0[name] } }

    package func perform(_ attempt: HostAttempt) async -> AttemptReport {
        guard let target = targets[attempt.host] else { return AttemptReport(.cancelled(signal: nil)) }
        var configuration = target.configuration
        configuration.executor = attempt.executor
        if let timeLimit { configuration.timeouts.connect = min(configuration.timeouts.connect, timeLimit) }
        connections.share(with: &configuration)
        for index in configuration.jumpHosts.indices {
            configuration.jumpHosts[index].configuration.openedKeys = openedKeys
        }
        do {
            let scan = try await SSHClient.hostKeys(
                of: target.endpoint, configuration: configuration, sharing: connections.hops, extent,
                timeLimit: timeLimit ?? HostKeyScanner.timeLimit)
            scans.withLock { $0[attempt.host] = scan }
            // The engine may now begin further hosts at this address.
            await attempt.loggedIn()
            return AttemptReport(.ended(.exited(0), nil), endpoint: target.endpoint)
        } catch {
            return AttemptReport(attempt.control.end(of: error), endpoint: target.endpoint)
        }
    }
}
