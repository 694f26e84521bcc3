/// Decides what part of a tree is copied next. No I/O.
struct TreeQueue {
    /// Directories that are there and have to be listed (again).
    private var unlisted: [TreeDirectory] = []
    /// What is in directories that were listed, of which the last is gone on with: few wait then, however large the tree is.
    private var branches: [(directory: TreeDirectory, entries: HeldEntries)] = []
    private var leaves: [(directory: TreeDirectory, entries: HeldEntries)] = []
    /// The first in `leaves` that is not done.
    private var leaf = 0

    /// A directory that is to be listed, or to be made and listed.
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
        // Its bytes are not kept until the array is cut.
        leaves[leaf].entries = HeldEntries()
        leaf += 1
        guard leaf > leaves.count / 2 else { return }
        leaves.removeFirst(leaf)
        leaf = 0
    }
}
