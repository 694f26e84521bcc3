internal import CLibSSH2
internal import CPayloadTap

/// A LIBSSH2_SESSION with its allocator, its callbacks and the wire that they work on. Confined to its session.
///
/// libssh2 is called in this folder only. A call that may fail returns through ``LibraryResult``.
final class LibrarySession {
    /// No other folder uses it.
    let raw: OpaquePointer
    /// How many bytes libssh2's session has.
    private let size: Int
    let wire = Wire()
    let discarded = DiscardedPackets()
    /// The session's abstract, which the allocator and every callback are given.
    private let tap: UnsafeMutablePointer<bridge_tap>
    private var isFreed = false
    /// Whether the handshake has begun and waits for bytes.
    var isShakingHands = false
    /// Whether it is known how the server's packets are protected.
    private var knowsProtection = false
    /// The host key of the first key exchange, once its keys are in use.
    private var hostKey: [UInt8]?
    /// Answers the server's questions while keyboard-interactive is under way.
    private(set) var prompter: KeyboardInteractivePrompter?

    init() throws(Fault) {
        if let complaint = Library.complaint {
            throw Fault(.usage(field: "libssh2", problem: complaint), stage: .local)
        }
        guard Library.initialised == 0 else {
            throw Fault(.internalFailure(problem: "libssh2 could not be initialised"), stage: .local)
        }
        let places = try LibraryPlaces.find()
        tap = .allocate(capacity: 1)
        tap.initialize(to: bridge_tap())
        tap.pointee.places = places.forAllocator
        guard let raw = libssh2_session_init_ex(bridge_tap_alloc, bridge_tap_free, bridge_tap_realloc, tap) else {
            tap.deallocate()
            throw Fault(.internalFailure(problem: "libssh2 could not make a session"), stage: .local)
        }
        self.raw = raw
        size = bridge_tap_size(UnsafeRawPointer(raw))
        tap.pointee.session = UnsafeMutableRawPointer(raw)
        tap.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        tap.pointee.observe = Self.observe
        tap.pointee.describe = Self.describe
        tap.pointee.method = { session, type in libssh2_session_methods(session.map { OpaquePointer($0) }, type) }
        tap.pointee.cipher_method = LIBSSH2_METHOD_CRYPT_SC
        tap.pointee.mac_method = LIBSSH2_METHOD_MAC_SC
        tap.pointee.keys_changed = Self.keysChanged
        tap.pointee.compression_method = LIBSSH2_METHOD_COMP_CS
        tap.pointee.channel_number = Self.channelNumber
        _ = bridge_tap_give_back_zeros(UnsafeMutableRawPointer(raw))
        libssh2_session_set_blocking(raw, 0)
        // Deadlines are ours, and the time of day may be set meanwhile. Half of what there is, for libssh2 computes with it.
        bridge_set_read_timeout(raw, Int.max / 2)
        bridge_set_callbacks(raw, Self.receive, Self.send, Self.disconnected, Self.debugged, Self.macFailed)
        tap.pointee.slack = SessionBudget.slackBeforeAuthentication
        tap.pointee.reads_extensions = Library.readsExtensions ? 1 : 0
        allow(SessionBudget.beforeAuthentication)
    }

    deinit {
        free()
        tap.deallocate()
    }

    // MARK: Calls

    /// What a call on this session, or on one of its channels, returned.
    func result(_ returned: bridge_result) -> LibraryResult {
        LibraryResult(returned, in: raw, hasMetWrongMAC: hasMetWrongMAC)
    }

    // MARK: What libssh2 may hold

    /// How many bytes it holds, including the overhead of each block.
    var held: Int { tap.pointee.held }
    /// The limit on what it may hold.
    private(set) var budget = 0
    /// How many keepalives were sent: libssh2 keeps the answers.
    private(set) var keepaliveCount = 0

    /// One more was sent.
    func countKeepalive() { keepaliveCount += 1 }

    /// Nothing but data and answers comes from here on.
    func hasAuthenticated() { tap.pointee.slack = SessionBudget.slackAfterAuthentication }

