internal import CLibSSH2
internal import Synchronization

extension Session {
    /// The identification exchange, key exchange and the request for the authentication service.
    ///
    /// - Returns: the server's host key, whose possession libssh2 has verified (RFC 4253 section 8).
    package func handshake(_ preferences: AlgorithmPreferences) async throws(Fault) -> HostKey {
        try offer(preferences)
        let raw = raw
        // libssh2 refuses -1 and changes the flags of a real descriptor; -2 it only hands back to the callbacks.
        _ = try await perform("libssh2_session_handshake", exclusive: true, nextStage: { .authentication }) {
            Int(libssh2_session_handshake(raw, -2))
        }
        let chosen = chosen()
        chosenAlgorithms = chosen
        keep(chosen)
        let blob = library.presentedHostKey
        guard blob.count > 4 else { throw Fault(.internalFailure(problem: "libssh2 has no host key after key exchange")) }
        let nameLength = blob[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard 4 + nameLength <= blob.count else { throw Fault(.internalFailure(problem: "the host key has no type")) }
        return HostKey(algorithm: String(decoding: blob[4..<(4 + nameLength)], as: UTF8.self), blob: blob)
    }

    /// The algorithms that libssh2 negotiated, by its own names (libssh2_session_methods).
    private func chosen() -> ChosenAlgorithms {
        func name(_ method: Int32) -> String { libssh2_session_methods(raw, method).map { String(cString: $0) } ?? "" }
        // libssh2 names a MAC for every cipher, used or not.
        func mac(_ method: Int32, beside cipher: String) -> String? {
            AlgorithmAgreement.authenticatesByItself(cipher) ? nil : name(method)
        }
        var chosen = ChosenAlgorithms()
        chosen.keyExchange = name(LIBSSH2_METHOD_KEX)
        chosen.hostKey = name(LIBSSH2_METHOD_HOSTKEY)
        chosen.cipherToServer = name(LIBSSH2_METHOD_CRYPT_CS)
        chosen.cipherToClient = name(LIBSSH2_METHOD_CRYPT_SC)
        chosen.macToServer = mac(LIBSSH2_METHOD_MAC_CS, beside: chosen.cipherToServer)
        chosen.macToClient = mac(LIBSSH2_METHOD_MAC_SC, beside: chosen.cipherToClient)
        return chosen
    }

    /// Offers nothing else from here on. In a key re-exchange libssh2 uses the negotiated algorithms before the new keys are in
    /// use: with another cipher or MAC it would misread what arrives.
    private func keep(_ chosen: ChosenAlgorithms) {
        var methods = [
            (LIBSSH2_METHOD_HOSTKEY, chosen.hostKey), (LIBSSH2_METHOD_CRYPT_CS, chosen.cipherToServer),
            (LIBSSH2_METHOD_CRYPT_SC, chosen.cipherToClient),
        ]
        if let mac = chosen.macToServer { methods.append((LIBSSH2_METHOD_MAC_CS, mac)) }
        if let mac = chosen.macToClient { methods.append((LIBSSH2_METHOD_MAC_SC, mac)) }
        for (method, name) in methods { libssh2_session_method_pref(raw, method, name) }
    }

    private func offer(_ preferences: AlgorithmPreferences) throws(Fault) {
        var offered = AlgorithmLists()
        offered.keyExchange = try prefer(LIBSSH2_METHOD_KEX, preferences.keyExchange, "key exchange method")
        offered.hostKey = try prefer(LIBSSH2_METHOD_HOSTKEY, preferences.hostKey, "host key algorithm")
        offered.cipherToServer = try prefer(LIBSSH2_METHOD_CRYPT_CS, preferences.ciphers, "cipher")
        offered.cipherToClient = try prefer(LIBSSH2_METHOD_CRYPT_SC, preferences.ciphers, "cipher")
        offered.macToServer = try prefer(LIBSSH2_METHOD_MAC_CS, preferences.macs, "MAC")
        offered.macToClient = try prefer(LIBSSH2_METHOD_MAC_SC, preferences.macs, "MAC")
        offered.compressionToServer = ["none"]
        offered.compressionToClient = ["none"]
        clientAlgorithms = offered
    }

    private func prefer(_ method: Int32, _ wanted: [String], _ what: String) throws(Fault) -> [String] {
        let (list, joined) = offerable(method, wanted)
        guard !list.isEmpty, libssh2_session_method_pref(raw, method, joined) == 0 else {
            throw Fault(
                .usage(field: what, problem: "libssh2 \(Library.version) has none of \(wanted.joined(separator: ", "))"),
                stage: .local)
        }
        return list
    }

    /// What the loaded library can do of what is wanted, and the same as a name-list (RFC 4251 section 5). Many sessions want the
    /// same: what was asked last for each kind is remembered.
    private func offerable(_ method: Int32, _ wanted: [String]) -> (list: [String], joined: String) {
        if let last = Self.lastOffered.withLock({ $0[method] }), last.wanted == wanted { return (last.list, last.joined) }
        let list = wanted.filter { supported(method).contains($0) && mayOffer($0) }
        let joined = list.joined(separator: ",")
        Self.lastOffered.withLock { $0[method] = (wanted, list, joined) }
        return (list, joined)
    }

    /// With encrypt-then-MAC the padding's length is checked in libssh2's session, if it is known where that is.
    private func mayOffer(_ name: String) -> Bool {
        !name.hasSuffix("-etm@openssh.com") || LibraryPlaces.found?.packetLengthOffset != nil
    }

    private static let lastOffered = Mutex<[Int32: (wanted: [String], list: [String], joined: String)]>([:])

    /// The algorithms of the loaded library are the same for every session: ask once.
    private func supported(_ method: Int32) -> Set<String> {
        Self.supported.withLock { known in
            if let names = known[method] { return names }
            var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            let count = libssh2_session_supported_algs(raw, method, &names)
            guard count > 0, let names else { return [] }
            defer { libssh2_free(raw, names) }
            let result = Set((0..<Int(count)).compactMap { names[$0].map { String(cString: $0) } })
            known[method] = result
            return result
        }
    }

    private static let supported = Mutex<[Int32: Set<String>]>([:])
}
