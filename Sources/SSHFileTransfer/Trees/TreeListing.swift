internal import ErrorCore
internal import Synchronization

/// The content of one directory of a tree.
struct TreeListing: Sendable {
    /// No directory with more entries is copied.
    static let maximumEntries = 250_000

    private(set) var directories = HeldEntries()
    /// Files and symbolic links.
    private(set) var others = HeldEntries()
    private(set) var files = 0
    private(set) var bytes: UInt64 = 0
    /// The share of the budget that its entries take.
    private(set) var held = 0
    private var seen = 0
    private var unsupportedNames = Names()

    /// For names that are only reported: the first name, and the number of the others.
    private struct Names: Sendable {
        private(set) var first: [String] = []
        private(set) var others = 0

        mutating func append(_ name: String) {
            if first.count < CopyTally.maximumEntries { first.append(name) } else { others += 1 }
        }
    }

    var count: Int { directories.count + others.count }

    /// Lists directories for a copy.
    struct DirectoryLister: Sendable {
        let client: SFTPClient
        let tally: CopyTally
        let budget: ListingBudget

        /// Lists a directory to its end.
        ///
        /// A failure is recorded, and the entries listed before it are returned, but none of a directory that exceeds its own
        /// limit. Omissions are recorded at the end, because a deferred listing is repeated.
        ///
        /// - Parameter number: that of the listing in the budget.
        /// - Returns: nil if the listing was deferred.
        /// - Throws: `TreeLimit`; the failure, if the copy does not continue after failures.
        func list(_ path: String, number: Int) async throws -> TreeListing? {
            var listing = TreeListing()
            var names = client.list(path).makeAsyncIterator()
            do {
                while let name = try await names.nextName() {
                    listing.seen += 1
                    guard listing.seen <= TreeListing.maximumEntries else {
                        throw await client.limitExceeded(
                            in: path, "more than \(TreeListing.maximumEntries) entries in one directory")
                    }
                    guard try await take(name, of: path, into: &listing, number) else {
                        await names.end()
                        budget.giveBack(listing.held, entries: listing.seen - 1)
                        return nil
                    }
                }
            } catch let error as SSHError where error.category == .file {
                await names.end()
                if error.code == .sftpLimitExceeded {
                    budget.give(listing.held)
                    listing = TreeListing()
                }
                try await tally.attempt { throw error }
            }
            note(listing, of: path)
            return listing
        }

        private func note(_ listing: TreeListing, of path: String) {
            for name in listing.unsupportedNames.first {
                tally.leftOut("\(ServerPath.join(path, name)) is left out: it is not a file, directory or link.")
            }
            tally.omit(leftOut: listing.unsupportedNames.others)
        }

        /// - Returns: false if the listing must be deferred.
        private func take(
            _ name: ListedName, of path: String, into listing: inout TreeListing, _ number: Int
        ) async throws -> Bool {
            var cost = 0
            var entry: SFTPEntry?
            switch name {
            case .itself: break
            case .entry(var found):
                let place = ServerPath.join(path, found.name)
                // A listing need not include an entry's type.
                if found.attributes.kind == nil { found.attributes = try await client.linkAttributes(of: place) }
                guard found.attributes.kind != .other, found.attributes.kind != nil else {
                    listing.unsupportedNames.append(String(found.name.prefix(300)))
                    break
                }
                guard found.attributes.kind != .directory || PathText.count(place) <= ServerPath.maximumLength else {
                    throw await client.limitExceeded(in: path, "a path of more than \(ServerPath.maximumLength) bytes")
                }
                cost = HeldEntries.cost(of: found)
                entry = found
            }
            switch budget.take(cost, for: number) {
            case .granted: break
            case .postponed: return false
            case .exceeded(let limit): throw TreeLimit(error: await client.limitExceeded(in: path, limit))
            }
            if let entry { listing.add(entry, cost) }
            return true
        }
    }

    private mutating func add(_ entry: SFTPEntry, _ cost: Int) {
        held += cost
        guard entry.attributes.kind != .directory else { return directories.append(entry) }
        others.append(entry)
        guard entry.attributes.kind == .regular else { return }
        files += 1
        bytes &+= entry.attributes.size ?? 0
    }
}

/// A limit on a whole tree. It ends the copy, unlike the failure of one directory.
struct TreeLimit: Error {
    let error: SSHError
}

/// Decides what part of a tree is copied next. No I/O.
struct TreeQueue {
    /// Existing directories that must be listed (again).
    private var unlisted: [TreeDirectory] = []
    /// The contents of listed directories. The newest is processed first, so that few wait, however large the tree is.
    private var branches: [(directory: TreeDirectory, entries: HeldEntries)] = []
    private var leaves: [(directory: TreeDirectory, entries: HeldEntries)] = []
    /// The first in `leaves` that is not done.
    private var leaf = 0

    /// The next directory to list, or to make and list.
    enum Directory: Sendable {
        case made(TreeDirectory)
        case entry(SFTPEntry, in: TreeDirectory)
    }

    mutating func add(_ directory: TreeDirectory) { unlisted.append(directory) }

