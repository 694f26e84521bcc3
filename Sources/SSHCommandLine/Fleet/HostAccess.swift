package import BridgeSSH
package import SSHRun
internal import Synchronization

/// How to reach the hosts of a fleet, from the options and ssh's configuration, whose files are read once.
package struct HostAccess: Sendable {
    private let request: AccessRequest
    private let environment: LaunchEnvironment
    private let configurations: HostConfigurations
    private let command: RunCommandRequest
    private let copies: Bool
    private var secrets: Secrets
    private let seen = SeenWarnings()

    /// Warnings about settings that have no effect here and lead to other hosts, for the hosts so far, each once.
    package var warnings: [String] { seen.all }

    /// The secrets that the person types once, before the first host.
    package struct Secrets: Sendable {
        package var password: SSHSecret?
        package var passphrase: SSHSecret?
        /// Encrypted key files, decrypted with the passphrases that the person typed.
        package var openedKeys = OpenedKeys()

        package init() {}

        /// Adds the secrets. The password is for the destination only, never for a jump host.
        func put(into configuration: inout SSHConnectionConfiguration) {
            configuration.credentials.password = password
            configuration.credentials.passphrase = passphrase
            configuration.openedKeys = openedKeys
            for index in configuration.jumpHosts.indices {
                configuration.jumpHosts[index].configuration.credentials.passphrase = passphrase
                configuration.jumpHosts[index].configuration.openedKeys = openedKeys
            }
        }
    }

    /// The connection to one host, and the options of its command.
    package struct HostConnection: Sendable {
        package let endpoint: SSHEndpoint
        package fileprivate(set) var configuration: SSHConnectionConfiguration
        package let options: SSHCommandOptions
        /// Whether the program may ask a person about it.
        package let mayAsk: Bool
    }

    /// - Parameters:
    ///   - command: how the command is run; its variables come after those of ssh's configuration.
    ///   - session: the kind of session for ssh's configuration (Match sessiontype and Match command).
    ///   - copies: whether files are copied instead of running a command.
    ///   - maker: the SSH client that connects.
    ///   - mayAsk: whether the program may ask a person; false during a run.
    package init(
        _ options: HostOptions, command: SSHCommandOptions, session: SSHConfigSession = .command(""), copies: Bool = false,
        by maker: ConnectionMaker = .libssh2, in environment: LaunchEnvironment, _ secrets: Secrets, mayAsk: Bool = false
    ) {
        var request = options.accessRequest(home: environment.home, session: session)
        request.isBatch = !mayAsk
        request.isForOpenSSH = maker == .ssh
        self.request = request
        self.environment = environment
        self.copies = copies
        self.secrets = secrets
        configurations = HostConfigurations(request, in: environment)
        self.command = RunCommandRequest.of(command)
    }

    /// A copy with other secrets.
    func with(_ secrets: Secrets) -> HostAccess {
        var access = self
        access.secrets = secrets
        return access
    }

    /// - Throws: `UsageProblem`.
    package func connection(to host: NamedHost) throws -> HostConnection {
        var connection = try connectionWithoutSecrets(host)
        secrets.put(into: &connection.configuration)
        host.complete(&connection.configuration)
        return connection
    }

    /// The route of a host for OpenSSH's ssh, and the credentials that answer its questions.
    ///
    /// - Throws: `UsageProblem`.
    package func route(_ host: NamedHost) throws -> (OpenSSHRoute, SSHCommandOptions, SSHCredentials) {
        let connection = try connection(to: host)
        let route = OpenSSHRoute(
            try plan(for: host).access.request, at: connection.endpoint, connection.configuration, address: host.address,
            home: environment.home, mayAsk: false)
        return (route, connection.options, connection.configuration.credentials)
    }

    private func request(for host: NamedHost) throws -> AccessRequest {
        var request = request
        if let identity = host.identity { request.identities.append(identity) }
        // Ansible puts `-o User=` in front of its other arguments, and of two users ssh takes the first.
        request.user = request.user ?? host.user
        if !host.arguments.isEmpty { try request.take(host.arguments, of: host.name) }
        return request
    }

    /// ssh's configuration for a host, and the route to it.
    private func plan(for host: NamedHost) throws -> (settings: HostSettings, access: AccessPlan) {
        let request = try request(for: host)
        let configurations = host.arguments.isEmpty ? configurations : HostConfigurations(request, in: environment)
        let destination = try SSHDestination(
            user: request.user, host: host.name, port: request.port ?? host.port, orUsageProblem: ())
        let settings = try configurations.settings(for: destination)
        return (settings, try AccessPlan(request, settings, in: environment))
    }

    /// As ``connection(to:)``, without secrets.
    ///
    /// - Throws: `UsageProblem`.
    func connectionWithoutSecrets(_ host: NamedHost) throws -> HostConnection {
        let (settings, access) = try plan(for: host)
        seen.add(access.warnings)
        let plan = RunPlan(command, command: "", access, settings, in: environment)
        var endpoint = plan.endpoint
        if let address = host.address {
            do {
                endpoint = try SSHEndpoint(checking: address, port: endpoint.port, user: endpoint.user, name: host.name)
            } catch {
                throw UsageProblem(error)
            }
        }
        var configuration = plan.configuration
        if copies { configuration.keepAliveForCopy(access) }
        return HostConnection(
            endpoint: endpoint, configuration: configuration, options: plan.commandOptions, mayAsk: plan.access.mayAsk)
    }
}

