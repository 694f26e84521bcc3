/// A way in which a packet is malformed or misplaced.
enum Distortion: Sendable, Hashable {
    /// Well-formed, but not where it should be.
    case once
    case twice
    /// This many bytes of small ones.
    case many
    /// This many bytes of large ones.
    case pour
    /// As large as a packet may be (RFC 4253 section 6.1).
    case huge
    /// Larger than any packet may be.
    case giant
    /// Its message number and nothing else.
    case empty
    /// Without the end of the field of this number, and all behind it.
    case cut(Int)
    /// With a field of this number that says that so much follows.
    case lie(Int, UInt32)

    /// How many bytes a flood has.
    static let small = 2 << 20
    static let large = 96 << 20

    /// All distortions of this packet.
    static func all(of packet: AttackPacket) -> [Distortion] {
        let lies = packet.fields.enumerated().flatMap { index, field -> [Distortion] in
            let values: [UInt32] =
                switch field {
                case .string(let bytes):
                    [0, 1, UInt32(bytes.count) &- 1, UInt32(bytes.count) + 1, 0xffff, 0x7fff_ffff, 0xffff_fffc, 0xffff_ffff]
                case .count: [0, 3, 0xffff, 0x1000_0000, 0x7fff_ffff, 0xffff_ffff]
                case .bytes, .uint32: []
                }
            return Set(values).sorted().map { .lie(index, $0) }
        }
        let cuts = packet.fields.indices.map { Distortion.cut($0) }
        return [.once, .twice, .many, .pour, .huge, .giant, .empty] + cuts + lies
    }

    var name: String {
        switch self {
        case .once: "once"
        case .twice: "twice"
        case .many: "endless and small"
        case .pour: "endless and large"
        case .huge: "huge"
        case .giant: "larger than any"
        case .empty: "without its fields"
        case .cut(let field): "cut in field \(field + 1)"
        case .lie(let field, let value): "length \(value) in field \(field + 1)"
        }
    }

    /// What is alike, for a selection of a few.
    var kind: Int {
        switch self {
        case .once: 0
        case .twice: 1
        case .many: 2
        case .pour: 3
        case .huge: 4
        case .giant: 5
        case .empty: 6
        case .cut: 7
        case .lie: 8
        }
    }

    var isProper: Bool { self == .once || self == .twice }
    var isFlood: Bool { self == .many || self == .pour }

    func actions(_ packet: AttackPacket) -> [ServerAction] {
        func send(_ payload: [UInt8]) -> ServerAction { .packet(WirePacket(payload)) }
        switch self {
        case .once: return [send(packet.payload)]
        case .twice: return [send(packet.payload), send(packet.payload)]
        case .many: return [.flood(send(packet.payload), bytes: Self.small)]
        case .pour: return [.flood(send(packet.enlarged(by: 32000)), bytes: Self.large)]
        case .huge: return [send(packet.enlarged(by: 34000))]
        case .giant: return [send(packet.enlarged(by: 250_000))]
        case .empty: return [send([packet.number])]
        case .cut(let field):
            let parts = packet.parts()
            // Half of a field; of one without any bytes, the field.
            let rest = parts[field + 1].prefix(parts[field + 1].count / 2)
            return [send(parts[...field].flatMap { $0 } + rest)]
        case .lie(let field, let value): return [send(packet.parts(lyingIn: field, value: value).flatMap { $0 })]
        }
    }
}
