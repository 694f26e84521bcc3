/// A copy of a directory with all its content from a server.
protocol TreeCopy: Sendable {
    /// - Throws: also `TreeLimit`.
    func copyAll() async throws
}

extension TreeCopy {
    func run() async throws {
        do {
            try await copyAll()
        } catch let limit as TreeLimit {
            throw limit.error
        }
    }
}

/// What holds for every tree at a server, whatever it lists.
enum RemoteTree {
    /// Levels of directories below the top: deeper than any path that a system takes.
    static let deepest = 256

    /// Whether a link's target, by its text, is in the tree: relative, and with no more `..` than there are levels above it.
    ///
    /// `..` behind another component is refused: it leads up from where that one leads to, which may be a link too.
    static func staysInside(_ goal: String, from path: String) -> Bool {
        guard !goal.isEmpty, goal.utf8.first != UInt8(ascii: "/") else { return false }
        var level = path.utf8.split(separator: UInt8(ascii: "/")).count - 1
        var hasDescended = false
        for part in goal.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            guard part.elementsEqual("..".utf8) else {
                hasDescended = true
                continue
            }
            level -= 1
            if hasDescended || level < 0 { return false }
        }
        return true
    }
}

extension SFTPClient {
    /// - Parameters:
    ///   - depth: that of a directory in a tree; 0 for the top.
    ///   - path: the directory above it.
    func checkDepth(_ depth: Int, in path: String) async throws {
        guard depth > RemoteTree.deepest else { return }
        throw TreeLimit(error: await tooMuch(in: path, "more than \(RemoteTree.deepest) levels of directories"))
    }

    /// The target of a symbolic link in a tree; nil if it leads out of the tree, which is reported.
    ///
    /// - Parameter place: the link's path below the top.
    func target(ofLink path: String, inTree place: String, _ tally: CopyTally) async throws -> String? {
        let goal = try await target(ofLink: path)
        if RemoteTree.staysInside(goal, from: place) { return goal }
        tally.leftOut("\(path) is left out: it is a link that leads outside of what is copied (\(goal)).")
        return nil
    }

    /// Makes a directory of a tree, or takes one that is there already. The server does not say that one is, only that it failed.
    ///
    /// - Returns: whether it is new.
    func placeDirectory(_ path: String, mode: UInt32) async throws -> Bool {
        var attributes = SFTPAttributes()
        // Whatever its mode, we have to be able to write into it.
        attributes.mode = mode & 0o777 | 0o700
        let request = SFTPRequest.mkdir(path, attributes)
        let reply = try await send(request)
        if case .status(SFTPStatus.ok, _) = reply { return true }
        guard try await found(.stat(path))?.kind == .directory else { throw await failure(reply, request) }
        return false
    }

    /// Makes a symbolic link of a tree; replaces an old link of that name.
    func placeLink(_ path: String, to goal: String) async throws {
        do {
            try await makeSymbolicLink(path, to: goal)
        } catch let error as SSHError where error.code == .sftpAlreadyExists {
            guard try await linkAttributes(of: path).kind == .symbolicLink else { throw error }
            try await remove(path)
            try await makeSymbolicLink(path, to: goal)
        }
    }
}
