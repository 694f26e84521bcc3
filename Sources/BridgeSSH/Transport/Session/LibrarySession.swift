internal import CLibSSH2
internal import CPayloadTap

/// A LIBSSH2_SESSION with its allocator, its callbacks and the wire that they work on. Confined to its session.
final class LibrarySession {
    let raw: OpaquePointer
    let wire = Wire()
    /// The session's abstract, which the allocator and every callback are given.
    private let tap: UnsafeMutablePointer<bridge_tap>
    private var isFreed = false

    init() throws(Fault) {
        tap = .allocate(capacity: 1)
        tap.initialize(to: bridge_tap())
        tap.pointee.owner = Unmanaged.passUnretained(wire).toOpaque()
        tap.pointee.observe = Self.observe
        guard Library.initialised == 0,
            let raw = libssh2_session_init_ex(bridge_tap_alloc, bridge_tap_free, bridge_tap_realloc, tap)
        else {
            tap.deallocate()
            throw Fault(.internalFailure(problem: "libssh2 could not make a session"), stage: .local)
        }
        self.raw = raw
        _ = bridge_tap_give_back_zeros(UnsafeMutableRawPointer(raw))
        libssh2_session_set_blocking(raw, 0)
        bridge_set_callbacks(raw, Self.receive, Self.send, Self.disconnected, Self.debugged, Self.macFailed)
    }

    deinit {
        free()
        tap.deallocate()
    }

    /// Whether the allocator stopped a call because a packet cannot be deciphered.
    var hasMetBadPacket: Bool { tap.pointee.refused != 0 }

    /// Tells the allocator what packets from the server will look like, before the first of them can come.
    func expect(_ protection: PacketProtection) {
        tap.pointee.cipher_block = protection.cipherBlock
        tap.pointee.mac_length = protection.macLength
    }

    /// Frees the session. The tap sees every packet that nobody had asked for, such as the banner that a server sends
    /// before it turns an account away. No call of libssh2 may follow.
    func free() {
        guard !isFreed else { return }
        isFreed = true
        // With the end of the stream reported no call asks for more, so channels that are still open do not hold it up.
        wire.reportsEnd = true
        while libssh2_session_free(raw) == LIBSSH2_ERROR_EAGAIN {}
    }

    private static func tap(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> UnsafeMutablePointer<bridge_tap>? {
        abstract?.pointee?.assumingMemoryBound(to: bridge_tap.self)
    }

    /// The wire behind a callback's abstract.
    static func wire(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Wire? {
        tap(abstract)?.pointee.owner.map { Unmanaged<Wire>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let observe: bridge_tap_observer = { owner, payload, length in
        guard let owner, let payload else { return }
        Unmanaged<Wire>.fromOpaque(owner).takeUnretainedValue().released(
            UnsafeRawBufferPointer(start: payload, count: length))
    }

    private static let receive: bridge_receive = { _, buffer, length, _, abstract in
        tap(abstract).map { bridge_tap_progress($0) }
        guard let wire = wire(abstract), let buffer else { return -Int(Errno.io) }
        return wire.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
    }

    private static let send: bridge_send = { _, buffer, length, _, abstract in
        guard let wire = wire(abstract), let buffer else { return -Int(Errno.io) }
        return wire.write(UnsafeRawBufferPointer(start: buffer, count: length))
    }

    private static let disconnected: bridge_disconnect = { _, reason, message, length, _, _, abstract in
        wire(abstract)?.disconnected(reason: reason, message: text(message, length, longest: 1024))
    }

    private static let debugged: bridge_debug = { _, _, message, length, _, _, abstract in
        wire(abstract)?.debugged(text(message, length, longest: 512))
    }

    /// A packet whose MAC is wrong is about to be freed: the tap must not believe it. 0 would make libssh2 take it.
    private static let macFailed: bridge_mac_error = { _, packet, _, abstract in
        tap(abstract)?.pointee.rejected = UnsafeRawPointer(packet)
        return 1
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int32, longest: Int) -> String {
        guard let start, length > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: min(Int(length), longest)), as: UTF8.self)
    }
}
