/// Boxes that are joined until no two differ in one side only.
///
/// A box is a number, and has a place for each of its sides in every list here: `box * dimensions + dimension`. Two boxes that are
/// joined differ in one side; the first has both sides' numbers afterwards, and the second is no more.
struct BoxMerging {
    private let columns: [NumberRanks]
    private let dimensions: Int
    /// The boxes that are left, in their order.
    private var boxes: [Int32]

    /// How many names a box stands for.
    private var sizes: [Int32]
    /// Of a side: how many numbers it has, the least and the greatest of them.
    private var counts: [Int32]
    private var least: [Int32]
    private var greatest: [Int32]
    /// A sum over a side's numbers, each of which is a random one in it: two sides with the same sum are the same.
    private var digests: [UInt64]
    /// A side's numbers are a chain: that of the place itself is the first, then that of the next place, to the last.
    private var next: [Int32]
    private var last: [Int32]

    init(_ columns: [NumberRanks], count: Int) {
        self.columns = columns
        dimensions = columns.count
        boxes = Array(0..<Int32(count))
        sizes = [Int32](repeating: 1, count: count)
        let places = count * dimensions
        counts = [Int32](repeating: 1, count: places)
        next = [Int32](repeating: -1, count: places)
        last = Array(0..<Int32(places))
        least = []
        digests = []
        least.reserveCapacity(places)
        digests.reserveCapacity(places)
        let seed = UInt64.random(in: .min ... .max)
        for box in 0..<count {
            for column in columns {
                least.append(column.ranks[box])
                digests.append(Self.mixed(seed &+ UInt64(column.ranks[box])))
            }
        }
        greatest = least
    }

    mutating func merge() {
        sort()
        while joinNeighbours() { sort() }
        while joinAll() { sort() }
    }

    /// Calls `body` with each box: the sorted numbers of each side.
    func forEachBox(_ body: ([[HostNumber]]) -> Void) {
        var sides = [[HostNumber]](repeating: [], count: dimensions)
        for box in boxes {
            for dimension in 0..<dimensions {
                read(Int(box) * dimensions + dimension, columns[dimension], into: &sides[dimension])
            }
            body(sides)
        }
    }

    private func read(_ side: Int, _ column: NumberRanks, into numbers: inout [HostNumber]) {
        numbers.removeAll(keepingCapacity: true)
        if counts[side] == 1 { return numbers.append(column.numbers[Int(least[side])]) }
        var place = Int32(side)
        while place >= 0 {
            numbers.append(column.numbers[Int(column.ranks[Int(place) / dimensions])])
            place = next[Int(place)]
        }
        numbers.sort()
    }

    /// Larger boxes first, then longer sides, then the digits of the first and last number as text.
    private mutating func sort() {
        var keyed = boxes.indices.map { (key: sortKey(of: Int(boxes[$0])), position: Int32($0)) }
        keyed.sort { left, right in
            if left.key != right.key { return left.key < right.key }
            let order = order(Int(boxes[Int(left.position)]), Int(boxes[Int(right.position)]))
            return order == 0 ? left.position < right.position : order < 0
        }
        boxes = keyed.map { boxes[Int($0.position)] }
    }

    /// What decides for most boxes, as one number: the size, the first side, and the second one's length and first number.
    private func sortKey(of box: Int) -> UInt128 {
        let bits: UInt128 = 21
        let most: Int32 = (1 << 21) - 1
        let side = box * dimensions
        var key = UInt128(most - min(sizes[box], most))
        func add(_ number: Int32) { key = key << bits | UInt128(min(number, most)) }
        add(most - min(counts[side], most))
        add(columns[0].textRanks[Int(least[side])])
        add(columns[0].textRanks[Int(greatest[side])])
        add(most - min(counts[side + 1], most))
        add(columns[1].textRanks[Int(least[side + 1])])
        return key
    }

    /// Below 0 if the first box comes first, above if the second does.
    private func order(_ one: Int, _ other: Int) -> Int32 {
        if sizes[one] != sizes[other] { return sizes[other] - sizes[one] }
        for dimension in 0..<dimensions {
            let (side, another) = (one * dimensions + dimension, other * dimensions + dimension)
            if counts[side] != counts[another] { return counts[another] - counts[side] }
            let places = (columns[dimension].textRanks[Int(least[side])], columns[dimension].textRanks[Int(least[another])])
            if places.0 != places.1 { return places.0 - places.1 }
            if greatest[side] != greatest[another] {
                return columns[dimension].textRanks[Int(greatest[side])] - columns[dimension].textRanks[Int(greatest[another])]
            }
        }
        return 0
    }

    /// The side in which two boxes differ if it is the only one. Boxes have no name in common, so it has none either.
    private func onlyDifference(_ one: Int, _ other: Int) -> Int? {
        var found: Int?
        for dimension in 0..<dimensions {
            let (side, another) = (one * dimensions + dimension, other * dimensions + dimension)
            if digests[side] == digests[another], counts[side] == counts[another] { continue }
            if found != nil { return nil }
            found = dimension
        }
        return found
    }

    /// Adds the numbers that the second box has on a side to the first.
    private mutating func join(_ box: Int, _ other: Int, in dimension: Int) {
        let (side, another) = (box * dimensions + dimension, other * dimensions + dimension)
        sizes[box] += sizes[other]
        counts[side] += counts[another]
        least[side] = min(least[side], least[another])
        greatest[side] = max(greatest[side], greatest[another])
        digests[side] &+= digests[another]
        next[Int(last[side])] = Int32(another)
        last[side] = last[another]
    }

    /// Joins each box with those that follow it, until one does not fit.
    private mutating func joinNeighbours() -> Bool {
        var kept = 0
        for index in boxes.indices.dropFirst() {
            let (one, other) = (Int(boxes[kept]), Int(boxes[index]))
            if let dimension = onlyDifference(one, other) {
                join(one, other, in: dimension)
            } else {
                kept += 1
                boxes[kept] = Int32(other)
            }
        }
        guard kept + 1 < boxes.count else { return false }
        boxes.removeSubrange((kept + 1)...)
        return true
    }

    /// Joins each box with all later ones that fit, in their order.
    private mutating func joinAll() -> Bool {
        // Only boxes that were not yet looked at are searched, and these are as they were.
        var partners = (0..<dimensions).map { dimension in
            PartnerTable(boxes.map { key(Int($0), without: dimension) })
        }
        let before = boxes.count
        for position in 0..<before where boxes[position] >= 0 {
            let box = Int(boxes[position])
            var reached = position
            while true {
                var partner = before
                var side = 0
                for dimension in 0..<dimensions {
                    let next =
                        reached == position
                        ? partners[dimension].first(after: position)
                        : partners[dimension].first(after: reached, key(box, without: dimension))
                    guard let found = next, found < partner else { continue }
                    (partner, side) = (found, dimension)
                }
                if partner == before { break }
                join(box, Int(boxes[partner]), in: side)
                boxes[partner] = -1
                for dimension in 0..<dimensions { partners[dimension].remove(partner) }
                reached = partner
            }
        }
        boxes.removeAll { $0 < 0 }
        return boxes.count != before
    }

    /// The same for two boxes that have all sides but one in common.
    private func key(_ box: Int, without skipped: Int) -> UInt64 {
        var key: UInt64 = 0
        for dimension in 0..<dimensions where dimension != skipped {
            key = Self.mixed(key ^ digests[box * dimensions + dimension])
        }
        return key
    }

    /// A number that looks random (SplitMix64).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
