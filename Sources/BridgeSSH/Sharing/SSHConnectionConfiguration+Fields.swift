/// A configuration as it is passed to another process of the same user: all but the secrets, which travel separately, and the
/// interaction and observer, which stay in this process.
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
