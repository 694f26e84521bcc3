extension Session {
    /// The identification exchange, key exchange and the request for the authentication service.
    ///
    /// - Returns: the server's host key, whose possession libssh2 has verified (RFC 4253 section 8).
    package func handshake(_ preferences: SSHAlgorithmPreferences) async throws(Fault) -> SSHHostKey {
        try offer(preferences)
        let library = library
        _ = try await perform(exclusive: true, nextStage: { .authentication }) { library.handshake() }
        let agreed = agreed()
        observations.agree(on: agreed)
        keep(agreed)
        let blob = library.presentedHostKey
        guard blob.count > 4 else { throw Fault(.internalFailure(problem: "libssh2 has no host key after key exchange")) }
        let nameLength = blob[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard 4 + nameLength <= blob.count else { throw Fault(.internalFailure(problem: "the host key has no type")) }
        return SSHHostKey(algorithm: String(decoding: blob[4..<(4 + nameLength)], as: UTF8.self), blob: blob)
    }

    /// The algorithms that libssh2 negotiated.
    private func agreed() -> SSHChosenAlgorithms {
        // libssh2 names a MAC for every cipher, used or not.
        func mac(_ kind: LibrarySession.AlgorithmKind, beside cipher: String) -> String? {
            AlgorithmAgreement.authenticatesByItself(cipher) ? nil : library.negotiated(kind)
        }
        var agreed = SSHChosenAlgorithms()
        agreed.keyExchange = library.negotiated(.keyExchange)
        agreed.hostKey = library.negotiated(.hostKey)
        agreed.cipherToServer = library.negotiated(.cipherToServer)
        agreed.cipherToClient = library.negotiated(.cipherToClient)
        agreed.macToServer = mac(.macToServer, beside: agreed.cipherToServer)
        agreed.macToClient = mac(.macToClient, beside: agreed.cipherToClient)
        return agreed
    }

    /// Offers only the negotiated algorithms from now on. In a key re-exchange libssh2 uses the newly negotiated algorithms
    /// before the new keys are in use: with another cipher or MAC it would misread the server's bytes.
    private func keep(_ agreed: SSHChosenAlgorithms) {
        library.keep(.hostKey, agreed.hostKey)
        library.keep(.cipherToServer, agreed.cipherToServer)
        library.keep(.cipherToClient, agreed.cipherToClient)
        if let mac = agreed.macToServer { library.keep(.macToServer, mac) }
        if let mac = agreed.macToClient { library.keep(.macToClient, mac) }
    }

    private func offer(_ preferences: SSHAlgorithmPreferences) throws(Fault) {
        var offered = SSHAlgorithmLists()
        offered.keyExchange = try offer(.keyExchange, preferences.keyExchange, "KexAlgorithms")
        offered.hostKey = try offer(.hostKey, preferences.hostKey, "HostKeyAlgorithms")
        offered.cipherToServer = try offer(.cipherToServer, preferences.ciphers, "Ciphers")
        offered.cipherToClient = try offer(.cipherToClient, preferences.ciphers, "Ciphers")
        offered.macToServer = try offer(.macToServer, preferences.macs, "MACs")
        offered.macToClient = try offer(.macToClient, preferences.macs, "MACs")
        offered.compressionToServer = ["none"]
        offered.compressionToClient = ["none"]
        observations.offer(offered)
    }

    /// - Parameter keyword: the list's name in ssh_config(5).
    private func offer(
        _ kind: LibrarySession.AlgorithmKind, _ wanted: [String], _ keyword: String
    ) throws(Fault) -> [String] {
        let list = library.offer(kind, wanted)
        guard !list.isEmpty else {
            throw Fault(
                .usage(field: keyword, problem: "libssh2 \(Library.version) supports none of \(wanted.joined(separator: ", "))"),
                stage: .local)
        }
        return list
    }
}

/// Which algorithms are offered in key exchange (RFC 4253 section 7.1), each list in order of preference.
///
/// The defaults are what OpenSSH 9.2 offers by default, as far as a libssh2 has it; only the algorithms of a list that the loaded
/// libssh2 has are offered. Its SHA-1 groups, MD5, arcfour, 3DES, CBC and DSS are offered only when they are asked for here.
public struct SSHAlgorithmPreferences: Sendable, Hashable {
    /// Key exchange methods.
    public var keyExchange = [
        "mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256",
        "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "diffie-hellman-group-exchange-sha256",
        "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512", "diffie-hellman-group14-sha256",
    ]
    /// Host key algorithms; those that known_hosts knows for a host are moved to the front.
    public var hostKey = [
        "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "rsa-sha2-512",
        "rsa-sha2-256",
    ]
    /// Ciphers, for both directions.
    ///
    /// Secure ciphers, ordered by their cost in libssh2: its AES-GCM is the slowest. `chacha20-poly1305@openssh.com` is among the
    /// defaults only with a libssh2 that survives a packet altered on the way (later than 1.11.1).
    public var ciphers = Self.defaultCiphers

    private static let defaultCiphers: [String] = {
        let others = ["aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-gcm@openssh.com", "aes256-gcm@openssh.com"]
        return LibraryVulnerability.isOpen(.chachaPacket) ? others : ["chacha20-poly1305@openssh.com"] + others
    }()

    /// MACs, for both directions.
    public var macs = [
        "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha1-etm@openssh.com", "hmac-sha2-256",
        "hmac-sha2-512", "hmac-sha1",
    ]

    /// The defaults, except for the given lists.
    public init(
        keyExchange: [String]? = nil, hostKey: [String]? = nil, ciphers: [String]? = nil, macs: [String]? = nil
    ) {
        if let keyExchange { self.keyExchange = keyExchange }
        if let hostKey { self.hostKey = hostKey }
        if let ciphers { self.ciphers = ciphers }
        if let macs { self.macs = macs }
    }
}
