/// A configuration as it is passed to another process of the same user: all but the secrets, which travel separately, and the
/// interaction and observer, which stay in this process.
extension Configuration: FieldCoded {
    package static var blank: Configuration { Configuration() }

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
        try coder.code(&settingPlaces)
    }
}

extension Endpoint: FieldCoded {
    package static var blank: Endpoint { Endpoint(unchecked: "", user: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (host, port, user, name) = (host, port, user, name)
        try coder.code(&host)
        try coder.code(&port, in: 0...65535)
        try coder.code(&user)
        try coder.code(&name)
        self = Endpoint(unchecked: host, port: port, user: user, name: name)
    }
}

extension Credentials: FieldCoded {
    package static var blank: Credentials { Credentials() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&identities)
        try coder.code(&certificates)
        try coder.code(&agentSocket)
        try coder.code(&identitiesOnly)
        var names = methods.map(\.rawValue)
        try coder.code(&names)
        methods = names.compactMap(AuthenticationMethod.init(rawValue:))
        try coder.code(&passwordPrompts, in: 0...Int(Int32.max))
    }
}

extension Identity: FieldCoded {
    package static var blank: Identity { Identity(path: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&path)
        try coder.code(&isDefault)
    }
}

extension KnownHostsFiles: FieldCoded {
    package static var blank: KnownHostsFiles { KnownHostsFiles(user: []) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&user)
        try coder.code(&system)
        try coder.code(&areExplicit)
        try coder.code(&creatableDirectory)
        try coder.code(&hashesNames)
        try coder.code(&revoked)
    }
}

extension HostKey: FieldCoded {
    package static var blank: HostKey { HostKey(algorithm: "", blob: []) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (algorithm, blob) = (algorithm, blob)
        try coder.code(&algorithm)
        try coder.code(bytes: &blob)
        self = HostKey(algorithm: algorithm, blob: blob)
    }
}

extension JumpHost: FieldCoded {
    package static var blank: JumpHost { JumpHost(.blank, configuration: .blank) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&endpoint)
        try coder.code(&configuration)
        try coder.code(&connectTimeout)
    }
}

extension ProxyCommand: FieldCoded {
    package static var blank: ProxyCommand { ProxyCommand("") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&command)
        try coder.code(&shell)
        try coder.code(&environment)
    }
}

extension KnownHostsCommand: FieldCoded {
    package static var blank: KnownHostsCommand { KnownHostsCommand([]) }

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

extension KeepaliveOptions: FieldCoded {
    package static var blank: KeepaliveOptions { KeepaliveOptions(interval: .zero) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&interval)
        try coder.code(&countMax, in: 0...Int(Int32.max))
    }
}

extension AlgorithmPreferences: FieldCoded {
    package static var blank: AlgorithmPreferences { AlgorithmPreferences() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&keyExchange)
        try coder.code(&hostKey)
        try coder.code(&ciphers)
        try coder.code(&macs)
    }
}
