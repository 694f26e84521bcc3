extension SFTPClient {
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
