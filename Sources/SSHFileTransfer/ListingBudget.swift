internal import Synchronization

/// How much memory the listings of a tree may hold, all together, and how many entries the tree may have.
///
/// Above what is comfortable only the listing that was started first goes on; the others are deferred until what they compete with is
/// copied. So trees of any size are copied, and only a single directory, or a tree of very many directories side by side at every
/// level, reaches ``most``.
final class ListingBudget: Sendable {
    static let comfortable = 4 << 20
    static let most = 12 << 20

    enum Answer {
        case granted, putOff
        /// Which limit is exceeded.
        case exceeded(String)
    }

    private struct State {
        var held = 0
        var entries = 0
        /// The numbers of the listings under way, in order.
        var underWay: [Int] = []
    }
    private let maximumEntries: Int
    /// Above this only the listing that was started first goes on.
    private let comfortable: Int
    private let state = Mutex(State())

    init(maximumEntries: Int, comfortable: Int = ListingBudget.comfortable) {
        self.maximumEntries = maximumEntries
        self.comfortable = comfortable
    }

    convenience init(_ options: SFTPCopyOptions) {
        self.init(
            maximumEntries: options.maximumEntries, comfortable: min(Self.comfortable, options.memory ?? Self.comfortable))
    }

    /// Whether one more listing may be started beside others.
    var isComfortable: Bool { state.withLock { $0.held < comfortable } }

    /// Whether deferred listings may be started side by side again.
    var isRoomy: Bool { state.withLock { $0.held < comfortable / 2 } }

    /// - Parameter number: greater than all before it.
    func began(_ number: Int) { state.withLock { $0.underWay.append(number) } }

    func ended(_ number: Int) { state.withLock { $0.underWay.removeAll { $0 == number } } }

    /// One more entry of a listing.
    ///
    /// - Parameter cost: bytes; 0 for an entry that is not kept.
    func take(_ cost: Int, for number: Int) -> Answer {
        state.withLock { state in
            guard state.entries < maximumEntries else { return .exceeded("more than \(maximumEntries) entries in all") }
            if state.held + cost > comfortable, state.underWay.first != number { return .putOff }
            guard state.held + cost <= Self.most else { return .exceeded("more than \(Self.most >> 20) MiB of names at once") }
            state.held += cost
            state.entries += 1
            return .granted
        }
    }

    /// A directory is there.
    func hold(_ cost: Int) { state.withLock { $0.held += cost } }

    /// An entry is being copied, or a directory is finished.
    func give(_ cost: Int) { state.withLock { $0.held -= cost } }

    /// A listing is deferred: its entries will be listed again.
    func giveBack(_ cost: Int, entries: Int) {
        state.withLock {
            $0.held -= cost
            $0.entries -= entries
        }
    }
}
