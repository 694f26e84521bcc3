/// Folds names into one expression, and defines the order in which folding lists them.
struct NameFolder {
    private let names: NameFamilies

    init(_ names: [String]) { self.names = NameFamilies(names) }

    /// One expression for all names.
    func folded() -> String {
        var bytes: [UInt8] = []
        for family in names.families {
            let pattern = names.pattern(of: family)
            if family.members.count == 1 || family.dimensions == 0 {
                let numbers = names.numbers(of: names.members(of: family)[family.members.lowerBound], family)
                Self.write(pattern, to: &bytes) { numbers[numbers.startIndex + $0].write(to: &$1) }
            } else if family.dimensions == 1 {
                let numbers = names.column(0, of: family).sortedOnce().withoutRepetition()
                Self.write(pattern, to: &bytes) { NumberRuns.write(numbers, to: &$1) }
            } else {
                let columns = (0..<family.dimensions).map { names.column($0, of: family) }
                BoxFolding.forEachBox(of: columns) { sides in
                    Self.write(pattern, to: &bytes) { NumberRuns.write(sides[$0], to: &$1) }
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The positions of the names, sorted by pattern, then by numbers.
    func order() -> [Int] {
        var order: [Int] = []
        for family in names.families {
            let members = names.members(of: family)
            var sort = RadixSort(count: members.count)
            for dimension in (0..<family.dimensions).reversed() where members.count > 1 {
                let column = NumberRanks(names.column(dimension, of: family))
                sort.add(bits: column.bits) { UInt64(column.ranks[$0]) }
            }
            order += sort.sorted().map { Int(members[members.startIndex + Int($0)]) }
        }
        return order
    }

    /// Writes a pattern, and calls `number` for the numbers of each dimension.
    private static func write(
        _ pattern: ArraySlice<UInt8>, to bytes: inout [UInt8], number: (_ dimension: Int, inout [UInt8]) -> Void
    ) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        var dimension = 0
        var index = pattern.startIndex
        while index < pattern.endIndex {
            if pattern[index] == UInt8(ascii: "%"), index + 1 < pattern.endIndex {
                if pattern[index + 1] == UInt8(ascii: "s") {
                    number(dimension, &bytes)
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
    var isSorted: Bool { indices.dropFirst().allSatisfy { self[$0 - 1] <= self[$0] } }

    /// Sorts the values. Returns input that is already in order, the usual case, as it is.
    func sortedOnce() -> [HostNumber] { isSorted ? self : sorted() }

    /// Removes duplicates from a sorted list.
    func withoutRepetition() -> [HostNumber] {
        for index in indices.dropFirst() where self[index] == self[index - 1] {
            var result = Array(self[..<index])
            for number in self[index...] where number != result.last { result.append(number) }
            return result
        }
        return self
    }
}

/// A name split into its fixed text and its numbers: `r1n05.lan` is `r`, 1, `n`, 5, `.lan`.
struct NumberedName {
    /// The text with `%s` for each number and `%%` for each percent sign. Names with the same pattern differ only in their
    /// numbers.
    private(set) var pattern: [UInt8] = []
    private(set) var numbers: [HostNumber] = []

    /// Splits a name, and reuses the memory of the previous one.
    mutating func read(_ name: String) {
        pattern.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        var name = name
        name.withUTF8 { bytes in
            // An address in brackets must not become a range.
            let isVerbatim = bytes.contains(UInt8(ascii: "["))
            var index = 0
            while index < bytes.count {
                var end = index
                while end < bytes.count, isVerbatim || !isDigit(bytes[end]), bytes[end] != UInt8(ascii: "%") { end += 1 }
                pattern.append(contentsOf: bytes[index..<end])
                index = end
                if index == bytes.count { break }
                if bytes[index] == UInt8(ascii: "%") {
                    pattern.append(UInt8(ascii: "%"))
                    pattern.append(UInt8(ascii: "%"))
                    index += 1
                    continue
                }
                while end < bytes.count, isDigit(bytes[end]) { end += 1 }
                if end - index > HostNumber.maximumWidth {
                    pattern.append(contentsOf: bytes[index..<end])
                } else {
                    pattern.append(UInt8(ascii: "%"))
                    pattern.append(UInt8(ascii: "s"))
                    var value: UInt128 = 0
                    if end - index <= 19 {
                        var small: UInt64 = 0
                        for place in index..<end { small = small &* 10 &+ UInt64(bytes[place] &- UInt8(ascii: "0")) }
                        value = UInt128(small)
                    } else {
                        for place in index..<end { value = value &* 10 &+ UInt128(bytes[place] &- UInt8(ascii: "0")) }
                    }
                    numbers.append(HostNumber(width: end - index, value: value))
                }
                index = end
            }
        }
    }
}

/// Writes numbers of one dimension as runs: `1-20`, `01-09`, `7`.
enum NumberRuns {
    /// Calls `body` with each run of sorted, distinct numbers. After a padded number the width stays the same, so `08-11` is one
    /// run and `05,10-99,100` is not joined at 100. This is how `nodeset -f` writes runs, so each program reads the other's
    /// output.
    static func forEachRun(of numbers: [HostNumber], _ body: (_ first: HostNumber, _ last: HostNumber) -> Void) {
        guard var first = numbers.first else { return }
        var last = first
        // The state lasts over single numbers. It ends after a run of several numbers, or when the width changes.
        var isPadded = first.isPadded
        var width = first.width
        for number in numbers.dropFirst() {
            let widthsDiffer = isPadded ? number.width != width : number.isPadded
            if widthsDiffer {
                body(first, last)
                (first, last, isPadded, width) = (number, number, number.isPadded, number.width)
            } else if number.value == last.value + 1 {
                last = number
            } else {
                body(first, last)
                if first != last { (isPadded, width) = (number.isPadded, number.width) }
                (first, last) = (number, number)
            }
        }
        body(first, last)
    }

    /// Adds brackets, except around a single number.
    static func write(_ numbers: [HostNumber], to bytes: inout [UInt8]) {
        if numbers.count == 1 { return numbers[0].write(to: &bytes) }
        var separator = UInt8(ascii: "[")
        forEachRun(of: numbers) { first, last in
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            first.write(to: &bytes)
            if first != last {
                bytes.append(UInt8(ascii: "-"))
                last.write(to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

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
