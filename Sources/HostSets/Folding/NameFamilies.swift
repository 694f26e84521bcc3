/// Groups names by pattern: the names of a family differ only in their numbers.
struct NameFamilies {
    /// All names with the same pattern.
    struct Family {
        /// Where its pattern starts in the bytes of all patterns.
        fileprivate var start: Int
        fileprivate var end: Int
        fileprivate let hash: Int
        /// The number of numbers in each name.
        let dimensions: Int
        /// The range of its names in the list of members.
        fileprivate(set) var members: Range<Int>
    }

    private(set) var families: [Family] = []
    private var patterns: [UInt8] = []
    /// The positions of the names, family by family.
    private var members: [Int32] = []
    /// The numbers of all names, name after name, and where each name's numbers start.
    private var numbers: [HostNumber] = []
    private var starts: [Int32] = []
    /// A hash table of families; -1 for none.
    private var slots = [Int32](repeating: -1, count: 64)

    init(_ names: [String]) {
        var name = NumberedName()
        var familyOfName: [Int32] = []
        var counts: [Int] = []
        familyOfName.reserveCapacity(names.count)
        starts.reserveCapacity(names.count)
        numbers.reserveCapacity(names.count)
        var current = -1
        for text in names {
            name.read(text)
            // Most names have the same pattern as the one before.
            if current < 0 || !isPattern(of: families[current], name.pattern) {
                current = family(of: name)
                if current == counts.count { counts.append(0) }
            }
            counts[current] += 1
            familyOfName.append(Int32(current))
            starts.append(Int32(numbers.count))
            numbers.append(contentsOf: name.numbers)
        }
        let order = sortedByPattern()
        var end = 0
        var places = counts
        for family in order {
            places[family] = end
            families[family].members = end..<end + counts[family]
            end += counts[family]
        }
        members = [Int32](repeating: 0, count: names.count)
        for (position, family) in familyOfName.enumerated() {
            members[places[Int(family)]] = Int32(position)
            places[Int(family)] += 1
        }
        families = order.map { families[$0] }
        slots = []
    }

    func pattern(of family: Family) -> ArraySlice<UInt8> { patterns[family.start..<family.end] }

    /// The positions of a family's names, in order.
    func members(of family: Family) -> ArraySlice<Int32> { members[family.members] }

    /// The numbers of all names of a family in one dimension.
    func column(_ dimension: Int, of family: Family) -> [HostNumber] {
        members[family.members].map { numbers[Int(starts[Int($0)]) + dimension] }
    }

    func numbers(of name: Int32, _ family: Family) -> ArraySlice<HostNumber> {
        let start = Int(starts[Int(name)])
        return numbers[start..<start + family.dimensions]
    }

    // MARK: Patterns

    private func isPattern(of family: Family, _ pattern: [UInt8]) -> Bool {
        guard family.end - family.start == pattern.count else { return false }
        return patterns.withUnsafeBufferPointer { patterns in
            pattern.withUnsafeBufferPointer { pattern in
                for place in pattern.indices where patterns[family.start + place] != pattern[place] { return false }
                return true
            }
        }
    }

    /// The family of a name, which may be a new one.
    private mutating func family(of name: NumberedName) -> Int {
        // An unpredictable seed: otherwise names could be chosen to collide in one slot and make lookups slow.
        var hasher = Hasher()
        name.pattern.withUnsafeBytes { hasher.combine(bytes: $0) }
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let known = Int(slots[slot])
            if families[known].hash == hash, isPattern(of: families[known], name.pattern) { return known }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(families.count)
        families.append(
            Family(
                start: patterns.count, end: patterns.count + name.pattern.count, hash: hash, dimensions: name.numbers.count,
                members: 0..<0))
        patterns += name.pattern
        if families.count * 2 > slots.count { widenSlots() }
        return families.count - 1
    }

    private mutating func widenSlots() {
        let mask = slots.count * 2 - 1
        slots = [Int32](repeating: -1, count: mask + 1)
        for (index, family) in families.enumerated() {
            var slot = family.hash & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(index)
        }
    }

    /// The families, sorted by the bytes of their patterns.
    private func sortedByPattern() -> [Int] {
        // For most families the first bytes decide.
        var openings = families.enumerated().map { index, family in
            var opening: UInt128 = 0
            for place in family.start..<family.start + 16 {
                opening = opening << 8 | (place < family.end ? UInt128(patterns[place]) : 0)
            }
            return (opening: opening, family: index)
        }
        openings.sort { left, right in
            if left.opening != right.opening { return left.opening < right.opening }
            return pattern(of: families[left.family]).lexicographicallyPrecedes(pattern(of: families[right.family]))
        }
        return openings.map(\.family)
    }
}
