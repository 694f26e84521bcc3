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
        try jumpHosts(for: resolved, visited: [VisitedJumpHost(resolved)], room: Self.mostJumpHosts)
    }

    /// Each session runs inside the previous one, so stack and memory grow with the length of the chain.
    static let mostJumpHosts = 100

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
        for resolved: SSHConfigSettings, visited: [VisitedJumpHost], room: Int
    ) throws(SSHConfigProblem) -> [SSHConfigSettings] {
        let hops = try resolved.jumpSpecification()
        guard hops.count <= room else {
            throw resolved.problem(with: "proxyjump", "the way leads through more than \(Self.mostJumpHosts) jump hosts")
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
        let before = try jumpHosts(for: first, visited: visited + [VisitedJumpHost(first)], room: room - hops.count)
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
                    + "give a command that works so, and ProxyUseFdpass no")
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
