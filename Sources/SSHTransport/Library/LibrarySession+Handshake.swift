internal import CLibSSH2
internal import Synchronization

/// Key exchange: what is offered, the exchange, and what was agreed on.
extension LibrarySession {
    /// Algorithms of one kind.
    struct AlgorithmKind {
        fileprivate let method: Int32

        static let keyExchange = AlgorithmKind(method: LIBSSH2_METHOD_KEX)
        static let hostKey = AlgorithmKind(method: LIBSSH2_METHOD_HOSTKEY)
        static let cipherToServer = AlgorithmKind(method: LIBSSH2_METHOD_CRYPT_CS)
        static let cipherToClient = AlgorithmKind(method: LIBSSH2_METHOD_CRYPT_SC)
        static let macToServer = AlgorithmKind(method: LIBSSH2_METHOD_MAC_CS)
        static let macToClient = AlgorithmKind(method: LIBSSH2_METHOD_MAC_SC)
    }

    /// The identification exchange, key exchange and the request for the authentication service.
    func handshake() -> LibraryResult {
        // libssh2 refuses -1 and changes the flags of a real descriptor; -2 it only hands back to the callbacks.
        let result = result(bridge_session_handshake(raw, -2))
        isShakingHands = if case .again = result { true } else { false }
        return result
    }

    /// Lets a handshake that waits for bytes meet the end of the stream. libssh2_session_free forgets the numbers of a key exchange,
    /// the private one among them, which libcrypto holds; the exchange frees them itself when it fails.
    func endHandshake() {
        guard isShakingHands else { return }
        wire.dropInbound()
        // Each call takes it further: it waits for nothing any more.
        var callsLeft = 8
        while isShakingHands, callsLeft > 0 {
            _ = handshake()
            callsLeft -= 1
        }
    }

    /// The negotiated algorithm of a kind, by libssh2's own name (libssh2_session_methods).
    func negotiated(_ kind: AlgorithmKind) -> String {
        libssh2_session_methods(raw, kind.method).map { String(cString: $0) } ?? ""
    }

    /// Offers no other algorithm of a kind from here on.
    func keep(_ kind: AlgorithmKind, _ name: String) { _ = result(bridge_session_method_pref(raw, kind.method, name)) }

    /// Offers those that the loaded library can do of what is wanted.
    ///
    /// - Returns: what is offered; empty for nothing, which is not done.
    func offer(_ kind: AlgorithmKind, _ wanted: [String]) -> [String] {
        let (list, joined) = offerable(kind.method, wanted)
        guard !list.isEmpty, case .success = result(bridge_session_method_pref(raw, kind.method, joined)) else { return [] }
        if kind.method == LIBSSH2_METHOD_KEX { noteMethods() }
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
