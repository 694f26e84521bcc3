extension SSHConfigFile {
    /// The endpoint and configuration that ssh would use for a name: HostName, Port and User, ProxyJump with the settings of
    /// every jump host, keys and trust.
    ///
    /// ```swift
    /// let (endpoint, configuration) = try SSHConfigFile(context: .process()).resolve("inner")
    /// ```
    /// Reads the files, and blocks the thread meanwhile.
    ///
    /// - Parameters:
    ///   - destination: a host, `user@host` or `user@host:port`, as on ssh's command line.
    ///   - agentSocket: the agent's socket if the configuration names none, usually the value of SSH_AUTH_SOCK.
    ///   - canAsk: whether there is an ``SSHInteraction`` to ask about host keys.
    /// - Throws: ``SSHError``: `ssh.local.config-invalid` for a configuration that ssh would refuse too, or for a cycle of jump
    ///   hosts; `ssh.resolve.host-name-invalid` and `ssh.local.usage` for an invalid destination.
    public func resolve(
        _ destination: String, agentSocket: String? = nil, canAsk: Bool = false
    ) throws -> (endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration) {
        do {
            let destination = try SSHDestination(parsing: destination)
            let resolved = try resolve(host: destination.host, user: destination.user, port: destination.port)
            func configuration(of settings: SSHConfigSettings, through hosts: [SSHJumpHost] = []) throws
                -> SSHConnectionConfiguration
            {
                var configuration = SSHConnectionConfiguration.standard(home: context.home, agentSocket: agentSocket)
                try configuration.apply(settings, context: context, canAsk: canAsk, through: hosts)
                return configuration
            }
            let hosts = try jumpHosts(for: resolved).map { host in
                let limit = host.number("connecttimeout").flatMap { $0 > 0 ? Duration.seconds($0) : nil }
                return SSHJumpHost(try endpoint(of: host), configuration: try configuration(of: host), connectTimeout: limit)
            }
            return (try endpoint(of: resolved), try configuration(of: resolved, through: hosts))
        } catch let problem as SSHDestinationProblem {
            throw problem.failure
        } catch let problem as SSHConfigProblem {
            throw problem.failure
        }
    }

    private func endpoint(of settings: SSHConfigSettings) throws -> SSHEndpoint {
        if let refusal = settings.refusal { throw refusal }
        return try SSHEndpoint(host: settings.hostName, port: settings.port, user: settings.user)
    }
}

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension SSHConfigContext {
    /// The facts about this process: its user, that user's home directory (passwd(5)), the host name, and the environment.
    ///
    /// `Match exec` runs nothing with it: set ``SSHConfigContext/execute`` for that. A ProxyCommand gets only PATH, HOME and
    /// USER.
    public static func process() -> SSHConfigContext {
        let entry = getpwuid(getuid())?.pointee
        func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        let home = text(entry?.pw_dir) ?? variable("HOME") ?? "/"
        let user = text(entry?.pw_name) ?? variable("USER") ?? ""
        var context = SSHConfigContext(home: home, localUser: user, userID: getuid(), localHostName: hostName)
        context.variable = variable
        context.lookUp = { systemLookUp($0) }
        context.localAddresses = { interfaceAddresses() }
        context.environment = ["PATH", "HOME", "USER"].compactMap { name in variable(name).map { "\(name)=\($0)" } }
        return context
    }

    @Sendable private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// This machine's host name; empty if it cannot be read.
    package static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1025) { buffer in
            guard let name = buffer.baseAddress, gethostname(name, buffer.count) == 0 else { return "" }
            buffer[buffer.count - 1] = 0
            return String(cString: name)
        }
    }
}

extension SSHConfigProblem {
    /// The error for this problem: `ssh.local.config-invalid`, or `ssh.local.refused-by-config` for RefuseConnection.
    public var failure: SSHError {
        var evidence = SSHEvidence(local: event)
        if let refusedHost { evidence.host = refusedHost }
        return SSHFailureClassifier.classify(evidence)
    }

    /// The event for this problem.
    package var event: SSHEvidence.Event {
        refusedHost != nil
            ? .configurationRefuses(file: file, line: line, reason: problem)
            : .configurationInvalid(file: file, line: line, problem: problem)
    }
}

extension SSHConfigSettings {
    /// The KnownHostsCommand; nil if there is none.
    ///
    /// - Throws: ``SSHConfigProblem`` if the command has no absolute path, or has an invalid token.
    public func knownHostsCommand() throws(SSHConfigProblem) -> SSHKnownHostsCommand? {
        guard let text = value("knownhostscommand") else { return nil }
        guard let words = ConfigurationLine.split(Array(text.utf8)[...], endingAtComment: false) else {
            throw problem(with: "knownhostscommand", "a quote is opened and not closed; close it")
        }
        guard let path = words.first, path.hasPrefix("/") else {
            throw problem(with: "knownhostscommand", "KnownHostsCommand \(text) does not begin with an absolute path; write one")
        }
        let values = TokenValues(
            host: hostName, originalHost: host, keyAlias: value("hostkeyalias") ?? host, port: port, user: user, context: context)
        var command = SSHKnownHostsCommand(words, environment: context.environment)
        command.tokens = values.all
        // Report now an error that would otherwise appear only when the command is called.
        do {
            try values.checkHosts()
            _ = try command.words(lookingUp: host, for: nil)
        } catch {
            throw problem(with: "knownhostscommand", error.text)
        }
        return command
    }
}
