internal import Crypto

/// The form in which a configuration is passed to another process of the same user. It excludes the secrets, which are sent
/// separately, and the interaction and observer, which stay in this process.
extension SSHConnectionConfiguration: FieldCoded {
    package static var blank: SSHConnectionConfiguration { SSHConnectionConfiguration() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&credentials)
        try coder.code(&knownHosts)
        try coder.code(&knownHostsCommand)
        try coder.code(&hostKeyAlias)
        try coder.code(&trustedHostKeys)
        try coder.code(name: &hostKeyPolicy)
        try coder.code(name: &addressFamily)
        try coder.code(&localAddress)
        try coder.code(&jumpHosts)
        try coder.code(&proxyCommand)
        try coder.code(&timeouts.resolve)
        try coder.code(&timeouts.connect)
        try coder.code(&keepalive)
        try coder.code(&algorithms)
        try coder.code(&reachOptions)
        try coder.code(&reportsAnnouncedKeys)
        try coder.code(&settingPlaces)
    }
}

extension SSHEndpoint: FieldCoded {
    package static var blank: SSHEndpoint { SSHEndpoint(unchecked: "", user: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (host, port, user, name) = (host, port, user, name)
        try coder.code(&host)
        try coder.code(&port, in: 0...65535)
        try coder.code(&user)
        try coder.code(&name)
        self = SSHEndpoint(unchecked: host, port: port, user: user, name: name)
    }
}

extension SSHCredentials: FieldCoded {
    package static var blank: SSHCredentials { SSHCredentials() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&identities)
        try coder.code(&certificates)
        try coder.code(&agentSocket)
        try coder.code(&identitiesOnly)
        var names = methods.map(\.rawValue)
        try coder.code(&names)
        methods = names.compactMap(SSHAuthenticationMethod.init(rawValue:))
        var accepted = acceptedAlgorithms?.joined(separator: ",")
        try coder.code(&accepted)
        acceptedAlgorithms = accepted?.split(separator: ",").map(String.init)
        try coder.code(&passwordPrompts, in: 0...Int(Int32.max))
    }
}

extension SSHIdentity: FieldCoded {
    package static var blank: SSHIdentity { SSHIdentity(path: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&path)
        try coder.code(&isDefault)
    }
}

extension SSHKnownHostsFiles: FieldCoded {
    package static var blank: SSHKnownHostsFiles { SSHKnownHostsFiles(user: []) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&user)
        try coder.code(&system)
        try coder.code(&areExplicit)
        try coder.code(&creatableDirectory)
        try coder.code(&hashesNames)
        try coder.code(&revoked)
        try coder.code(&acceptsWithoutRemembering)
        try coder.code(&learnsAnnouncedKeys)
    }
}

extension SSHHostKey: FieldCoded {
    package static var blank: SSHHostKey { SSHHostKey(algorithm: "", blob: []) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (algorithm, blob) = (algorithm, blob)
        try coder.code(&algorithm)
        try coder.code(bytes: &blob)
        self = SSHHostKey(algorithm: algorithm, blob: blob)
    }
}

extension SSHJumpHost: FieldCoded {
    package static var blank: SSHJumpHost { SSHJumpHost(.blank, configuration: .blank) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&endpoint)
        try coder.code(&configuration)
        try coder.code(&connectTimeout)
    }
}

extension SSHProxyCommand: FieldCoded {
    package static var blank: SSHProxyCommand { SSHProxyCommand("") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&command)
        try coder.code(&shell)
        try coder.code(&environment)
    }
}

extension SSHKnownHostsCommand: FieldCoded {
    package static var blank: SSHKnownHostsCommand { SSHKnownHostsCommand([]) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&words)
        try coder.code(&environment)
        var letters = tokens.keys.sorted().map { Int($0) }
        var values = tokens.keys.sorted().map { tokens[$0] ?? "" }
        try coder.code(&letters)
        try coder.code(&values)
        tokens = [:]
        for (letter, value) in zip(letters, values) { tokens[UInt8(truncatingIfNeeded: letter)] = value }
    }
}

