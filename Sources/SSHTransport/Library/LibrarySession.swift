internal import CLibSSH2
internal import CPayloadTap

/// A LIBSSH2_SESSION with its allocator, its callbacks and the wire that they work on. Confined to its session.
///
/// libssh2 is called in this folder only. A call that may fail returns through ``LibraryResult``.
final class LibrarySession {
    /// No other folder uses it.
    let raw: OpaquePointer
    /// The size of libssh2's session, in bytes.
    private let size: Int
    let wire = Wire()
    let discarded = DiscardedPackets()
    /// The session's abstract, which libssh2 passes to the allocator and every callback.
    let tap: UnsafeMutablePointer<bridge_tap>
    private(set) var isFreed = false
    /// Whether the handshake has begun and waits for bytes.
    var isShakingHands = false
    /// Whether the protection of the server's packets is known.
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
        let places = try LibraryPacketLocations.find()
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
        // This client has its own deadlines, and the system clock may be changed. Half of the maximum, because libssh2 computes
        // with it.
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

    /// The result of a call on this session, or on one of its channels.
    func result(_ returned: bridge_result) -> LibraryResult {
        LibraryResult(returned, in: raw, hasSeenWrongMAC: hasSeenWrongMAC)
    }

    // MARK: libssh2's memory

    /// The number of bytes that it holds, including the overhead of each block.
    var held: Int { tap.pointee.held }
    /// The limit on what it may hold.
    private(set) var budget = 0
    /// The number of keepalives that were sent; libssh2 keeps the answers.
    private(set) var keepaliveCount = 0

    /// A keepalive was sent.
    func countKeepalive() { keepaliveCount += 1 }

    /// The user is authenticated: from now on only data and answers come.
    func hasAuthenticated() { tap.pointee.slack = SessionBudget.slackAfterAuthentication }

    /// Allows libssh2 to hold this many bytes besides the session itself. Beyond that the session ends.
    func allow(_ count: Int) {
        guard count != budget else { return }
        budget = count
        tap.pointee.limit = count + size
    }

    /// libssh2 has just received the list of key exchange methods.
    func noteMethods() { bridge_tap_note_methods(tap) }

    // MARK: Refusals of the allocator

    /// The reason why the allocator stopped a call, or a message that libssh2 let pass. The session is lost then.
    var violation: SSHProtocolViolation? {
        switch tap.pointee.refused {
        case bridge_tap_nothing_refused: discarded.violation
        case bridge_tap_over_limit: .unrequestedData(limit: budget)
        case bridge_tap_keys_refused: .hostKeyReplaced
        case bridge_tap_exchange_failed: .keyExchangeFailed
        case bridge_tap_questions_refused: .endlessQuestions(limit: PromptReaction.maximumRounds)
        default: .malformedPacket
        }
    }

    /// Whether there is a ``violation``. This is checked often, so it must be cheap.
    var isViolated: Bool { tap.pointee.refused != bridge_tap_nothing_refused || discarded.violation != nil }

    /// Whether the last packet was longer than libssh2's maximum. libssh2 reports this differently in different calls.
    var hasSeenEndlessPacket: Bool {
        assert(!isFreed)
        guard tap.pointee.places.knows_packet_length == 1 else { return false }
        return UnsafeRawPointer(raw).load(fromByteOffset: tap.pointee.places.packet_length_offset, as: UInt32.self) > 40_000
    }

    /// Whether the system had no memory for libssh2. Otherwise an allocation failure means that libssh2 did not even ask for
    /// the length that a packet claims (1.11, packet.c: the name in exit-signal).
    var isExhausted: Bool { tap.pointee.is_exhausted != 0 }

    /// Whether a packet's MAC was wrong, which ends the session. libssh2 reports this differently in different calls.
    private(set) var hasSeenWrongMAC = false

    /// Keyboard-interactive is under way. libssh2 checks its messages less carefully than others.
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

    /// Stops sending answers: the session is ending.
    static func refuseQuestions(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let tap = tap(abstract), tap.pointee.refused == bridge_tap_nothing_refused else { return }
        tap.pointee.refused = bridge_tap_questions_refused
    }

    /// libssh2 would change to another algorithm before the new keys are in use, and would misread the server's packets. So the
    /// first algorithms stay.
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

    /// Notes the server's banners that no call has asked for (RFC 4252 section 5.4).
    func noteHeldBanners() {
        assert(!isFreed)
        bridge_tap_show_held(tap, 53)
    }

    // MARK: The end

    /// Frees the session. The tap sees every packet that had not been asked for, such as a banner that came last. No call of
    /// libssh2 may follow.
    func free() {
        guard !isFreed else { return }
        // After the end of the stream no call waits for bytes, so open channels do not delay this.
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
        let isEncrypted = wire.clearCount == 0
        let space = isEncrypted ? bridge_tap_space(tap, length) : min(length, wire.clearCount)
        guard space > 0 else { return wire.reportsEnd ? 0 : -Int(Errno.io) }
        target = UnsafeMutableRawBufferPointer(rebasing: target[..<space])
        let count = wire.read(into: target)
        if isEncrypted { bridge_tap_gave(tap, count) }
        return count
    }

    private static let send: bridge_send = { _, buffer, length, _, abstract in
        // After a refusal nothing is sent: the server's host key may have changed.
        guard let tap = tap(abstract), tap.pointee.refused == bridge_tap_nothing_refused || isParting(tap) else {
            return -Int(Errno.io)
        }
        guard let wire = session(abstract)?.wire, let buffer else { return -Int(Errno.io) }
        return wire.write(UnsafeRawBufferPointer(start: buffer, count: length))
    }

