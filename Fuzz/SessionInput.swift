import SSHTestSupport

@testable import SSHTransport

/// The parts of an input of the session's parser: the protection of packets, and the unrequested packets with their places.
struct SessionInput {
    let mode: PacketMode
    /// The number of the server's message before which they are sent.
    let place: Int
    /// The most bytes that reach the client at a time.
    let pieceLength: Int
    let packets: [WirePacket]

    /// The algorithms that the loaded libssh2 negotiates by default.
    private static let modes: [PacketMode] = {
        let offered = SSHAlgorithmPreferences().ciphers
        return PacketMode.all.filter { offered.contains($0.cipherName) && (Library.isAtLeast(1, 11) || !$0.isNew) }
    }()

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 3 else { return nil }
        mode = Self.modes[Int(bytes[0]) % Self.modes.count]
        place = Int(bytes[1]) % 12
        pieceLength = bytes[2] == 0 ? .max : Int(bytes[2])
        var rest = bytes[3...]
        var packets: [WirePacket] = []
        while let packet = Self.packet(&rest) { packets += packet }
        self.packets = packets
    }

    /// The first byte selects a packet's fault, the next two its payload's length.
    private static func packet(_ rest: inout ArraySlice<UInt8>) -> [WirePacket]? {
        guard rest.count >= 3 else { return nil }
        let faults = rest.removeFirst()
        let count = number(&rest, bytes: 2)
        var packet = WirePacket([])
        if faults & 1 != 0 { packet.length = UInt32(number(&rest, bytes: 4)) }
        if faults & 2 != 0 { packet.paddingLength = UInt8(number(&rest, bytes: 1)) }
        if faults & 4 != 0 { packet.padding = number(&rest, bytes: 1) }
        packet.spoilsMAC = faults & 8 != 0
        packet.payload = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return Array(repeating: packet, count: faults & 16 != 0 ? 64 : 1)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, bytes count: Int) -> Int {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension PacketMode {
    /// Whether libssh2 before 1.11 does not have it.
    fileprivate var isNew: Bool { macName.hasSuffix("-etm@openssh.com") || cipherName.hasSuffix("@openssh.com") }
}
