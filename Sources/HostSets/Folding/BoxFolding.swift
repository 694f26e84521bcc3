/// Names of several dimensions as few boxes: `r[1-4]n[01-16]` is one box of two sides.
///
/// The order of the steps is what `nodeset` does, so that the result is the same. What it compares by trying all pairs is found
/// here by the sides that two boxes share.
enum BoxFolding {
    /// The boxes, each a sorted list of numbers for each dimension. `numbers` has `dimensions` numbers for each name.
    static func boxes(of numbers: [HostNumber], dimensions: Int) -> [[[HostNumber]]] {
        var sides: [[HostNumber]] = []
        for dimension in 0..<dimensions {
            var side: [HostNumber] = []
            side.reserveCapacity(numbers.count / dimensions)
            for index in stride(from: dimension, to: numbers.count, by: dimensions) where side.last != numbers[index] {
                side.append(numbers[index])
            }
            sides.append(side.sortedOnce().withoutRepetition())
        }
        let count = numbers.count / dimensions
        var product = 1
        for side in sides { product = product.multipliedReportingOverflow(by: side.count).partialValue }
        // Names are different, so if there are as many as the whole box has, they are the box.
        if product == count, sides.allSatisfy({ $0.count <= count }) { return [sides] }
        var merging = BoxMerging(numbers, dimensions: dimensions)
        return merging.merged()
    }
}

/// Boxes that are joined until no two differ in one side only.
private struct BoxMerging {
    /// One side of a box: its numbers, in the order in which they came until they are asked for.
    final class Side {
        private var numbers: [HostNumber]
        private var isSorted = true
        private(set) var least: HostNumber
        private(set) var greatest: HostNumber
        private(set) var digest: UInt64

        var count: Int { numbers.count }

        init(_ number: HostNumber) {
            numbers = [number]
            least = number
            greatest = number
            digest = Self.digest(of: number)
        }

        private init(copying other: Side) {
            numbers = other.numbers
            isSorted = other.isSorted
            least = other.least
            greatest = other.greatest
            digest = other.digest
        }

        func copy() -> Side { Side(copying: self) }

        func add(_ other: Side) {
            isSorted = isSorted && other.isSorted && greatest < other.least
            numbers.append(contentsOf: other.numbers)
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
            digest &+= other.digest
        }

        func sorted() -> [HostNumber] {
            if !isSorted {
                numbers.sort()
                isSorted = true
            }
            return numbers
        }

        func equals(_ other: Side) -> Bool {
            if self === other { return true }
            guard digest == other.digest, numbers.count == other.numbers.count else { return false }
            return sorted() == other.sorted()
        }

        /// A sum over the numbers, so that the order in which they came does not matter.
        private static func digest(of number: HostNumber) -> UInt64 {
            var mixed = UInt64(truncatingIfNeeded: number.value) ^ UInt64(truncatingIfNeeded: number.value >> 64) &* 0x9E37_79B9
            mixed = (mixed &+ UInt64(number.width) &* 0x2545_F491_4F6C_DD1D) &* 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
            return mixed ^ (mixed >> 32)
        }
    }

    struct Box {
        var sides: [Side]
        var size: Int { sides.reduce(1) { $0 * $1.count } }
    }

    private var boxes: [Box]
    private let dimensions: Int

    init(_ numbers: [HostNumber], dimensions: Int) {
        self.dimensions = dimensions
        boxes = stride(from: 0, to: numbers.count, by: dimensions).map { start in
            Box(sides: (start..<start + dimensions).map { Side(numbers[$0]) })
        }
    }

    mutating func merged() -> [[[HostNumber]]] {
        var looksAtAll = false
        while true {
            sort()
            let hasChanged = looksAtAll ? joinAll() : joinNeighbours()
            if !hasChanged {
                if looksAtAll { break }
                looksAtAll = true
            }
        }
        return boxes.map { box in box.sides.map { $0.sorted() } }
    }

    /// Larger boxes first, then longer sides, then the digits of the first and last number as text.
    private mutating func sort() {
        let keys = boxes.map(\.size)
        let order = boxes.indices.sorted { left, right in
            if keys[left] != keys[right] { return keys[left] > keys[right] }
            for (one, other) in zip(boxes[left].sides, boxes[right].sides) {
                if one.count != other.count { return one.count > other.count }
                if one.least != other.least { return one.least.precedesAsText(other.least) }
                if one.greatest != other.greatest { return one.greatest.precedesAsText(other.greatest) }
            }
            return left < right
        }
        boxes = order.map { boxes[$0] }
    }

    /// The side in which two boxes differ if it is the only one. Boxes have no name in common, so it has none either.
    private func onlyDifference(_ one: Box, _ other: Box) -> Int? {
        var found: Int?
        for dimension in 0..<dimensions where !one.sides[dimension].equals(other.sides[dimension]) {
            if found != nil { return nil }
            found = dimension
        }
        return found
    }

    private static func join(_ box: inout Box, _ other: Box, in dimension: Int) {
        if !isKnownUniquelyReferenced(&box.sides[dimension]) { box.sides[dimension] = box.sides[dimension].copy() }
        box.sides[dimension].add(other.sides[dimension])
    }

    /// Joins each box with those that follow it, until one does not fit.
    private mutating func joinNeighbours() -> Bool {
        var result: [Box] = []
        result.reserveCapacity(boxes.count)
        let before = boxes.count
        for box in boxes {
            if let last = result.indices.last, let dimension = onlyDifference(result[last], box) {
                Self.join(&result[last], box, in: dimension)
            } else {
                result.append(box)
            }
        }
        boxes = result
        return boxes.count != before
    }

    /// Joins each box with all later ones that fit, in their order.
    private mutating func joinAll() -> Bool {
        let before = boxes.count
        // Boxes by all their sides but one. Only boxes that were not yet looked at are searched, and these are as they were.
        var alike = [[UInt64: [Int]]](repeating: [:], count: dimensions)
        for (position, box) in boxes.enumerated() {
            for dimension in 0..<dimensions { alike[dimension][key(box, without: dimension), default: []].append(position) }
        }
        var isGone = [Bool](repeating: false, count: boxes.count)
        for position in boxes.indices where !isGone[position] {
            var reached = position
            while let (next, dimension) = nextPartner(of: boxes[position], after: reached, alike, isGone) {
                let other = boxes[next]
                Self.join(&boxes[position], other, in: dimension)
                isGone[next] = true
                reached = next
            }
        }
        boxes = boxes.indices.filter { !isGone[$0] }.map { boxes[$0] }
        return boxes.count != before
    }

    private func nextPartner(
        of box: Box, after position: Int, _ alike: [[UInt64: [Int]]], _ isGone: [Bool]
    ) -> (position: Int, dimension: Int)? {
        var best: (position: Int, dimension: Int)?
        for dimension in 0..<dimensions {
            guard let candidates = alike[dimension][key(box, without: dimension)] else { continue }
            var index = candidates.partitioningIndex { $0 > position }
            while index < candidates.count {
                let candidate = candidates[index]
                if let best, candidate >= best.position { break }
                if !isGone[candidate], onlyDifference(box, boxes[candidate]) == dimension {
                    best = (candidate, dimension)
                    break
                }
                index += 1
            }
        }
        return best
    }

    private func key(_ box: Box, without skipped: Int) -> UInt64 {
        var key: UInt64 = 0
        for dimension in 0..<dimensions where dimension != skipped {
            key = (key ^ box.sides[dimension].digest) &* 0x100_0000_01B3 &+ UInt64(dimension)
        }
        return key
    }
}

extension Array {
    /// The first index whose element fulfils a condition that holds for all after it.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
