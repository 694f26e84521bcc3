internal import Synchronization

/// Limits the memory of all listings of a tree together, and the number of the tree's entries.
///
/// Above a comfortable amount only the oldest listing continues. The others are deferred until the entries before them are
/// copied. So trees of any size are copied. Only a single huge directory, or a tree with very many directories side by side at
/// every level, reaches ``maximumBytes``.
final class ListingBudget: Sendable {
    static let comfortable = 4 << 20
    static let maximumBytes = 12 << 20

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
    /// Above this only the oldest listing continues.
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

    /// Whether another listing may start beside the present ones.
    var isComfortable: Bool { state.withLock { $0.held < comfortable } }

    /// Whether deferred listings may be started side by side again.
    var isRoomy: Bool { state.withLock { $0.held < comfortable / 2 } }

    /// - Parameter number: a number greater than all earlier ones.
    func began(_ number: Int) { state.withLock { $0.underWay.append(number) } }

    func ended(_ number: Int) { state.withLock { $0.underWay.removeAll { $0 == number } } }

    /// One more entry of a listing.
    ///
    /// - Parameter cost: bytes; 0 for an entry that is not kept.
    func take(_ cost: Int, for number: Int) -> Answer {
        state.withLock { state in
            guard state.entries < maximumEntries else { return .exceeded("more than \(maximumEntries) entries in all") }
            if state.held + cost > comfortable, state.underWay.first != number { return .putOff }
            guard state.held + cost <= Self.maximumBytes else {
                return .exceeded("more than \(Self.maximumBytes >> 20) MiB of names at once")
            }
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

/// Entries of a directory that wait to be copied, in the protocol's encoding, which takes far less memory than separate values.
struct HeldEntries: Sendable {
    private static let chunkSize = 1 << 15
    private var chunks: [[UInt8]] = []
    private var last = SSHWireWriter()
    private var reader = SSHWireReader([])
    private(set) var count = 0

    /// About how many bytes of memory an entry takes.
    static func cost(of entry: SFTPEntry) -> Int { entry.name.utf8.count + 32 }

    mutating func append(_ entry: SFTPEntry) {
        last.string(entry.name)
        entry.attributes.write(to: &last)
        count += 1
        guard last.bytes.count >= Self.chunkSize else { return }
        chunks.append(last.bytes)
        last = SSHWireWriter()
    }

    mutating func popFirst() -> SFTPEntry? {
        if reader.isAtEnd {
            if chunks.isEmpty {
                reader = SSHWireReader(last.bytes)
                last = SSHWireWriter()
            } else {
                reader = SSHWireReader(chunks.removeFirst())
            }
        }
        guard let name = try? reader.text(), let attributes = try? SFTPAttributes(from: &reader) else { return nil }
        count -= 1
        return SFTPEntry(name: name, attributes: attributes)
    }
}
