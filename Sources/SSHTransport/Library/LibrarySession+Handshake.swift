internal import CLibSSH2
internal import NIOCore
internal import Synchronization

/// Key exchange: the offers, the exchange, and the agreed algorithms.
extension LibrarySession {
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

    /// Reports the end of the stream to a handshake that waits for bytes. libssh2_session_free leaks the key exchange's numbers
    /// in libcrypto, the private one among them; a failing exchange frees them itself.
    func endHandshake() {
        guard isShakingHands else { return }
        wire.dropInbound()
        // Each call makes progress: it no longer waits for bytes.
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

    /// Offers only this algorithm of a kind from now on.
    func keep(_ kind: AlgorithmKind, _ name: String) { _ = result(bridge_session_method_pref(raw, kind.method, name)) }

    /// Offers the wanted algorithms that the loaded library supports.
    ///
    /// - Returns: the offered algorithms; empty if the library supports none. Then nothing is changed.
    func offer(_ kind: AlgorithmKind, _ wanted: [String]) -> [String] {
        let (list, joined) = offerable(kind.method, wanted)
        guard !list.isEmpty, case .success = result(bridge_session_method_pref(raw, kind.method, joined)) else { return [] }
        if kind.method == LIBSSH2_METHOD_KEX { noteMethods() }
        return list
    }

    /// The wanted algorithms that the loaded library supports, also as a name-list (RFC 4251 section 5). Many sessions want the
    /// same, so the last result for each kind is cached.
    private func offerable(_ method: Int32, _ wanted: [String]) -> (list: [String], joined: String) {
        if let last = Self.lastOffered.withLock({ $0[method] }), last.wanted == wanted { return (last.list, last.joined) }
        let list = wanted.filter { supported(method).contains($0) && mayOffer($0) }
        let joined = list.joined(separator: ",")
        Self.lastOffered.withLock { $0[method] = (wanted, list, joined) }
        return (list, joined)
    }

    /// With encrypt-then-MAC the padding length is checked in libssh2's session, if its offset is known.
    private func mayOffer(_ name: String) -> Bool {
        !name.hasSuffix("-etm@openssh.com") || LibraryPacketLocations.found?.packetLengthOffset != nil
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

/// A server's unencrypted bytes: its identification line and the first packets. All of them are checked before libssh2 gets
/// them.
struct ServerOpening {
    private(set) var filter = IdentificationFilter(maximumIdentificationLength: Library.maximumIdentificationLength)
    private(set) var outcome = IdentificationFilter.Outcome.more
    private(set) var keyExchangeBegun = false
    /// The unencrypted packets after the identification line.
    private(set) var packets = OpeningPackets(refusesClientSigns: Library.readsExtensions)
    private var reply = HostKeyReply()
    /// The server's violation in an unencrypted packet. libssh2 does not get that packet.
    private(set) var violation: SSHProtocolViolation?

    /// Whether all further bytes are encrypted, so that nothing is left to check here.
    var hasEnded: Bool { packets.hasEnded && violation == nil }

    /// The bytes that libssh2 may get, and how many of them come before the encrypted ones.
    typealias LibraryBytes = (bytes: ByteBuffer, clearCount: Int)

    /// Takes what has arrived.
    mutating func take(_ buffer: ByteBuffer) -> [LibraryBytes] {
        if case .found = outcome { return takePackets(buffer).map { [$0] } ?? [] }
        guard outcome == .more else { return [] }
        outcome = filter.take(buffer.readableBytesView)
        guard case .found(let rest) = outcome else { return [] }
        let identification = filter.identificationForLibrary
        let line = LibraryBytes(ByteBuffer(bytes: identification), identification.count)
        var tail = buffer
        tail.moveReaderIndex(forwardBy: rest)
        return [line] + (takePackets(tail).map { [$0] } ?? [])
    }

    private mutating func takePackets(_ buffer: ByteBuffer) -> LibraryBytes? {
        guard buffer.readableBytes > 0, violation == nil else { return nil }
        keyExchangeBegun = true
        guard !packets.hasEnded else { return (buffer, 0) }
        violation = packets.take(buffer.readableBytesView)
        guard violation == nil else { return nil }
        var enciphered = buffer
        guard let clear = enciphered.readSlice(length: buffer.readableBytes - packets.encipheredCount) else { return nil }
        var shown = reply.take(clear)
        let clearCount = shown.readableBytes
        if packets.encipheredCount > 0 { shown.writeImmutableBuffer(enciphered) }
        return (shown, clearCount)
    }

    /// The stream has ended.
    mutating func finish() { filter.finish() }
}
