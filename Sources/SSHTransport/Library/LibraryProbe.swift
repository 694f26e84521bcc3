internal import CLibSSH2
internal import CPayloadTap
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where the loaded libssh2 allocates packets and keeps a packet's length. The guard of its allocator needs both.
///
/// They depend on the build of libssh2 alone. They are found once per process, by feeding two known packets to libssh2. No
/// server's data is involved.
struct LibraryPacketLocations: Sendable {
    /// The return address of the call that requests a packet's block.
    let packetSite: UInt
    /// The offset in libssh2's session of the last packet's length, followed by its padding length; nil if it is uncertain.
    let packetLengthOffset: Int?

    private static let known = Mutex<LibraryPacketLocations?>(nil)

    /// Finds the locations, unless they are known.
    ///
    /// - Throws: if they cannot be found. Then a server's packets could not be checked, and no session may begin.
    static func find() throws(Fault) -> LibraryPacketLocations {
        if let places = known.withLock({ $0 }) { return places }
        let places = try LibraryProbe().find()
        known.withLock { $0 = places }
        return places
    }

    /// The locations that were found; nil before the first session.
    static var found: LibraryPacketLocations? { known.withLock { $0 } }

    /// The locations in the form that the allocator takes.
    var forAllocator: bridge_tap_places {
        bridge_tap_places(
            packet_site: UnsafeRawPointer(bitPattern: packetSite), packet_length_offset: packetLengthOffset ?? 0,
            knows_packet_length: packetLengthOffset == nil ? 0 : 1)
    }
}

/// A session of its own that finds the locations.
private final class LibraryProbe {
    /// An unencrypted packet that libssh2 discards at once: SSH_MSG_CHANNEL_EOF for an unknown channel. Nothing else in a
    /// session has its lengths.
    private struct Packet {
        let length: UInt32
        let padding: UInt8

        var bytes: [UInt8] {
            let payload: [UInt8] = [96, 0xff, 0xff, 0xff, 0xff]
            let head = withUnsafeBytes(of: length.bigEndian) { Array($0) } + [padding] + payload
            return head + [UInt8](repeating: 0, count: 4 + Int(length) - head.count)
        }
    }
    private static let packets = [Packet(length: 7916, padding: 0xa7), Packet(length: 5164, padding: 0x5d)]

    private let raw: OpaquePointer
    private let tap: UnsafeMutablePointer<bridge_tap>
    private var input: ArraySlice<UInt8> = []
    private var sites: [UnsafeRawPointer?] = []
    private var sizes: [Int] = []

    init() throws(Fault) {
        tap = .allocate(capacity: 1)
        tap.initialize(to: bridge_tap())
        guard let raw = libssh2_session_init_ex(bridge_tap_alloc, bridge_tap_free, bridge_tap_realloc, tap) else {
            tap.deallocate()
            throw Self.unusableLibrary
        }
        self.raw = raw
        tap.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        tap.pointee.observe = { owner, payload, _ in
            guard let owner, let payload, payload.pointee == 96 else { return }
            let probe = Unmanaged<LibraryProbe>.fromOpaque(owner).takeUnretainedValue()
            probe.sites.append(bridge_tap_site(payload))
            probe.sizes.append(bridge_tap_size(payload))
        }
        libssh2_session_set_blocking(raw, 0)
        bridge_set_callbacks(
            raw, Self.receive, { _, _, length, _, _ in length }, { _, _, _, _, _, _, _ in }, { _, _, _, _, _, _, _ in },
            { _, _, _, _ in 1 })
    }

    deinit {
        while libssh2_session_free(raw) == LIBSSH2_ERROR_EAGAIN { tap.pointee.observe = nil }
        bridge_tap_release_blocks(tap)
        tap.deallocate()
    }

    private static let receive: bridge_receive = { _, buffer, length, _, abstract in
        guard let buffer, let owner = abstract?.pointee?.assumingMemoryBound(to: bridge_tap.self).pointee.owner else {
            return -Int(Errno.io)
        }
        let probe = Unmanaged<LibraryProbe>.fromOpaque(owner).takeUnretainedValue()
        guard !probe.input.isEmpty else { return -Int(Errno.again) }
        let part = probe.input.prefix(length)
        UnsafeMutableRawBufferPointer(start: buffer, count: length).copyBytes(from: part)
        probe.input.removeFirst(part.count)
        return part.count
    }

    private static var unusableLibrary: Fault {
        Fault(.internalFailure(problem: "libssh2 \(Library.version) behaves like no known version"), stage: .local)
    }

    /// A libssh2 that cannot make its own half of a key exchange fails here as it would with a server.
    private func fault(_ failure: LibraryFailure) -> Fault {
        Fault(.libraryFailed, stage: .keyExchange, library: failure.call)
    }

    func find() throws(Fault) -> LibraryPacketLocations {
        input = ArraySlice("SSH-2.0-bridge_ssh\r\n".utf8)
        var offsets: [Int] = []
        for (index, packet) in Self.packets.enumerated() {
            input += packet.bytes
            switch LibraryResult(bridge_session_handshake(raw, -2), in: raw) {
            case .again where input.isEmpty: break
            case .failure(let failure): throw fault(failure)
            case .again, .success: throw Self.unusableLibrary
            }
            offsets = index == 0 ? offsetsHolding(packet) : offsets.filter { holds(packet, at: $0) }
        }
        // The block of an unencrypted packet holds the packet without its two length fields.
        guard let first = sites.first, let site = first, sites == [site, site],
            sizes == Self.packets.map({ Int($0.length) - 1 })
        else { throw Self.unusableLibrary }
        return LibraryPacketLocations(
            packetSite: UInt(bitPattern: site), packetLengthOffset: offsets.count == 1 ? offsets[0] : nil)
    }

    private var memory: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(raw), count: bridge_tap_size(UnsafeRawPointer(raw)))
    }

    private func offsetsHolding(_ packet: Packet) -> [Int] {
        let memory = memory
        var offsets: [Int] = []
        // The padding's length is the rarer byte.
        var rest = memory[MemoryLayout<UInt32>.size...]
        while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty,
            let found = memchr(base, Int32(packet.padding), rest.count)
        {
            let place = rest.startIndex + (UnsafeRawPointer(found) - base)
            let offset = place - MemoryLayout<UInt32>.size
            if offset.isMultiple(of: MemoryLayout<UInt32>.alignment), holds(packet, at: offset) { offsets.append(offset) }
            rest = memory[(place + 1)...]
        }
        return offsets
    }

    private func holds(_ packet: Packet, at offset: Int) -> Bool {
        memory.load(fromByteOffset: offset, as: UInt32.self) == packet.length && memory[offset + 4] == packet.padding
    }
}