    mutating func add(_ listing: TreeListing, of directory: TreeDirectory) {
        if listing.directories.count > 0 { branches.append((directory, listing.directories)) }
        if listing.others.count > 0 { leaves.append((directory, listing.others)) }
    }

    /// Whether a directory is still to be listed.
    var hasDirectories: Bool { !unlisted.isEmpty || !branches.isEmpty }

    mutating func nextDirectory() -> Directory? {
        if let directory = unlisted.popLast() { return .made(directory) }
        guard let last = branches.indices.last, let entry = branches[last].entries.popFirst() else { return nil }
        let parent = branches[last].directory
        if branches[last].entries.count == 0 { branches.removeLast() }
        return .entry(entry, in: parent)
    }

    /// The directory that the next file is in.
    var nextParent: TreeDirectory? { leaf < leaves.count ? leaves[leaf].directory : nil }

    /// The next file or symbolic link.
    mutating func nextEntry() -> SFTPEntry? {
        guard leaf < leaves.count, let entry = leaves[leaf].entries.popFirst() else { return nil }
        if leaves[leaf].entries.count == 0 { dropParent() }
        return entry
    }

    /// Goes on to the next directory that has files.
    private mutating func dropParent() {
        // Free its bytes now, not when the array is cut.
        leaves[leaf].entries = HeldEntries()
        leaf += 1
        guard leaf > leaves.count / 2 else { return }
        leaves.removeFirst(leaf)
        leaf = 0
    }
}

/// A directory of a tree that is being downloaded, from its creation until all its content is there.
final class TreeDirectory: Sendable {
    /// About how many bytes of memory it takes.
    static let cost = 512

    let parent: TreeDirectory?
    let entry: SFTPEntry
    /// 0 for the top.
    let depth: Int
    private let top: LocalDirectory
    private let identity: LocalDirectory.Identity
    /// The number of its entries that are not copied yet, plus one for its own listing.
    private let unfinished = Mutex(1)

    /// The top itself.
    init(top: LocalDirectory, _ attributes: SFTPAttributes) throws(LocalFault) {
        (parent, depth, self.top) = (nil, 0, top)
        entry = SFTPEntry(name: "", attributes: attributes)
        identity = try top.identity()
    }

    /// Makes a directory in another one, or uses an existing one.
    init(making entry: SFTPEntry, in parent: TreeDirectory) throws(LocalFault) {
        self.parent = parent
        self.entry = entry
        depth = parent.depth + 1
        top = parent.top
        identity = try parent.open().makeDirectory(entry.name, permissions: entry.attributes.permissions ?? 0o777).identity()
    }

    /// Below the top; empty for the top itself.
    var path: String {
        guard let parent else { return "" }
        return parent.parent == nil ? entry.name : parent.path + "/" + entry.name
    }

    /// Opens it from the top down, without following a link. It is not kept open: a tree may have more directories than there
    /// are descriptors.
    ///
    /// - Throws: also if another directory has taken its place.
    func open() throws(LocalFault) -> LocalDirectory {
        let directory = try top.directory(at: path[...])
        guard try directory.identity() == identity else {
            throw LocalFault("open the directory", directory.path, detail: "it was replaced by something else")
        }
        return directory
    }

    func expect(_ count: Int) { unfinished.withLock { $0 += count } }

    /// - Returns: whether nothing is left to be done in it.
    func finished(_ count: Int = 1) -> Bool {
        unfinished.withLock { unfinished in
            unfinished -= count
            return unfinished == 0
        }
    }
}

/// Limits the memory of all listings of a tree together, and the number of the tree's entries.
///
/// Above a comfortable amount only the oldest listing continues. The others are deferred until the entries before them are
/// copied. So trees of any size are copied. Only a single huge directory, or a tree with very many directories side by side at
/// every level, reaches ``maximumBytes``.
final class ListingBudget: Sendable {
    static let softLimit = 4 << 20
    static let maximumBytes = 12 << 20

    enum Answer {
        case granted, postponed
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
    private let softLimit: Int
    private let state = Mutex(State())

    init(maximumEntries: Int, softLimit: Int = ListingBudget.softLimit) {
        self.maximumEntries = maximumEntries
        self.softLimit = softLimit
    }

    convenience init(_ options: SFTPCopyOptions) {
        self.init(
            maximumEntries: options.maximumEntries, softLimit: min(Self.softLimit, options.memory ?? Self.softLimit))
    }

    /// Whether another listing may start in addition to the running ones.
    var isBelowSoftLimit: Bool { state.withLock { $0.held < softLimit } }

    /// Whether deferred listings may be started side by side again.
    var mayParallelize: Bool { state.withLock { $0.held < softLimit / 2 } }

    /// - Parameter number: a number greater than all earlier ones.
    func began(_ number: Int) { state.withLock { $0.underWay.append(number) } }

    func ended(_ number: Int) { state.withLock { $0.underWay.removeAll { $0 == number } } }

    /// One more entry of a listing.
    ///
    /// - Parameter cost: bytes; 0 for an entry that is not kept.
    func take(_ cost: Int, for number: Int) -> Answer {
        state.withLock { state in
            guard state.entries < maximumEntries else { return .exceeded("more than \(maximumEntries) entries in all") }
            if state.held + cost > softLimit, state.underWay.first != number { return .postponed }
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
