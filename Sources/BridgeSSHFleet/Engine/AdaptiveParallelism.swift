/// How many hosts may run at once.
///
/// The automatic limit starts at 8. It doubles, up to 256, after as many successful logins as the limit allows hosts. It halves
/// when a server reports that it is busy, many connections time out, or this machine runs short of resources; after that it grows
/// by an eighth. Problems of attempts that began before the limit was halved does not count.
package struct AdaptiveParallelism: Sendable {
    package static let first = 8
    package static let maximum = 256
    /// The number of timeouts from which on single hosts are not the cause.
    private static let minimumTimeouts = 3

    private(set) package var limit: Int
    /// Counts how often the limit was halved.
    private(set) package var generation: UInt32 = 0
    private let isAutomatic: Bool
    private let ceiling: Int
    private var goodLogins = 0
    private var timeouts = 0
    private var hasComplained = false

    /// - Parameters:
    ///   - fixed: a fixed limit; nil for an automatic one.
    ///   - ceiling: the most hosts that this machine allows.
    package init(fixed: Int?, ceiling: Int = .max) {
        isAutomatic = fixed == nil
        self.ceiling = max(1, fixed == nil ? min(ceiling, Self.maximum) : ceiling)
        limit = min(max(1, fixed ?? Self.first), self.ceiling)
    }

    /// The highest limit to expect, unless a person sets another one.
    var expectedLimit: Int { isAutomatic ? ceiling : limit }

    /// Records a successful login.
    mutating func loggedIn() {
        guard isAutomatic else { return }
        goodLogins += 1
        guard goodLogins >= limit else { return }
        limit = min(ceiling, hasComplained ? limit + max(1, limit / 8) : limit * 2)
        (goodLogins, timeouts) = (0, 0)
    }

    /// Records the end of an attempt.
    ///
    /// - Parameter begun: the ``generation`` in which the attempt began.
    mutating func ended(_ sharedProblem: AttemptEnd.SharedProblem?, begun: UInt32) {
        guard isAutomatic, begun == generation, let sharedProblem else { return }
        switch sharedProblem {
        case .serverBusy, .shortage: halve()
        case .timedOut:
            timeouts += 1
            if timeouts >= max(Self.minimumTimeouts, limit / 4) { halve() }
        case .local, .unresolved: break
        }
    }

    private mutating func halve() {
        limit = max(1, limit / 2)
        generation += 1
        hasComplained = true
        (goodLogins, timeouts) = (0, 0)
    }

    /// Sets the limit that a person wants.
    mutating func set(_ wanted: Int) {
        limit = min(max(1, wanted), ceiling)
        (goodLogins, timeouts) = (0, 0)
    }
}

/// A number of hosts, or a percentage of all hosts of a run.
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

    /// The number of hosts for a total: rounded down, and at least one.
    package func hosts(of total: Int) -> Int {
        switch self {
        case .count(let count): count
        case .part(let thousandths): max(1, total * thousandths / 100_000)
        }
    }

    /// Whether it is more than zero and at most 100%.
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
