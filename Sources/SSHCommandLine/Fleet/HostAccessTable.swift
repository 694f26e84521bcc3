package import BridgeSSH
import SSHRun

/// The access to each host of a run, resolved once before the first host starts.
///
/// Most hosts have the same settings in ssh's configuration except for their names. Such hosts share one configuration, so ten
/// thousand hosts need hardly more memory than one.
package struct HostAccessTable: Sendable {
    /// The settings that several hosts share, without secrets.
    private struct SharedAccess: Sendable {
        var configuration: SSHConnectionConfiguration
        let options: SSHCommandOptions
        let mayAsk: Bool
    }

    /// All settings of a ``SharedAccess``, for comparison.
    private struct AccessKey: Hashable {
        let bytes: [UInt8]
        let mayAsk: Bool

        init(_ way: SharedAccess) {
            bytes = FieldCoder.bytes(of: way.configuration) + FieldCoder.bytes(of: way.options)
            mayAsk = way.mayAsk
        }
    }

    /// The maximum number of different settings that are stored. Further hosts are resolved again when they start.
    static let maximumShared = 256

    private let hosts: [NamedHost]
    private let numbers: [String: Int]
    private var access: HostAccess
    /// In the order of the hosts.
    package let endpoints: [SSHEndpoint]
    private var shared: [SharedAccess] = []
    /// The index in `shared` for each host; nil for a host whose settings are not stored.
    private let places: [Int32?]

    /// How many different settings are stored.
    var sharedCount: Int { shared.count }

    /// - Throws: `UsageProblem` for the first host that cannot be reached as its configuration says.
    package init(_ hosts: [NamedHost], _ access: HostAccess) throws {
        var endpoints: [SSHEndpoint] = []
        var shared: [SharedAccess] = []
        var places: [Int32?] = []
        var known: [AccessKey: Int32] = [:]
        endpoints.reserveCapacity(hosts.count)
        places.reserveCapacity(hosts.count)
        for host in hosts {
            let connection = try access.connectionWithoutSecrets(host)
            endpoints.append(connection.endpoint)
            let way = SharedAccess(
                configuration: connection.configuration, options: connection.options, mayAsk: connection.mayAsk)
            let content = AccessKey(way)
            if known[content] == nil, shared.count < Self.maximumShared {
                known[content] = Int32(shared.count)
                shared.append(way)
            }
            places.append(known[content])
        }
        numbers = Dictionary(zip(hosts.lazy.map(\.name), 0...), uniquingKeysWith: { first, _ in first })
        (self.hosts, self.access, self.endpoints, self.shared, self.places) = (hosts, access, endpoints, shared, places)
    }

    /// Warnings about settings that have no effect here and lead to other hosts, each once.
    package var warnings: [String] { access.warnings }

    /// A copy with the secrets that the person has typed since.
    package func with(_ secrets: HostAccess.Secrets) -> HostAccessTable {
        var secured = self
        for index in secured.shared.indices { secrets.put(into: &secured.shared[index].configuration) }
        secured.access = access.with(secrets)
        return secured
    }

    /// The route of a host for OpenSSH's ssh.
    ///
    /// - Throws: `UsageProblem`.
    package func route(_ name: String) throws -> (OpenSSHRoute, SSHCommandOptions, SSHCredentials) {
        try access.route(numbers[name].map { hosts[$0] } ?? NamedHost(name: name))
    }

    /// The access to a host, by its name. A name that is not in the table is resolved now.
    ///
    /// - Throws: `UsageProblem`.
    package func connection(to name: String) throws -> HostAccess.HostConnection {
        guard let number = numbers[name] else { return try access.connection(to: NamedHost(name: name)) }
        guard let place = places[number] else { return try access.connection(to: hosts[number]) }
        let way = shared[Int(place)]
        var configuration = way.configuration
        hosts[number].complete(&configuration)
        return HostAccess.HostConnection(
            endpoint: endpoints[number], configuration: configuration, options: way.options, mayAsk: way.mayAsk)
    }
}

/// The encrypted key files of a fleet's hosts. The program asks for their passphrases before the first host starts.
package struct EncryptedKeyFiles {
    /// The settings that decide which keys a connection offers.
    private struct Offer: Hashable {
        let identities: [SSHIdentity]
        let agentSocket: String?
        let identitiesOnly: Bool
    }

    private var offers: Set<Offer> = []
    private var credentials: [SSHCredentials] = []

    package init() {}

    /// Adds the keys for a host and for its jump hosts.
    package mutating func add(_ configuration: SSHConnectionConfiguration) {
        for one in [configuration] + configuration.jumpHosts.map(\.configuration) {
            // The configured passphrase opens all of them.
            guard one.credentials.passphrase == nil else { continue }
            let offer = Offer(
                identities: one.credentials.identities, agentSocket: one.credentials.agentSocket,
                identitiesOnly: one.credentials.identitiesOnly)
            if offers.insert(offer).inserted { credentials.append(one.credentials) }
        }
    }

    /// Asks for the passphrase of each file once, and decrypts the file. Skips a file if the person types nothing.
    ///
    /// - Throws: ``SSHError`` for a file after three wrong passphrases; `CancellationError`.
    package func opened() async throws -> OpenedKeys {
        var files: [KeyFile] = []
        let agents = SharedAgents()
        for credentials in credentials {
            let locked = await OpenedKeys.lockedFiles(of: credentials, agents)
            files += locked.filter { file in !files.contains { $0.path == file.path } }
        }
        await agents.close()
        var keys = OpenedKeys()
        guard !files.isEmpty, let questioner = QuestionerChoice.ofThisProcess.questioner else { return keys }
        let person = PersonInteraction(questioner: questioner)
        for file in files { try await Self.open(file, asking: person, into: &keys) }
        return keys
    }

    private static func open(_ file: KeyFile, asking person: PersonInteraction, into keys: inout OpenedKeys) async throws {
        for attempt in 1...3 {
            guard let passphrase = try await person.passphrase(forKeyAt: file.path, isRetry: attempt > 1), !passphrase.isEmpty
            else { return }
            do {
                return try await keys.open(file, with: passphrase)
            } catch let problem as SSHKeyProblem {
                if attempt == 3 || problem.reason != .passphraseWrong {
                    throw SSHFailureClassifier.classify(SSHEvidence(local: .keyUnusable(problem), stage: .key))
                }
            }
        }
    }
}
