/// Merges boxes until no two of them differ in exactly one side.
///
/// A box is an index. Its sides are at `box * dimensions + dimension` in every list here. Two boxes that are joined differ in one
/// side; the first box then gets the numbers of both, and the second is removed.
struct BoxMerging {
    private let columns: [NumberRanks]
    private let dimensions: Int
    /// The remaining boxes, in order.
    private var boxes: [Int32]

    /// The number of names in each box.
    private var sizes: [Int32]
    /// For each side, its number of elements, and its least and greatest element.
    private var counts: [Int32]
    private var least: [Int32]
    private var greatest: [Int32]
    /// The sum of a random value for each number of a side. Sides with equal sums are taken as equal.
    private var digests: [UInt64]
    /// A linked list of each side's numbers: the side's own index comes first, then the next index, up to the last.
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
        least = [Int32](repeating: 0, count: places)
        digests = [UInt64](repeating: 0, count: places)
        let seed = UInt64.random(in: .min ... .max)
        for (dimension, column) in columns.enumerated() {
            let numbers = column.numbers.indices.map { SplitMix64.hash(of: seed &+ UInt64($0)) }
            var place = dimension
            for rank in column.ranks {
                least[place] = rank
                digests[place] = numbers[Int(rank)]
                place += dimensions
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

    /// Sorts larger boxes first, then longer sides, then the first and last number as text.
    private mutating func sort() {
        var sort = RadixSort(count: boxes.count)
        let (boxes, least, greatest, counts, sizes) = (boxes, least, greatest, counts, sizes)
        let areSingle = boxes.count == sizes.count
        for dimension in (0..<dimensions).reversed() {
            let (texts, bits) = (columns[dimension].textRanks, columns[dimension].bits)
            let sides = boxes.map { $0 * Int32(dimensions) + Int32(dimension) }
            if !areSingle { sort.add(bits: bits) { UInt64(texts[Int(greatest[Int(sides[$0])])]) } }
            sort.add(bits: bits) { UInt64(texts[Int(least[Int(sides[$0])])]) }
            if !areSingle { sort.add(bits: bits) { UInt64(texts.count - Int(counts[Int(sides[$0])])) } }
        }
        if !areSingle { sort.add(bits: Int32.bitWidth) { UInt64(Int32.max - sizes[Int(boxes[$0])]) } }
        self.boxes = sort.sorted().map { boxes[Int($0)] }
    }

    /// The side in which two boxes differ, if it is the only one. Boxes have no name in common, so their numbers on that side are
    /// disjoint.
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

    /// Adds the second box's numbers on a side to the first box.
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

    /// Joins each box with the boxes after it, up to the first that does not fit.
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

    /// Joins each box with all later ones that fit, in order.
    private mutating func joinAll() -> Bool {
        // Two boxes have already been compared as neighbours.
        if boxes.count < 3 { return false }
        // Only boxes that were not visited yet are searched, and those have not changed.
        let keys = boxes.map { key(of: Int($0)) }
        var partners = (0..<dimensions).map { dimension in
            PartnerTable(zip(boxes, keys).map { $1 &- key(of: Int($0), dimension) })
        }
        let before = boxes.count
        for position in 0..<before where boxes[position] >= 0 {
            let box = Int(boxes[position])
            var reached = position
            while true {
                var partner = before
                var side = 0
                let key = reached == position ? 0 : key(of: box)
                for dimension in 0..<dimensions {
                    let next =
                        reached == position
                        ? partners[dimension].first(after: position)
                        : partners[dimension].first(after: reached, key &- self.key(of: box, dimension))
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

    /// A key that is equal for boxes with all sides in common. Without the key of one side, it is equal for boxes that share all
    /// other sides.
    private func key(of box: Int) -> UInt64 { (0..<dimensions).reduce(0) { $0 &+ key(of: box, $1) } }

    private func key(of box: Int, _ dimension: Int) -> UInt64 {
        SplitMix64.hash(of: digests[box * dimensions + dimension] ^ UInt64(dimension))
    }
}

/// Folds names of several dimensions into few boxes: `r[1-4]n[01-16]` is one box with two sides.
///
/// The steps follow `nodeset`, so the result is the same. Where `nodeset` compares all pairs, this finds partners by the sides
/// that two boxes share.
enum BoxFolding {
    /// Calls `body` with each box: a sorted list of numbers for each dimension.
    ///
    /// - Parameter columns: for each dimension, the number of each name. No two names have the same numbers.
    static func forEachBox(of columns: [[HostNumber]], _ body: ([[HostNumber]]) -> Void) {
        let count = columns[0].count
        let ranked = columns.map { NumberRanks($0) }
        var product = 1
        for column in ranked { product = product.multipliedReportingOverflow(by: column.numbers.count).partialValue }
        // Names are unique, so if their count equals the box's size, they fill the box exactly.
        if product == count, ranked.allSatisfy({ $0.numbers.count <= count }) { return body(ranked.map(\.numbers)) }
        var merging = BoxMerging(ranked, count: count)
        merging.merge()
        merging.forEachBox(body)
    }
}

/// Reproducible pseudorandom numbers from a seed.
///
/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// A number that looks random and depends on `number` alone.
    static func hash(of number: UInt64) -> UInt64 { mixed(number &* increment) }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
