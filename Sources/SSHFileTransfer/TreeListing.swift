internal import ErrorCore

/// The content of one directory of a tree.
struct TreeListing: Sendable {
    /// No directory with more entries is copied.
    static let mostEntries = 250_000

    private(set) var directories = HeldEntries()
    /// Files and symbolic links.
    private(set) var others = HeldEntries()
    private(set) var files = 0
    private(set) var bytes: UInt64 = 0
    /// What its entries cost of the budget.
    private(set) var held = 0
    private var seen = 0
    private var strange = Names()

    /// Of names that are only reported, the first and the number of the others.
    private struct Names: Sendable {
        private(set) var first: [String] = []
        private(set) var others = 0

        mutating func append(_ name: String) {
            if first.count < CopyTally.kept { first.append(name) } else { others += 1 }
        }
    }

    var count: Int { directories.count + others.count }

    /// Lists directories for a copy.
    struct Lister: Sendable {
        let client: SFTPClient
        let tally: CopyTally
        let budget: ListingBudget

        /// Lists a directory to its end.
        ///
        /// A failure is recorded, and what was listed before it is returned; of a directory that exceeds a limit of its own,
        /// nothing. Omissions are recorded at the end: a deferred listing is repeated.
        ///
        /// - Parameter number: that of the listing in the budget.
        /// - Returns: nil if the listing was deferred.
        /// - Throws: `TreeLimit`; the failure, where no others are to be copied after one.
        func list(_ path: String, number: Int) async throws -> TreeListing? {
            var listing = TreeListing()
            var names = client.list(path).makeAsyncIterator()
            do {
                while let name = try await names.nextName() {
                    listing.seen += 1
                    guard listing.seen <= TreeListing.mostEntries else {
                        throw await client.tooMuch(in: path, "more than \(TreeListing.mostEntries) entries in one directory")
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
            for name in listing.strange.first {
                tally.leftOut("\(ServerPath.join(path, name)) is left out: it is no file, directory or link.")
            }
            tally.omit(leftOut: listing.strange.others)
        }

        /// - Returns: false if the listing is to be deferred.
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
                    listing.strange.append(String(found.name.prefix(300)))
                    break
                }
                guard found.attributes.kind != .directory || PathText.count(place) <= ServerPath.longest else {
                    throw await client.tooMuch(in: path, "a path of more than \(ServerPath.longest) bytes")
                }
                cost = HeldEntries.cost(of: found)
                entry = found
            }
            switch budget.take(cost, for: number) {
            case .granted: break
            case .putOff: return false
            case .exceeded(let limit): throw TreeLimit(error: await client.tooMuch(in: path, limit))
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

/// A limit on a whole tree is no failure of one directory, in spite of which the others could be copied.
struct TreeLimit: Error {
    let error: SSHError
}
