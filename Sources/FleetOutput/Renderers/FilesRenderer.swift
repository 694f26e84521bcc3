package import BridgeSSHFleet

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Writes each host's output to its own files: `HOST.out` and `HOST.err` with all bytes, and `HOST.json` with its result.
package struct FilesRenderer: FleetRenderer {
    /// Closes the directory when its last owner goes.
    private final class OpenDirectory: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    private let path: String
    private let directory: OpenDirectory
    private var json = FleetJSON()
    /// The hosts whose files have been started. Files from an earlier run are replaced at that moment.
    private var openHosts: Set<String> = []

    /// The hosts with a file that could not be written. Other hosts' files are still written.
    package private(set) var incompleteHosts: Set<String> = []

    package let needsPieces = true
    package let endsWithFailure = false

    /// Creates the directory if it is missing.
    ///
    /// - Throws: `SSHError` if it cannot be used.
    package init(directory: String) throws {
        path = directory
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw LocalFileFailure("make", directory).verdict }
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LocalFileFailure("open", directory).verdict }
        self.directory = OpenDirectory(descriptor)
        guard faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 else { throw LocalFileFailure("write to", directory).verdict }
    }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws {
        switch event {
        case .started: _ = json.object(event, time: 0)
        case .output(let host, let stream, let bytes):
            try unlessRefused(host) { renderer in
                try renderer.begin(host)
                try renderer.write(bytes, to: HostFileName.of(host) + Self.suffix(stream))
            }
        case .ended(let result):
            let object = JSONValue.object(json.ended(result))
            try unlessRefused(result.host) { renderer in
                if result.outcome != .skipped { try renderer.begin(result.host) }
                try renderer.write(
                    object.bytes + [UInt8(ascii: "\n")], to: HostFileName.of(result.host) + ".json", replaces: true)
            }
            openHosts.remove(result.host)
        default: break
        }
    }

    private mutating func unlessRefused(_ host: String, _ write: (inout FilesRenderer) throws -> Void) throws {
        guard !incompleteHosts.contains(host) else { return }
        do { try write(&self) } catch {
            incompleteHosts.insert(host)
            throw error
        }
    }

    private static func suffix(_ stream: SSHEvidence.OutputStream) -> String { stream == .standardOutput ? ".out" : ".err" }

    private mutating func begin(_ host: String) throws {
        guard openHosts.insert(host).inserted else { return }
        for stream in SSHEvidence.OutputStream.allCases {
            try write([], to: HostFileName.of(host) + Self.suffix(stream), replaces: true)
        }
    }

    /// Keeps no descriptor open: there may be more hosts than descriptors.
    ///
    /// - Parameter replaces: whether existing content is removed.
    private func write(_ bytes: [UInt8], to name: String, replaces: Bool = false) throws {
        let path = path + "/" + name
        // Opening a FIFO without a reader would block forever.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = openat(directory.descriptor, name, flags, 0o600)
        guard file >= 0 else {
            let failure = LocalFileFailure("write", path)
            switch failure.errno {
            case ELOOP: throw Self.refusal(path, "it is a symbolic link, which is not followed")
            case ENXIO: throw Self.refusal(path, "it is not a regular file")
            default: throw failure.verdict
            }
        }
        defer { close(file) }
        try check(file, path)
        if replaces, ftruncate(file, 0) != 0 { throw LocalFileFailure("write", path).verdict }
        do throws(LocalFileFailure) { try LocalFileFailure.writeAll(bytes, to: file, path) } catch {
            // A result is whole or not there.
            if replaces { unlinkat(directory.descriptor, name, 0) }
            throw error.verdict
        }
    }
}

extension FilesRenderer {
    /// Refuses files that are not this user's alone: others could read the output or replace it.
    fileprivate func check(_ file: Int32, _ path: String) throws {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw LocalFileFailure("write", path).verdict }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Self.refusal(path, "it is not a regular file") }
        guard status.st_uid == geteuid() else { throw Self.refusal(path, "it belongs to another user (uid \(status.st_uid))") }
        guard status.st_nlink == 1 else { throw Self.refusal(path, "it has \(status.st_nlink) names (hard links)") }
    }

    fileprivate static func refusal(_ path: String, _ detail: String) -> SSHError {
        .onLocalFile(SSHFileProblem(.writeFailed, .local, operation: "write", path: path, detail: detail))
    }
}