    /// Whether the session is being freed. Written bytes are dropped then, so that libssh2 does not wait.
    private static func isParting(_ tap: UnsafeMutablePointer<bridge_tap>) -> Bool {
        tap.pointee.owner.map { session($0).wire.reportsEnd } ?? false
    }

    private static let disconnected: bridge_disconnect = { _, reason, message, length, _, _, abstract in
        session(abstract)?.discarded.disconnected(reason: reason, message: text(message, length, maximumLength: 1024))
    }

    private static let debugged: bridge_debug = { _, _, message, length, _, _, abstract in
        session(abstract)?.discarded.debugged(text(message, length, maximumLength: 512))
    }

    /// libssh2 is about to free a packet whose MAC is wrong: the tap must not trust it. A result of 0 would make libssh2 accept
    /// it.
    private static let macFailed: bridge_mac_error = { _, packet, _, abstract in
        guard let tap = tap(abstract) else { return 1 }
        tap.pointee.rejected = UnsafeRawPointer(packet)
        if let owner = tap.pointee.owner { session(owner).hasSeenWrongMAC = true }
        return 1
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int32, maximumLength: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(Int(length), maximumLength)), as: UTF8.self)
    }
}

/// Channels (RFC 4254), keepalives and SSH_MSG_DISCONNECT.
extension LibrarySession {
    /// Opens a session channel (RFC 4254 section 6.1) with packets of 32 KiB.
    ///
    /// - Parameter opened: called with the channel on success.
    func openSessionChannel(window: Int, _ opened: (LibraryChannel) -> Void) -> LibraryResult {
        channelResult(bridge_channel_open_ex(raw, "session", 7, UInt32(window), UInt32(LibraryChannel.readLength)), opened)
    }

    /// Opens a channel to a host that the server resolves itself (RFC 4254 section 7.2), with libssh2's default window, 2 MiB.
    ///
    /// - Parameter opened: called with the channel on success.
    func openTunnel(to host: String, port: Int, _ opened: (LibraryChannel) -> Void) -> LibraryResult {
        // No accepted connection is forwarded, so there is no originator address: these are the values that ssh(1) sends for
        // -W.
        channelResult(bridge_channel_direct_tcpip_ex(raw, host, Int32(port), "127.0.0.1", 65535), opened)
    }

    private func channelResult(_ made: bridge_made_channel, _ opened: (LibraryChannel) -> Void) -> LibraryResult {
        let result = result(made.result)
        if let channel = made.channel { opened(LibraryChannel(channel, in: self)) }
        return result
    }

    /// Makes libssh2 send a keepalive at each call of ``sendKeepalive()``, and ask for an answer.
    ///
    /// The caller's timer decides when. libssh2's own interval is in whole seconds of the system clock, at least two
    /// (keepalive.c: `libssh2_keepalive_config`): it would skip some keepalives, which would then count as unanswered. It keeps
    /// the interval in an `int`, so this value means that the next keepalive was due long ago.
    func configureKeepalives() { libssh2_keepalive_config(raw, 1, UInt32(bitPattern: .min)) }

    /// Sends a keepalive. During a key re-exchange libssh2 sends none; silence counts then too.
    func sendKeepalive() {
        var next: Int32 = 0
        _ = result(bridge_keepalive_send(raw, &next))
        countKeepalive()
    }

    /// Sends SSH_MSG_DISCONNECT, by application.
    func disconnect() { _ = result(bridge_session_disconnect_ex(raw, 11, "disconnected by user", "")) }
}

/// The number of bytes that libssh2 may hold for a session, besides the session itself.
///
/// libssh2 keeps every packet that no call asks for, without a limit. Only these may wait legitimately: unread output within
/// the windows, and answers to this client's messages.
enum SessionBudget {
    /// Until the user is authenticated there is no window.
    static let beforeAuthentication = 1 << 20
    /// Bytes that may be held besides the windows. libssh2 keeps about 200 bytes for each packet, so small packets take a
    /// multiple of the window that they use.
    static let margin = 8 << 20
    /// Bytes that may be held when all output has been read: needless packets, which every read searches.
    static let idle = 1 << 20
    /// Further bytes for each channel.
    static let channel = 4096
    /// While output waits for a slow reader, reading from the server stops this many bytes below the limit. One read cannot
    /// cause libssh2 to hold more than that.
    static let reserve = 5 << 20
    /// The answer to a keepalive, which libssh2 keeps forever.
    static let keepaliveAnswer = 512
    /// The number of zero bytes behind a packet. libssh2 reads fields of fixed size without checking the packet's end, and 1.10
    /// reads a question's title (RFC 4256 section 3.2) by the length that the packet claims.
    static let slackBeforeAuthentication = 4096
    static let slackAfterAuthentication = 64
    /// The most bytes that may wait to be sent: more than this client's own writes can add up to.
    static let unsent = 4 << 20

    /// - Parameters:
    ///   - windows: the bytes that the server may send unasked, over all channels.
    ///   - keepalives: the number of keepalives that were sent.
    static func afterAuthentication(windows: Int, keepalives: Int) -> Int {
        beforeAuthentication + margin + windows + keepalives * keepaliveAnswer
    }
}