extension HostAccess {
    /// Reads the secrets that the options name, or asks for them on the terminal, once for all hosts.
    ///
    /// - Throws: `UsageProblem`; `CancellationError`.
    package static func secrets(_ options: HostOptions, in environment: LaunchEnvironment) async throws -> Secrets {
        let source = try CommandLineSecrets(options.credentials, options.keys, mayAsk: environment.canAsk)
        var secrets = Secrets()
        secrets.password = try await source.password()
        secrets.passphrase = try await source.passphrase()
        return secrets
    }
}

extension RunCommandRequest {
    fileprivate static func of(_ options: SSHCommandOptions) -> RunCommandRequest {
        var request = RunCommandRequest()
        request.options = options
        return request
    }
}

extension SSHDestination {
    fileprivate init(user: String?, host: String, port: Int?, orUsageProblem: Void) throws {
        do { try self.init(user: user, host: host, port: port) } catch let problem as SSHDestinationProblem {
            throw UsageProblem(problem)
        }
    }
}

extension AccessRequest {
    /// Applies the options of ssh that an inventory gives for a host.
    ///
    /// - Throws: `UsageProblem` for an option without an equivalent here.
    fileprivate mutating func take(_ arguments: [String], of host: String) throws {
        for (name, value) in InventoryArguments(arguments) {
            func problem(_ what: String) -> UsageProblem {
                UsageProblem(
                    field: "ansible_ssh_common_args",
                    problem: "\(what) for \(host); write it as -o SETTING=VALUE, or leave it out")
            }
            guard InventoryArguments.known.contains(name) else { throw problem("unknown option \(name)") }
            guard let value else { throw problem("\(name) lacks its value") }
            switch name {
            case "-o": settings.append(value)
            case "-i": identities.append(value)
            case "-J": settings.append("ProxyJump=\(value)")
            case "-l": user = user ?? value
            default: settings.append("Port=\(value)")
            }
        }
    }
}

/// The options of ssh in an inventory, each with its value; nil if it lacks one. An option that has no equivalent here is
/// returned as it is written.
package struct InventoryArguments: Sequence, IteratorProtocol {
    package static let known: Set = ["-o", "-i", "-J", "-l", "-p"]
    private var rest: ArraySlice<String>

    package init(_ arguments: [String]) { rest = arguments[...] }

    package mutating func next() -> (option: String, value: String?)? {
        guard let argument = rest.popFirst() else { return nil }
        let (option, joined) = (String(argument.prefix(2)), String(argument.dropFirst(2)))
        guard Self.known.contains(option) else { return (argument, nil) }
        return (option, joined.isEmpty ? rest.popFirst() : joined)
    }
}

/// Warnings about hosts, each text once: most hosts have the same warnings.
private final class SeenWarnings: Sendable {
    /// The maximum number of warnings; more would not be read.
    private static let maximumCount = 8
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ new: [String]) {
        guard !new.isEmpty else { return }
        texts.withLock { texts in
            for text in new where texts.count < Self.maximumCount && !texts.contains(text) { texts.append(text) }
        }
    }
}
