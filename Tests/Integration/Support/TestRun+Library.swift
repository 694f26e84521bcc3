import BridgeSSH

extension TestRun {
    var configuration: SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = identities.map { SSHIdentity(path: $0) }
        configuration.credentials.identitiesOnly = identitiesOnly
        configuration.credentials.agentSocket = agent
        configuration.credentials.password = password.map { SSHSecret($0) }
        configuration.credentials.passphrase = passphrase.map { SSHSecret($0) }
        configuration.knownHosts = SSHKnownHostsFiles(user: knownHosts)
        configuration.hostKeyPolicy = policy
        configuration.addressFamily = family
        configuration.timeouts.connect = .seconds(connectTimeout)
        configuration.keepalive = keepalive.map { SSHKeepaliveOptions(interval: .seconds($0)) }
        return configuration
    }

    var commandOptions: SSHCommandOptions {
        var options = SSHCommandOptions()
        if tty { options.pty = SSHPTYOptions() }
        options.timeout = timeout.map { .seconds($0) }
        options.idleTimeout = idleTimeout.map { .seconds($0) }
        options.drain = drain.map { .seconds($0) }
        if let outputLimit { options.outputLimit = outputLimit }
        return options
    }

    /// Makes the run with the library. Returns the error, or nil with the standard output.
    func byLibrary() async throws -> (error: SSHError?, output: [UInt8]) {
        do {
            let result = try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: host, port: port, user: user), configuration: configuration
            ) { connection in
                try await connection.run(command, options: commandOptions, standardInput: .bytes(input), check: true)
            }
            return (nil, result.standardOutput)
        } catch let error as SSHError {
            return (error, error.result?.standardOutput ?? [])
        }
    }
}
