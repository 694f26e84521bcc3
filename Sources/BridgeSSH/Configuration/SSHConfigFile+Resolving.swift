extension SSHConfigFile {
    /// What ssh would connect to, and how, for a name of ssh's configuration: its HostName, Port and User, its ProxyJump with the
    /// settings of every jump host, its keys and its trust.
    ///
    /// ```swift
    /// let (endpoint, configuration) = try SSHConfigFile(context: .process()).resolve("inner")
    /// ```
    /// Reads the files, and blocks the thread while it does.
    ///
    /// - Parameters:
    ///   - destination: a host, `user@host` or `user@host:port`, as on ssh's command line.
    ///   - agentSocket: the agent's socket where the configuration names none, usually the value of SSH_AUTH_SOCK.
    ///   - canAsk: whether there is an ``SSHInteraction`` to ask about host keys.
    /// - Throws: ``SSHError``: `ssh.local.config-invalid` for a configuration that ssh would refuse too, or that leads in a circle;
    ///   `ssh.resolve.host-name-invalid` and `ssh.local.usage` for a destination that cannot be one.
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
