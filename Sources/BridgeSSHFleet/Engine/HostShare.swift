/// A number of hosts, or a part of all hosts of a run.
package enum HostShare: Sendable, Hashable {
    case count(Int)
    /// In thousandths of a percent: 5% is 5000.
    case part(Int)

    /// Reads `12`, `5%` or `0.5%`.
    package init?(parsing text: String) {
        guard text.hasSuffix("%") else {
            guard let count = Self.number(text) else { return nil }
            self = .count(count)
            return
        }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Self.number(String($0)) }), whole <= 100_000 else { return nil }
        var thousandths = 0
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.count), let number = Self.number(String(digits)) else { return nil }
            thousandths = number * [100, 10, 1][digits.count - 1]
        }
        self = .part(whole * 1000 + thousandths)
    }

    /// - Parameter percent: rounded to thousandths.
    package init(percent: Double) {
        let thousandths = (percent * 1000).rounded()
        self = .part(thousandths.isFinite && abs(thousandths) < 1e12 ? Int(thousandths) : -1)
    }

    private static func number(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// How many hosts it is of so many: rounded down, and at least one.
    package func hosts(of total: Int) -> Int {
        switch self {
        case .count(let count): count
        case .part(let thousandths): max(1, total * thousandths / 100_000)
        }
    }

    /// Whether it is more than nothing and, for a part, no more than the whole.
    package var isPossible: Bool {
        switch self {
        case .count(let count): count > 0
        case .part(let thousandths): thousandths > 0 && thousandths <= 100_000
        }
    }
}

extension HostShare: CustomStringConvertible {
    package var description: String {
        switch self {
        case .count(let count): return "\(count)"
        case .part(let thousandths):
            var digits = "\(thousandths % 1000 + 1000)".dropFirst()
            while digits.last == "0" { digits.removeLast() }
            return "\(thousandths / 1000)\(digits.isEmpty ? "" : ".\(digits)")%"
        }
    }
}
