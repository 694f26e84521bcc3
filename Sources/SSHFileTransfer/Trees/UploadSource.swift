internal import Crypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A local file or directory to upload. It is examined once for all hosts, so that a tree is walked a single time.
///
/// The content is read again for each host: hosts are not equally fast, so a shared copy would have to keep everything until
/// the slowest host has it, and the system's page cache keeps content that several hosts are reading anyway.
package struct UploadSource: Sendable {
    package let path: String
    /// Its name in a target directory.
    let name: String
    let status: stat
    /// The entries, if it is a directory.
    let tree: TreeUpload.TreeContents?

    /// Examines the source, and for a directory the whole tree.
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

    /// The number of its files.
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
    /// Opens every file, so that unreadable files are known before any host is contacted.
    ///
    /// - Throws: `LocalFault`, `UploadProblem`.
    package func checkReadable() throws {
        guard let tree else {
            guard status.kind == .regular else { throw Self.unsupportedEntry(path) }
            _ = try LocalFile(path, O_RDONLY)
            return
        }
        if let fault = tree.faults.first { throw UploadProblem(fault) }
        if let entry = tree.unsupportedEntries.first { throw Self.unsupportedEntry(entry) }
        let top = try LocalDirectory(path)
        // Files of a directory follow each other.
        var directory = (path: Substring(), open: top)
        for item in tree.files {
            if item.parent != directory.path { directory = (item.parent, try item.directory(below: top)) }
            _ = try directory.open.file(ServerPath.name(of: item.path), O_RDONLY)
        }
    }

    private static func unsupportedEntry(_ path: String) -> UploadProblem {
        UploadProblem(
            SSHFileProblem(
                .readFailed, .local, operation: "copy", path: path, detail: "it is not a file, directory or link; leave it out"))
    }

    /// SHA-256 over names, kinds, modes, sizes and times of all entries of the sources. Another value means a change.
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
        // A directory's size and time do not describe its content.
        let isDirectory = status.kind == .directory
        let values = [
            UInt64(status.st_mode), isDirectory ? 0 : status.byteCount, isDirectory ? 0 : UInt64(status.sftpTimes.modification),
        ]
        update(data: Array(path.utf8) + [0])
        for value in values { withUnsafeBytes(of: value.littleEndian) { update(bufferPointer: $0) } }
    }
}

extension SFTPClient {
    /// The SHA-256 of a file on the server, computed by a program that nearly every system has.
    ///
    /// - Parameter size: the size of the file, if it is known.
    /// - Throws: the connection's failures.
    func remoteChecksum(_ path: String, size: UInt64) async throws -> FileChecksum {
        // Use an absolute path: a command may start in another directory than SFTP.
        let absolute = try await realPath(of: path)
        let word = Self.quoted(absolute)
        let noCommand =
            ServerPath.beginsWithDrive(absolute)
            ? "Windows' shells do not compute it" : "the server runs no commands for this user"
        let script = """
            f=\(word)
            if [ ! -e "$f" ]; then echo missing
            elif [ ! -r "$f" ]; then echo unreadable
            else sha256sum -- "$f" 2>/dev/null || shasum -a 256 -- "$f" 2>/dev/null || openssl dgst -sha256 -r "$f" 2>/dev/null || echo none
            fi

            """
        let output: String
        do {
            output = try await transport.output(
                ofShellScript: script, outputLimit: 1 << 16, timeLimit: Self.checksumTimeLimit(for: size))
        } catch let error as SSHError {
            switch error.stage {
            case .command where error.code == .commandTimedOut: return .unavailable("the server did not compute it in time")
            case .channel where error.code == .channelSessionLimit:
                return .unavailable("the server allows no command during a copy (MaxSessions in sshd_config)")
            case .channel, .command: return .unavailable(noCommand)
            default: throw error
            }
        }
        // For a name with a backslash or newline the line begins with a backslash (coreutils).
        let digits = output.drop { $0 == "\\" }.prefix { $0.isHexDigit }
        if digits.count == 64 { return .sum(digits.lowercased()) }
        switch output.split(whereSeparator: \.isNewline).last {
        case "unreadable": return .unavailable("a command on the server may not read it")
        case "missing": return .unavailable("a command on the server does not find it, so SFTP has another root directory there")
        case "none": return .unavailable("the server has neither sha256sum nor shasum nor openssl")
        default: return .unavailable(noCommand)
        }
    }

    /// One minute plus the time that a slow disk takes, at 4 MiB/s.
    static func checksumTimeLimit(for size: UInt64) -> Duration { .seconds(60 + Int64(size >> 22)) }

    /// For a POSIX shell.
    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    static func checksum(of file: LocalFile) throws -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while true {
            let bytes = try file.read(offset..<offset + (1 << 20))
            if bytes.count == 0 { break }
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
            offset += UInt64(bytes.count)
        }
        return hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Work on local files; its failures are reported as local ones.
    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await Disk.run(body)
        } catch let fault as LocalFault {
            throw await error(SSHFileProblem(fault))
        } catch let problem as UploadProblem {
            throw await error(problem.problem)
        }
    }
}

extension SSHFileProblem {
    /// A system call on a local file that failed.
    package init(_ fault: LocalFault) {
        let reason: Reason
        switch fault.number {
        case ENOENT, ENOTDIR: reason = .noSuchFile
        case EACCES, EPERM, EROFS: reason = .permissionDenied
        case ENOSPC, EDQUOT: reason = .diskFull
        case EISDIR: reason = .isDirectory
        default: reason = ["read", "list", "look at", "read the link"].contains(fault.operation) ? .readFailed : .writeFailed
        }
        self.init(
            reason, .local, operation: fault.operation, path: fault.path, detail: fault.detail,
            systemError: fault.number == 0 ? nil : fault.number)
    }
}
