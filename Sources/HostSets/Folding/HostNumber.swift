/// A number in a name, with its leading zeros: `7`, `07` and `007` are three different numbers.
struct HostNumber: Hashable, Comparable {
    /// The number of digits it is written with.
    var width: Int
    var value: UInt128

    /// The maximum number of digits of a number; longer runs of digits stay text.
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

    /// A number without padding, or padded with zeros to a width.
    init(_ value: UInt128, padding: Int) {
        var width = 1
        while width < Self.maximumWidth, value >= Self.powers[width] { width += 1 }
        self.init(width: max(width, padding), value: value)
    }

    /// Whether it has leading zeros.
    var isPadded: Bool { width > 1 && value < Self.powers[width - 1] }

    /// Shorter numbers come first, the order in which folding meets them.
    static func < (left: HostNumber, right: HostNumber) -> Bool {
        left.width != right.width ? left.width < right.width : left.value < right.value
    }

    /// The order of the digits as text, where `10` comes before `9`.
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

/// Finds the next position with a given key that has not been removed.
struct PartnerTable {
    /// A hash table of groups, one group for each key; -1 for an empty slot.
    private var slots: [Int32]
    private let mask: Int
    /// For each group, its key, and where its positions start in `positions`.
    private var keys: [UInt64] = []
    private var starts: [Int32] = [0]
    private var groups: [Int32] = []
    /// The positions of all groups, ascending within each group.
    private var positions: [Int32]
    /// The index of each position in `positions`.
    private var places: [Int32]
    /// For each index the next one that is not removed, or one on the way to it.
    private var skips: [Int32]

    /// - Parameter keyed: the key of each position.
    init(_ keyed: [UInt64]) {
        let width = Int.bitWidth - (2 * keyed.count).leadingZeroBitCount
        slots = [Int32](repeating: -1, count: 1 << width)
        mask = (1 << width) - 1
        positions = [Int32](repeating: 0, count: keyed.count)
        places = positions
        skips = Array(0...Int32(keyed.count))
        groups.reserveCapacity(keyed.count)
        var counts: [Int32] = []
        for key in keyed {
            let slot = slot(of: key)
            if slots[slot] < 0 {
                slots[slot] = Int32(keys.count)
                keys.append(key)
                counts.append(0)
            }
            counts[Int(slots[slot])] += 1
            groups.append(slots[slot])
        }
        starts.reserveCapacity(counts.count + 1)
        for group in counts.indices {
            starts.append(starts[group] + counts[group])
            counts[group] = starts[group]
        }
        for (position, group) in groups.enumerated() {
            let place = counts[Int(group)]
            places[position] = place
            positions[Int(place)] = Int32(position)
            counts[Int(group)] += 1
        }
    }

    /// The slot of a key's group, or the free slot for it.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: key >> 32) & mask
        while slots[slot] >= 0, keys[Int(slots[slot])] != key { slot = (slot + 1) & mask }
        return slot
    }

    mutating func remove(_ position: Int) { skips[Int(places[position])] = places[position] + 1 }

    /// The next position with the same key.
    mutating func first(after position: Int) -> Int? {
        first(from: Int(places[position]) + 1, end: Int(starts[Int(groups[position]) + 1]))
    }

    /// The next position after `position` with the given key.
    mutating func first(after position: Int, _ key: UInt64) -> Int? {
        let group = Int(slots[slot(of: key)])
        guard group >= 0 else { return nil }
        var (low, high) = (Int(starts[group]), Int(starts[group + 1]))
        while low < high {
            let middle = (low + high) / 2
            if Int(positions[middle]) > position { high = middle } else { low = middle + 1 }
        }
        return first(from: low, end: Int(starts[group + 1]))
    }

    private mutating func first(from place: Int, end: Int) -> Int? {
        var place = place
        while place < end, Int(skips[place]) != place {
            skips[place] = skips[Int(skips[place])]
            place = Int(skips[place])
        }
        return place < end ? Int(positions[place]) : nil
    }
}