    /// Allows it to hold this many bytes beside the session itself. Beyond that the session ends.
    func allow(_ count: Int) {
        guard count != budget else { return }
        budget = count
        tap.pointee.limit = count + size
    }

    /// The list of methods of key exchange has just been given to it.
    func noteMethods() { bridge_tap_note_methods(tap) }

    // MARK: What the allocator has refused

    /// The reason for which the allocator stopped a call: the session is lost.
    var violation: SSHProtocolViolation? {
        switch tap.pointee.refused {
        case bridge_tap_nothing_refused: nil
        case bridge_tap_over_limit: .unrequestedData(limit: budget)
        case bridge_tap_keys_refused: .hostKeyReplaced
        case bridge_tap_exchange_failed: .keyExchangeFailed
        case bridge_tap_questions_refused: .endlessQuestions(limit: PromptReaction.mostRounds)
        default: .malformedPacket
        }
    }

    /// Whether there is a refusal; checked all the time, so it is cheap.
    var isViolated: Bool { tap.pointee.refused != bridge_tap_nothing_refused }

    /// Whether the last packet was longer than any that libssh2 takes, of which it says different things in different calls.
    var hasMetEndlessPacket: Bool {
        assert(!isFreed)
        guard tap.pointee.places.knows_packet_length == 1 else { return false }
        return UnsafeRawPointer(raw).load(fromByteOffset: tap.pointee.places.packet_length_offset, as: UInt32.self) > 40_000
    }

    /// Whether the system had no memory for libssh2. Where it had, and libssh2 says the contrary, it has not even asked for as much as
    /// a packet claims to hold (1.11, packet.c: the name in exit-signal).
    var isExhausted: Bool { tap.pointee.is_exhausted != 0 }

    /// Whether a packet's MAC was wrong, which ends the session, and of which libssh2 says different things in different calls.
    private(set) var hasMetWrongMAC = false

    /// Keyboard-interactive is under way, whose messages libssh2 reads with less care than others.
    func beginQuestions(_ prompter: @escaping KeyboardInteractivePrompter) {
        self.prompter = prompter
        tap.pointee.questions = bridge_questions_to_send
    }

    func endQuestions() {
        prompter = nil
        tap.pointee.questions = bridge_questions_none
    }

    /// The answers to a server's questions are ready to be sent.
    static func answered(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        tap(abstract)?.pointee.questions = bridge_questions_to_send
    }

    /// No answer is sent any more: the session is ending.
    static func refuseQuestions(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let tap = tap(abstract), tap.pointee.refused == bridge_tap_nothing_refused else { return }
        tap.pointee.refused = bridge_tap_questions_refused
    }

    /// libssh2 changes to another algorithm before the new keys are in use: what it then reads is not what was sent. So the first
    /// algorithms are the last.
    private func layout(cipher: UnsafePointer<CChar>, mac: UnsafePointer<CChar>) -> bridge_packet_layout? {
        guard !knowsProtection else { return nil }
        knowsProtection = true
        return PacketProtection.layout(cipher: String(cString: cipher), mac: String(cString: mac))
    }

