/// A number in a name, with the zeros that stand before it: `7`, `07` and `007` are three names.
struct HostNumber: Hashable, Comparable {
    /// How many digits it is written with.
    var width: Int
    var value: UInt128

    /// The most digits of which a number is made; longer ones stay text.
    static let maximumWidth = 38

    static let powers: [UInt128] = {
        var powers: [UInt128] = [1]
        for _ in 0..<maximumWidth { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()

    init(width: Int, value: UInt128) {
        self.width = width
        self.value = value
    }

    /// A number without padding, or with zeros up to a width.
    init(_ value: UInt128, padding: Int) {
        var width = 1
        while width < Self.maximumWidth, value >= Self.powers[width] { width += 1 }
        self.init(width: max(width, padding), value: value)
    }

    /// Whether zeros stand before it.
    var isPadded: Bool { width > 1 && value < Self.powers[width - 1] }

    /// Shorter ones first: the order in which folding meets them.
    static func < (left: HostNumber, right: HostNumber) -> Bool {
        left.width != right.width ? left.width < right.width : left.value < right.value
    }

    /// The order of the digits as text, in which `10` comes before `9`.
    func precedesAsText(_ other: HostNumber) -> Bool {
        if width == other.width { return value < other.value }
        if width < other.width { return value * Self.powers[other.width - width] <= other.value }
        return value < other.value * Self.powers[width - other.width]
    }

    func write(to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
        var place = start + width - 1
        if var small = UInt64(exactly: value) {
            while small > 0 {
                bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: small % 10)
                small /= 10
                place -= 1
            }
        } else {
            var large = value
            while large > 0 {
                bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: large % 10)
                large /= 10
                place -= 1
            }
        }
    }
}
