/// How many hosts run at once.
///
/// By itself it begins at 8 and doubles as often as so many logins as it allows have gone well, to 256. It halves where a server says
/// that it is busy, connects time out in numbers, or this machine runs short; from there on it grows by an eighth. Complaints of
/// attempts that were begun before it was halved say nothing new.
package struct AdaptiveParallelism: Sendable {
    package static let first = 8
    package static let most = 256
    /// Timeouts at a time that are no accident of single hosts.
    private static let fewestTimeouts = 3

    private(set) package var limit: Int
    /// Counts the changes of the limit for the worse.
    private(set) package var generation: UInt32 = 0
    private let isAutomatic: Bool
    private let ceiling: Int
    private var goodLogins = 0
    private var timeouts = 0
    private var hasComplained = false

    /// - Parameters:
    ///   - fixed: nil for an automatic one.
    ///   - ceiling: what this machine allows.
    package init(fixed: Int?, ceiling: Int = .max) {
        isAutomatic = fixed == nil
        self.ceiling = max(1, fixed == nil ? min(ceiling, Self.most) : ceiling)
        limit = min(max(1, fixed ?? Self.first), self.ceiling)
    }

    /// What the limit may come to, unless a person wants more.
    var foreseen: Int { isAutomatic ? ceiling : limit }

    /// A host was logged in to.
    mutating func loggedIn() {
        guard isAutomatic else { return }
        goodLogins += 1
        guard goodLogins >= limit else { return }
        limit = min(ceiling, hasComplained ? limit + max(1, limit / 8) : limit * 2)
        (goodLogins, timeouts) = (0, 0)
    }

    /// An attempt ended.
    ///
    /// - Parameter begun: the ``generation`` in which it was begun.
    mutating func ended(_ trouble: AttemptEnd.Trouble?, begun: UInt32) {
        guard isAutomatic, begun == generation, let trouble else { return }
        switch trouble {
        case .serverBusy, .shortage: halve()
        case .timedOut:
            timeouts += 1
            if timeouts >= max(Self.fewestTimeouts, limit / 4) { halve() }
        case .local: break
        }
    }

    private mutating func halve() {
        limit = max(1, limit / 2)
        generation += 1
        hasComplained = true
        (goodLogins, timeouts) = (0, 0)
    }

    /// A person wants another number.
    mutating func set(_ wanted: Int) {
        limit = min(max(1, wanted), ceiling)
        (goodLogins, timeouts) = (0, 0)
    }
}
