internal import Synchronization

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
    /// What is in it and not copied yet, its own listing included.
    private let unfinished = Mutex(1)

    /// The top itself.
    init(top: LocalDirectory, _ attributes: SFTPAttributes) throws(LocalFault) {
        (parent, depth, self.top) = (nil, 0, top)
        entry = SFTPEntry(name: "", attributes: attributes)
        identity = try top.identity()
    }

    /// Makes a directory in another one, or takes one that is there already.
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

    /// Opens it from the top down, without following a link: a tree may have more directories than descriptors can be open.
    ///
    /// - Throws: also when another directory has taken its place.
    func open() throws(LocalFault) -> LocalDirectory {
        let directory = try top.directory(at: path[...])
        guard try directory.identity() == identity else {
            throw LocalFault("open the directory", directory.path, detail: "something else has taken its place")
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
