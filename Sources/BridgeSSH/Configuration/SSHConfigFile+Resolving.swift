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

extension SSHConfigFile {
    /// The jump hosts of a host, the nearest first, each with this configuration's settings for its own name.
    ///
    /// As with ssh(1), the same files apply to each jump host, but not the options, which are for the destination. Only the first
    /// jump host's own ProxyJump is followed. Each one's ConnectTimeout becomes ``SSHJumpHost/connectTimeout``. Reads the files,
    /// and blocks the thread meanwhile.
    ///
    /// - Throws: ``SSHConfigProblem`` if a jump host's configuration is wrong, if jump hosts form a cycle, or if there are more
    ///   than 100.
    public func jumpHosts(for resolved: SSHConfigSettings) throws(SSHConfigProblem) -> [SSHConfigSettings] {
        try jumpHosts(for: resolved, visited: [VisitedJumpHost(resolved)], remainingHops: Self.maximumJumpHosts)
    }

    /// Each session runs inside the previous one, so stack and memory grow with the length of the chain.
    static let maximumJumpHosts = 100

    /// The identity of a jump host: its name, not its address, which may belong to another host in another network.
    private struct VisitedJumpHost: Equatable {
        let host: String
        let port: Int
        let user: String

        init(_ resolved: SSHConfigSettings) {
            (host, port, user) = (resolved.host.lowercasedASCII, resolved.port, resolved.user)
        }
    }

    private func jumpHosts(
        for resolved: SSHConfigSettings, visited: [VisitedJumpHost], remainingHops: Int
    ) throws(SSHConfigProblem) -> [SSHConfigSettings] {
        let hops = try resolved.jumpSpecification()
        guard hops.count <= remainingHops else {
            throw resolved.problem(with: "proxyjump", "the route has more than \(Self.maximumJumpHosts) jump hosts")
        }
        var context = context
        // A jump host only forwards bytes and runs no command, as with -W.
        context.session = .none
        let plain = SSHConfigFile(context: context, source: source)
        var hosts: [SSHConfigSettings] = []
        for hop in hops {
            do { _ = try SSHDestination(user: hop.user, host: hop.host, port: hop.port) } catch {
                throw resolved.problem(with: "proxyjump", "\(error)")
            }
            let host = try plain.resolve(host: hop.host, user: hop.user, port: hop.port)
            let place = VisitedJumpHost(host)
            guard !visited.contains(place) else {
                throw resolved.problem(
                    with: "proxyjump",
                    "the jump hosts lead in a circle: \(place.host) is reached through itself; give it ProxyJump none")
            }
            hosts.append(host)
        }
        guard let first = hosts.first else { return [] }
        let before = try jumpHosts(
            for: first, visited: visited + [VisitedJumpHost(first)], remainingHops: remainingHops - hops.count)
        let reached = hosts.dropFirst().map { $0.reachedThroughAnother() }
        return before + [before.isEmpty ? first : first.reachedThroughAnother()] + reached
    }
}

extension SSHConfigSettings {
    /// The hosts in ProxyJump with tokens expanded, the nearest first.
    func jumpSpecification() throws(SSHConfigProblem) -> [JumpSpecification.Hop] {
        guard let value = value("proxyjump") else { return [] }
        do {
            return try JumpSpecification.hops(of: value, service: context.port).map { hop throws(LineProblem) in
                var hop = hop
                hop.user = try hop.user.map { user throws(LineProblem) in try proxyTokens.expandProxy(user) }
                // The % in an IPv6 address begins its zone.
                if !hop.host.contains(":") { hop.host = try proxyTokens.expandProxy(hop.host) }
                return hop
            }
        } catch {
            throw problem(with: "proxyjump", error.text)
        }
    }

    /// The ProxyCommand with its tokens expanded; nil if there is none, or if ProxyJump is set.
    ///
    /// - Throws: ``SSHConfigProblem`` for an invalid token, and for ProxyUseFdpass.
    public func proxyCommand() throws(SSHConfigProblem) -> String? {
        guard value("proxyjump") == nil, let command = value("proxycommand") else { return nil }
        guard !isOn("proxyusefdpass") else {
            throw problem(
                with: "proxyusefdpass",
                "ProxyUseFdpass yes is not supported: the connection goes through the proxy command's standard input and output; "
                    + "give a command that works that way, and ProxyUseFdpass no")
        }
        do { return try proxyTokens.expandProxy(command) } catch { throw problem(with: "proxycommand", error.text) }
    }

    /// The settings without ProxyJump and ProxyCommand.
    fileprivate func reachedThroughAnother() -> SSHConfigSettings {
        let values = values.filter { $0.key != "proxyjump" && $0.key != "proxycommand" }
        return SSHConfigSettings(
            host: host, values: values, places: places, algorithmSpecifications: algorithmSpecifications, context: context)
    }

    private var proxyTokens: TokenValues {
        TokenValues(
            host: hostName, originalHost: host, keyAlias: value("hostkeyalias") ?? host, port: port, user: user, context: context)
    }
}

extension TokenValues {
    /// Expands the tokens of ProxyCommand and ProxyJump: `%h`, `%k`, `%n`, `%p`, `%r` (ssh_config(5), sshconnect.c).
    fileprivate func expandProxy(_ text: String) throws(LineProblem) -> String {
        try checkHosts()
        let letters = "hknpr".utf8
        return try TokenExpansion(tokens: all.filter { letters.contains($0.key) }).expand(text)
    }
}
