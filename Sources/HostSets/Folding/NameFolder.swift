/// Names folded into one expression, and the order in which folding lists them.
struct NameFolder {
    /// All names of one pattern.
    struct Family {
        var pattern: [UInt8]
        /// How many numbers a name has.
        var dimensions: Int
        /// The numbers of all names, one name's after the other's.
        var numbers: [HostNumber] = []
        /// Which names they are, in the order of `numbers`.
        var members: [Int] = []
    }

    private(set) var families: [Family] = []

    init(_ names: [String]) {
        var families: [Family] = []
        var known: [[UInt8]: Int] = [:]
        var name = NumberedName()
        var current = -1
        for (position, text) in names.enumerated() {
            name.read(text)
            // Most names are like the one before.
            if current < 0 || families[current].pattern != name.pattern {
                if let index = known[name.pattern] {
                    current = index
                } else {
                    current = families.count
                    known[name.pattern] = current
                    families.append(Family(pattern: name.pattern, dimensions: name.numbers.count))
                }
            }
            families[current].numbers.append(contentsOf: name.numbers)
            families[current].members.append(position)
        }
        self.families = families.sorted { $0.pattern.lexicographicallyPrecedes($1.pattern) }
    }

    /// One expression for all names.
    func folded() -> String {
        var bytes: [UInt8] = []
        for family in families { write(family, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The positions of the names, sorted by pattern, then by numbers.
    func order() -> [Int] {
        var order: [Int] = []
        for family in families {
            let width = family.dimensions
            if width == 0 {
                order.append(contentsOf: family.members)
                continue
            }
            let rows = family.members.indices.sorted { left, right in
                for dimension in 0..<width {
                    let (one, other) = (family.numbers[left * width + dimension], family.numbers[right * width + dimension])
                    if one != other { return one < other }
                }
                return left < right
            }
            order.append(contentsOf: rows.map { family.members[$0] })
        }
        return order
    }

    private func write(_ family: Family, to bytes: inout [UInt8]) {
        switch family.dimensions {
        case 0: write(family.pattern, [], to: &bytes)
        case 1: write(family.pattern, [family.numbers.sortedOnce().withoutRepetition()], to: &bytes)
        default:
            for box in BoxFolding.boxes(of: family.numbers, dimensions: family.dimensions) {
                write(family.pattern, box, to: &bytes)
            }
        }
    }

    private func write(_ pattern: [UInt8], _ numbers: [[HostNumber]], to bytes: inout [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        var dimension = 0
        var index = 0
        while index < pattern.count {
            if pattern[index] == UInt8(ascii: "%"), index + 1 < pattern.count {
                if pattern[index + 1] == UInt8(ascii: "s") {
                    NumberRuns.write(numbers[dimension], to: &bytes)
                    dimension += 1
                } else {
                    bytes.append(UInt8(ascii: "%"))
                }
                index += 2
            } else {
                bytes.append(pattern[index])
                index += 1
            }
        }
    }
}

extension Array where Element == HostNumber {
    /// Sorted; nothing to do for what mostly comes in order.
    func sortedOnce() -> [HostNumber] {
        for index in indices.dropFirst() where self[index] < self[index - 1] { return sorted() }
        return self
    }

    /// Each number of a sorted list once.
    func withoutRepetition() -> [HostNumber] {
        for index in indices.dropFirst() where self[index] == self[index - 1] {
            var result = Array(self[..<index])
            for number in self[index...] where number != result.last { result.append(number) }
            return result
        }
        return self
    }
}
