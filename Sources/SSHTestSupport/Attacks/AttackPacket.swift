/// A message as a table row: its number, its fields, and the allowed outcomes when it is sent at a wrong time.
struct AttackPacket: Sendable {
    enum Field: Sendable {
        /// A byte, a boolean, or bytes without a length.
        case bytes([UInt8])
        case uint32(UInt32)
        /// A number that says how many of something follow.
        case count(UInt32)
        case string([UInt8])

        static func string(_ text: String) -> Field { .string(Array(text.utf8)) }
        static func boolean(_ value: Bool) -> Field { .bytes([value ? 1 : 0]) }

        /// Whether it says how much of something follows.
        var isLength: Bool {
            switch self {
            case .string, .count: true
            case .bytes, .uint32: false
            }
        }
    }

    let number: UInt8
    let name: String
    let fields: [Field]
    /// The allowed outcomes beyond those of any stray packet.
    let outcomes: AttackOutcomes
    /// Where it must do no harm if it is well-formed.
    let harmless: Set<AttackStage.Phase>

    init(
        _ number: UInt8, _ name: String, _ fields: [Field] = [], or outcomes: AttackOutcomes = [],
        harmless: Set<AttackStage.Phase> = []
    ) {
        self.number = number
        self.name = "\(number) \(name)"
        self.fields = fields
        self.outcomes = outcomes
        self.harmless = harmless
    }

    /// The payload, its parts apart: the message number, then a part for each field.
    func parts(lyingIn liar: Int? = nil, value: UInt32 = 0) -> [[UInt8]] {
        [[number]]
            + fields.enumerated().map { index, field in
                switch field {
                case .bytes(let bytes): bytes
                case .uint32(let number): SSHWire.uint32(number)
                case .count(let number): SSHWire.uint32(index == liar ? value : number)
                case .string(let bytes): SSHWire.uint32(index == liar ? value : UInt32(bytes.count)) + bytes
                }
            }
    }

    var payload: [UInt8] { parts().flatMap { $0 } }

    /// The payload with so many bytes more: in its last string, or behind its end.
    func enlarged(by count: Int) -> [UInt8] {
        let more = [UInt8](repeating: 0x41, count: count)
        var parts = parts()
        let last = fields.lastIndex { if case .string = $0 { true } else { false } }
        if let last, case .string(let bytes) = fields[last] {
            parts[last + 1] = SSHWire.string(bytes + more)
        } else {
            parts.append(more)
        }
        return parts.flatMap { $0 }
    }
}
