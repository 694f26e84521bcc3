/// Names folded into one expression, and the order in which folding lists them.
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

    /// Writes a pattern, with `number` for the numbers of each dimension.
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

    /// Sorted; nothing to do for what mostly comes in order.
    func sortedOnce() -> [HostNumber] { isSorted ? self : sorted() }

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
