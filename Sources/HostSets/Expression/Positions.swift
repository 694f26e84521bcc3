/// Ansible's `web[0:2]`: the first three hosts of what stands before.
struct Positions {
    var first: Int
    /// The last one, or nil for all that follow.
    var last: Int?

    /// The part before the bracket and the positions, if the operand ends with a bracket that has a colon; nil for others.
    static func read(
        _ bytes: ArraySlice<UInt8>, hasInventory: Bool, problem: (RangeProblem, Int) -> HostSetProblem
    ) throws(HostSetProblem) -> (base: ArraySlice<UInt8>, positions: Positions)? {
        let addressStart = (bytes.lastIndex(of: UInt8(ascii: "@")) ?? bytes.startIndex - 1) + 1
        guard bytes.last == UInt8(ascii: "]"), let open = bytes.lastIndex(of: UInt8(ascii: "[")), open != addressStart else {
            try checkMiddle(bytes, problem, addressStart)
            return nil
        }
        let inner = bytes[(open + 1)..<(bytes.endIndex - 1)]
        guard let colon = inner.firstIndex(of: UInt8(ascii: ":")) else {
            try checkMiddle(bytes, problem, addressStart)
            return nil
        }
        func refuse(_ message: String, _ remedy: String?) -> HostSetProblem {
            problem(RangeProblem(message: message, offset: open - bytes.startIndex, remedy: remedy), bytes.startIndex)
        }
        guard hasInventory else {
            throw refuse(
                "A colon in brackets means positions, and these need an inventory.",
                "Give --inventory FILE, or write a range of names with a hyphen: [0-2].")
        }
        let (first, last) = (inner[..<colon], inner[(colon + 1)...])
        guard let start = number(first), last.isEmpty || number(last) != nil else {
            throw refuse("Positions are written [0:2] or [3:], and count from 0.", nil)
        }
        return (bytes[..<open], Positions(first: start, last: last.isEmpty ? nil : number(last)))
    }

    /// A bracket with a colon that is not at the end.
    private static func checkMiddle(
        _ bytes: ArraySlice<UInt8>, _ problem: (RangeProblem, Int) -> HostSetProblem, _ addressStart: Int
    ) throws(HostSetProblem) {
        var index = bytes.startIndex
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "[")) {
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: "]")) else { return }
            if open != addressStart, bytes[open..<close].contains(UInt8(ascii: ":")) {
                throw problem(
                    RangeProblem(
                        message: "A colon in brackets means positions, and these stand at the end of a pattern.",
                        offset: open - bytes.startIndex, remedy: "A range of names has a hyphen: [1-20]."), bytes.startIndex)
            }
            index = close + 1
        }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty, text.count <= 9, text.allSatisfy(isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    func of(_ hosts: [FleetHost]) -> ArraySlice<FleetHost> {
        // Ansible takes [3:0] for [3:3].
        let end = min(last.map { ($0 == 0 ? first : $0) + 1 } ?? hosts.count, hosts.count)
        return first < end ? hosts[first..<end] : []
    }
}
