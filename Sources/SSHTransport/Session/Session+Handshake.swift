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
