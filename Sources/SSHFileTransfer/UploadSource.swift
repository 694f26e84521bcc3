internal import Crypto

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A local file or directory that is to be uploaded, looked at once: many hosts may get it, and a tree is walked a single time.
///
/// What a file holds is read for each host again, and not kept: hosts take it at different paces, so that a copy of our own would have
/// to hold all of it until the slowest has it, and the system's page cache keeps what several hosts are reading anyway.
package struct UploadSource: Sendable {
    package let path: String
    /// Its name in a directory that it goes into.
    let name: String
    let status: stat
    /// What is in a directory.
    let tree: TreeUpload.Found?

    /// Looks at it, and at all of a directory.
    ///
    /// - Throws: `LocalFault`, `UploadProblem`.
    package init(_ path: String, _ options: SFTPCopyOptions) throws {
        self.path = path
        status = try LocalPath.status(path)
        // `.` and `..` have names too.
        name = ServerPath.name(of: ServerPath.name(of: path).isEmpty ? LocalPath.resolved(path) : path)
        guard status.kind == .directory else {
            tree = nil
            return
        }
        guard options.isRecursive else {
            throw UploadProblem(SSHFileProblem(.isDirectory, .local, operation: "copy", path: path))
        }
        tree = try TreeUpload.look(at: path, atMost: options.maximumEntries)
    }

    package var isDirectory: Bool { tree != nil }

    /// How many files it has.
    package var files: Int { tree?.files.count ?? 1 }

    /// Bytes in its files.
    package var bytes: UInt64 {
        tree?.files.reduce(0) { $0 &+ $1.status.byteCount } ?? (status.kind == .regular ? status.byteCount : 0)
    }
}

/// Why a local source cannot be uploaded.
package struct UploadProblem: Error {
    package let problem: SSHFileProblem

    init(_ problem: SSHFileProblem) { self.problem = problem }
}

extension UploadSource {
    /// Opens every file, so that what cannot be copied is known before any host is touched.
    ///
    /// - Throws: `LocalFault`, `UploadProblem`.
    package func checkReadable() throws {
        guard let tree else {
            guard status.kind == .regular else { throw Self.strange(path) }
            _ = try LocalFile(path, O_RDONLY)
            return
        }
        if let fault = tree.faults.first { throw UploadProblem(fault) }
        if let strange = tree.strange.first { throw Self.strange(strange) }
        let top = try LocalDirectory(path)
        // Files of a directory follow each other.
        var directory = (path: Substring(), open: top)
        for item in tree.files {
            if item.parent != directory.path { directory = (item.parent, try item.directory(below: top)) }
            _ = try directory.open.file(ServerPath.name(of: item.path), O_RDONLY)
        }
    }

    private static func strange(_ path: String) -> UploadProblem {
        UploadProblem(
            SSHFileProblem(
                .readFailed, .local, operation: "copy", path: path, detail: "it is no file, directory or link; leave it out"))
    }

    /// SHA-256 of names, kinds, modes, sizes and times of all that the sources have: another one means that something was changed.
    package static func digest(of sources: [UploadSource]) -> [UInt8] {
        var hash = SHA256()
        for source in sources {
            hash.add("", source.status)
            guard let tree = source.tree else { continue }
            for item in (tree.directories + tree.files + tree.links).sorted(by: { $0.path < $1.path }) {
                hash.add(item.path, item.status)
            }
        }
        return Array(hash.finalize())
    }
}

extension SHA256 {
    fileprivate mutating func add(_ path: String, _ status: stat) {
        // A directory's size and time say nothing of what is in it.
        let isDirectory = status.kind == .directory
        let values = [
            UInt64(status.st_mode), isDirectory ? 0 : status.byteCount, isDirectory ? 0 : UInt64(status.sftpTimes.modification),
        ]
        update(data: Array(path.utf8) + [0])
        for value in values { withUnsafeBytes(of: value.littleEndian) { update(bufferPointer: $0) } }
    }
}