    /// The host key that libssh2 verified last (RFC 4253 section 8); empty before the first.
    var presentedHostKey: [UInt8] {
        assert(!isFreed)
        var length = 0
        var type: Int32 = 0
        guard let key = libssh2_session_hostkey(raw, &length, &type), length > 0 else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: key, count: length))
    }

    /// - Returns: whether the host key is still the one that was checked against known_hosts.
    private func hasSameHostKey() -> Bool {
        let presented = presentedHostKey
        if let hostKey { return hostKey == presented }
        hostKey = presented
        return true
    }

    private static let describe: bridge_tap_describe = { owner, cipher, mac, layout in
        guard let owner, let cipher, let mac, let known = session(owner).layout(cipher: cipher, mac: mac) else { return 1 }
        layout?.pointee = known
        return 0
    }

    private static let keysChanged: bridge_tap_keys_changed = { owner in
        guard let owner else { return 1 }
        return session(owner).hasSameHostKey() ? 0 : 1
    }

    private static let channelNumber: bridge_tap_number = { owner, ours in
        owner.flatMap { session($0).discarded.serverNumber(of: ours) } ?? ours
    }

    /// Notes the server's banners that have come and that no call has asked for (RFC 4252 section 5.4).
    func noteHeldBanners() {
        assert(!isFreed)
        bridge_tap_show_held(tap, 53)
    }

    // MARK: The end

    /// Frees the session. The tap sees every packet that had not been asked for, such as a banner that came last. No call of libssh2 may follow.
    func free() {
        guard !isFreed else { return }
        // With the end of the stream reported no call asks for more, so channels that are still open do not hold it up.
        wire.shut()
        endHandshake()
        while libssh2_session_free(raw) == LIBSSH2_ERROR_EAGAIN {}
        bridge_tap_release_blocks(tap)
        isFreed = true
    }

    // MARK: Callbacks

    private static func session(_ owner: UnsafeMutableRawPointer) -> LibrarySession {
        Unmanaged<LibrarySession>.fromOpaque(owner).takeUnretainedValue()
    }

    private static func tap(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> UnsafeMutablePointer<bridge_tap>? {
        abstract?.pointee?.assumingMemoryBound(to: bridge_tap.self)
    }

    /// The session behind a callback's abstract.
    static func session(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> LibrarySession? {
        tap(abstract)?.pointee.owner.map { session($0) }
    }

    private static let observe: bridge_tap_observer = { owner, payload, length in
        guard let owner, let payload else { return }
        session(owner).discarded.released(UnsafeRawBufferPointer(start: payload, count: length))
    }

    private static let receive: bridge_receive = { _, buffer, length, _, abstract in
        guard let tap = tap(abstract), let wire = session(abstract)?.wire, let buffer else { return -Int(Errno.io) }
        bridge_tap_progress(tap)
        var target = UnsafeMutableRawBufferPointer(start: buffer, count: length)
        guard tap.pointee.reads_extensions == 1, wire.inboundCount > 0 else { return wire.read(into: target) }
        let isEnciphered = wire.clearCount == 0
        let room = isEnciphered ? bridge_tap_room(tap, length) : min(length, wire.clearCount)
        guard room > 0 else { return wire.reportsEnd ? 0 : -Int(Errno.io) }
        target = UnsafeMutableRawBufferPointer(rebasing: target[..<room])
        let count = wire.read(into: target)
        if isEnciphered { bridge_tap_gave(tap, count) }
        return count
    }

    private static let send: bridge_send = { _, buffer, length, _, abstract in
        // After a refusal nothing more is sent, least of all to a server whose host key has changed.
        guard let tap = tap(abstract), tap.pointee.refused == bridge_tap_nothing_refused || isParting(tap) else {
            return -Int(Errno.io)
        }
        guard let wire = session(abstract)?.wire, let buffer else { return -Int(Errno.io) }
        return wire.write(UnsafeRawBufferPointer(start: buffer, count: length))
    }

    /// Whether the session is being freed: what is written then goes nowhere, and libssh2 is not to be held up by it.
    private static func isParting(_ tap: UnsafeMutablePointer<bridge_tap>) -> Bool {
        tap.pointee.owner.map { session($0).wire.reportsEnd } ?? false
    }

    private static let disconnected: bridge_disconnect = { _, reason, message, length, _, _, abstract in
        session(abstract)?.discarded.disconnected(reason: reason, message: text(message, length, longest: 1024))
    }

    private static let debugged: bridge_debug = { _, _, message, length, _, _, abstract in
        session(abstract)?.discarded.debugged(text(message, length, longest: 512))
    }

    /// A packet whose MAC is wrong is about to be freed: the tap must not believe it. 0 would make libssh2 take it.
    private static let macFailed: bridge_mac_error = { _, packet, _, abstract in
        guard let tap = tap(abstract) else { return 1 }
        tap.pointee.rejected = UnsafeRawPointer(packet)
        if let owner = tap.pointee.owner { session(owner).hasMetWrongMAC = true }
        return 1
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int32, longest: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(Int(length), longest)), as: UTF8.self)
    }
}