extension SSHKeepaliveOptions: FieldCoded {
    package static var blank: SSHKeepaliveOptions { SSHKeepaliveOptions(interval: .zero) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&interval)
        try coder.code(&countMax, in: 0...Int(Int32.max))
    }
}

extension SSHAlgorithmPreferences: FieldCoded {
    package static var blank: SSHAlgorithmPreferences { SSHAlgorithmPreferences() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&keyExchange)
        try coder.code(&hostKey)
        try coder.code(&ciphers)
        try coder.code(&macs)
    }
}

extension SSHConnectionConfiguration {
    /// Why a run with this configuration must not use another run's connection; nil if it may.
    ///
    /// A connection's identity contains the names of the known_hosts files, but neither their content nor the policy. So each run
    /// checks the keys itself.
    ///
    /// - Parameters:
    ///   - keys: the keys that the connection accepted, the nearest hop's first.
    ///   - endpoint: the destination.
    package func objection(to keys: [KeptHostKey], of endpoint: SSHEndpoint) async -> String? {
        let hops = Hop.hops(to: endpoint, self)
        guard hops.count == keys.count else { return "it does not say which host keys it has accepted" }
        for (hop, kept) in zip(hops, keys) {
            do {
                let trust = hop.trust(asking: { _ in false })
                let knownHosts = try await hop.knownHosts(
                    hop.loadKnownHosts(by: trust), judging: kept.key, within: timeouts.connect.boundedSeconds)
                let name = hop.trustedName
                let verdict = await knownHosts.lookUp { $0.verdict(on: kept.key, host: name.host, port: name.port) }
                guard kept.isAcceptable(under: trust.policy, verdict: verdict) else {
                    return "this run would not accept the host key of \(hop.endpoint.label), \(kept.key.fingerprint), by itself"
                }
            } catch {
                return "the host key of \(hop.endpoint.label) cannot be looked up by this run"
            }
        }
        return nil
    }
}

/// What two runs must have in common to share a connection: endpoint, user, route, trust and authentication. Deadlines, the
/// interaction, and the policy for unknown host keys are not included.
package struct ConnectionIdentity: Sendable, Hashable {
    /// 128 bits of a SHA-256 hash in hexadecimal, for use in a file name.
    package let name: String

    /// - Parameter circumstances: other facts that distinguish two connections.
    package init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, circumstances: [String] = []) {
        let bytes =
            FieldCoder.bytes(of: SSHEndpoint(unchecked: endpoint.host, port: endpoint.port, user: endpoint.user))
            + FieldCoder.bytes(of: Self.normalized(of: configuration))
            + circumstances.flatMap { FieldCoder.bytes(of: $0) }
        let digits = Array("0123456789abcdef".utf8)
        let text = SHA256.hash(data: bytes).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        name = String(decoding: text, as: UTF8.self)
    }

    private static func normalized(of configuration: SSHConnectionConfiguration) -> SSHConnectionConfiguration {
        var normalized = configuration
        normalized.timeouts = SSHTimeouts()
        normalized.reachOptions = []
        normalized.reportsAnnouncedKeys = false
        normalized.hostKeyPolicy = .strict
        normalized.credentials.passwordPrompts = 0
        normalized.knownHosts.hashesNames = false
        normalized.knownHosts.learnsAnnouncedKeys = false
        normalized.knownHosts.acceptsWithoutRemembering = false
        // These differ between shells.
        normalized.proxyCommand?.environment = []
        normalized.knownHostsCommand?.environment = []
        for index in normalized.jumpHosts.indices {
            normalized.jumpHosts[index].connectTimeout = nil
            let endpoint = normalized.jumpHosts[index].endpoint
            normalized.jumpHosts[index].endpoint = SSHEndpoint(unchecked: endpoint.host, port: endpoint.port, user: endpoint.user)
            normalized.jumpHosts[index].configuration = Self.normalized(of: normalized.jumpHosts[index].configuration)
        }
        return normalized
    }
}
