/// Files of a server, over one SFTP channel (filexfer-02, version 3, with OpenSSH's extensions if the server has them).
///
/// Any number of operations may be under way at once: each is a separate request, and none waits for another. Paths that do
/// not begin with `/` start in the directory that the server chooses, which is nearly always the user's home. Every method
/// throws ``SSHError``: `ssh.sftp.…` if the server or a file refuses, the connection's codes if the connection is lost, and
/// `ssh.local.cancelled` if the task is cancelled.
///
/// Paths and names are bytes to a server. A byte that is not UTF-8 is represented by the character U+10F700 plus that byte, in
/// results and in arguments alike, so a name from a listing names its file. Messages show it as `\xff`.
public final class SFTPClient: Sendable {
    let transport: any SFTPTransport
    let limits: SFTPLimits
    let extensions: Set<String>

    /// - Parameter limits: the answer to a request for the limits; nil if the server has no such request.
    package init(transport: any SFTPTransport, version: SFTPVersion, limits reply: SFTPReply?) {
        self.transport = transport
        var limits = SFTPLimits()
        if case .extended(let bytes)? = reply { limits.take(bytes) }
        self.limits = limits
        extensions = Set(version.extensions.keys)
    }

    // MARK: Queries

    /// A file's attributes; follows symbolic links (section 6.8).
    public func attributes(of path: String) async throws -> SFTPAttributes { try await attributes(.stat(path)) }

    /// A file's attributes; does not follow a symbolic link (section 6.8).
    public func linkAttributes(of path: String) async throws -> SFTPAttributes { try await attributes(.lstat(path)) }

    /// The absolute path, as the server resolves it (section 6.11).
    public func realPath(of path: String) async throws -> String { try await name(.realpath(path)) }

    /// The target of a symbolic link (section 6.10).
    public func target(ofLink path: String) async throws -> String { try await name(.readlink(path)) }

    // MARK: Changes

    /// Sets the attributes that are not nil (section 6.9).
    public func set(_ attributes: SFTPAttributes, of path: String) async throws { try await done(.setstat(path, attributes)) }

    /// Creates a directory.
    ///
    /// - Parameters:
    ///   - permissions: before the server's umask.
    ///   - createParents: whether to make missing parent directories. Then an existing directory is not a failure, as with `mkdir
    ///     -p`.
    /// - Throws: ``SSHError``: `ssh.sftp.already-exists`, `ssh.sftp.no-such-file` if the parent directory is missing.
    public func makeDirectory(_ path: String, permissions: UInt32 = 0o777, createParents: Bool = false) async throws {
        var attributes = SFTPAttributes()
        attributes.mode = permissions & 0o7777
        guard createParents else { return try await done(.mkdir(path, attributes)) }
        // Go up to the first existing directory, and down again.
        var missing = [path]
        while try await found(.stat(missing[missing.count - 1])) == nil {
            let parent = ServerPath.parent(of: missing[missing.count - 1])
            guard parent != ".", parent != missing.last, missing.count < ServerPath.maximumLength else { break }
            missing.append(parent)
        }
        for path in missing.reversed() {
            do {
                try await done(.mkdir(path, attributes))
            } catch let error as SSHError {
                // Some servers refuse access to an existing directory, and another copy may have made it meanwhile.
                guard try await found(.stat(path))?.kind == .directory else { throw error }
            }
        }
    }

    /// Removes an empty directory.
    public func removeDirectory(_ path: String) async throws { try await done(.rmdir(path)) }

    /// Removes anything but a directory.
    public func remove(_ path: String) async throws { try await done(.remove(path)) }

    /// Creates a symbolic link.
    public func makeSymbolicLink(_ path: String, to target: String) async throws {
        try await done(.symlink(at: path, target: target))
    }

    /// Renames a file in one step. It replaces an existing file of the new name.
    ///
    /// - Throws: ``SSHError``: `ssh.sftp.is-a-directory` if the new name is a directory's; `ssh.sftp.unsupported` if the name
    ///   exists and the server has no posix-rename@openssh.com: version 3 by itself cannot replace a file (section 6.5), and
    ///   this method never
    /// removes
    ///   one first.
    public func rename(_ path: String, to target: String) async throws {
        if extensions.contains("posix-rename@openssh.com") {
            let request = SFTPRequest.posixRename(path, to: target)
            let reply = try await send(request)
            // The server says only that it failed.
            if case .status(SFTPStatus.failure, _) = reply, try await found(.lstat(target))?.kind == .directory {
                throw await error(SSHFileProblem(.isDirectory, .remote, operation: "replace", path: target))
            }
            return try await check(reply, request)
        }
        let request = SFTPRequest.rename(path, to: target)
        let reply = try await send(request)
        // In version 3 SSH_FX_FAILURE is the only answer for an existing name; Erlang's server uses a later version's code.
        if case .status(let code, _) = reply, [SFTPStatus.failure, SFTPStatus.fileAlreadyExists].contains(code),
            (try? await linkAttributes(of: target)) != nil
        {
            throw await error(
                SSHFileProblem(
                    .unsupported, .remote, operation: "replace in one step", path: target, status: code,
                    detail: "it has no posix-rename@openssh.com"))
        }
        try await check(reply, request)
    }

    // MARK: Requests

    /// Sends requests together, and returns their answers.
    func send(_ requests: [SFTPRequest], isCleanup: Bool = false) async throws -> [SFTPReply] {
        for request in requests where request.holdsNUL {
            throw await refusal("path", "\(request.path) holds a NUL character, which no path can; remove it")
        }
        return try await transport.exchange(requests, isCleanup: isCleanup)
    }

    func send(_ request: SFTPRequest) async throws -> SFTPReply { try await send([request])[0] }

    /// Sends a request that is answered by a status alone.
    func done(_ request: SFTPRequest) async throws { try await check(try await send(request), request) }

    func handle(_ request: SFTPRequest) async throws -> [UInt8] {
        let reply = try await send(request)
        if case .handle(let handle) = reply { return handle }
        throw await failure(reply, request)
    }

    func attributes(_ request: SFTPRequest) async throws -> SFTPAttributes {
        let reply = try await send(request)
        if case .attributes(let attributes) = reply { return attributes }
        throw await failure(reply, request)
    }

    private func name(_ request: SFTPRequest) async throws -> String {
        let reply = try await send(request)
        guard case .names(var names) = reply, let first = names.popFirst() else { throw await failure(reply, request) }
        guard first.bytes.count <= ServerPath.maximumLength else {
            throw await error(
                SSHFileProblem(
                    .limitExceeded, .remote, operation: request.operation, path: request.path,
                    detail: "a path of \(first.bytes.count) bytes; the limit is \(ServerPath.maximumLength)"))
        }
        guard !first.bytes.contains(0) else {
            throw await error(.init(.unsafeName, .remote, operation: request.operation, path: request.path))
        }
        return PathText.text(first.bytes)
    }

    /// - Throws: the failure, if the answer is one.
    func check(_ reply: SFTPReply, _ request: SFTPRequest) async throws {
        if case .status(SFTPStatus.ok, _) = reply { return }
        throw await failure(reply, request)
    }

    // MARK: Failures

    /// The error for a request that no server could carry out.
    func refusal(_ field: String, _ problem: String) async -> SSHError {
        await transport.error(of: Fault(.usage(field: field, problem: PathText.shown(problem)), stage: .local))
    }

    /// - Parameter problem: a problem whose paths are not yet escaped for messages.
    func error(_ problem: SSHFileProblem) async -> SSHError {
        await transport.error(of: Fault(.fileFailed(problem.shown), stage: .sftp))
    }

    /// The fault for an answer that reports no success.
    func failure(_ reply: SFTPReply, _ request: SFTPRequest) async -> SSHError {
        guard case .status(let code, let message) = reply else {
            return await error(
                SSHFileProblem(
                    .protocolError, .remote, operation: request.operation, path: request.path, detail: "an unexpected answer")
            )
        }
        var problem = SSHFileProblem(
            SSHFileProblem.Reason(status: code, isWriting: request.isWriting), .remote, operation: request.operation,
            path: request.path, status: code, detail: message)
        // SSH_FX_FAILURE is sent for many failures, so find out the actual one.
        if problem.reason == .writeFailed, request.makesEntry, (try? await found(.lstat(request.path))) != nil {
            problem.reason = .alreadyExists
        }
        if problem.reason == .writeFailed, await isFull(request) { problem.reason = .diskFull }
        return await error(problem)
    }

    /// Asks the server how full its file system is.
    private func isFull(_ request: SFTPRequest) async -> Bool {
        guard extensions.contains("statvfs@openssh.com"), request.type == .write || request.type == .open,
            case .extended(let bytes)? = try? await send([.statvfs(ServerPath.parent(of: request.path))]).first
        else { return false }
        var reader = SSHWireReader(bytes)
        // f_bsize, f_frsize, f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail.
        let numbers = (0..<8).compactMap { _ in try? reader.uint64() }
        guard numbers.count == 8 else { return false }
        let free = numbers[1].multipliedReportingOverflow(by: numbers[4])
        return (!free.overflow && free.partialValue < UInt64(max(1, request.payloadCount))) || (numbers[5] > 0 && numbers[7] == 0)
    }
}

extension SSHFileProblem {
    /// The same problem with its paths escaped for messages.
    fileprivate var shown: SSHFileProblem {
        var problem = self
        problem.path = PathText.shown(path)
        problem.detail = PathText.shown(detail)
        return problem
    }
}

extension SSHFileProblem.Reason {
    /// The failure for a status code (filexfer-02 section 7).
    init(status: UInt32, isWriting: Bool) {
        switch status {
        case SFTPStatus.noSuchFile: self = .noSuchFile
        case SFTPStatus.permissionDenied: self = .permissionDenied
        case SFTPStatus.badMessage: self = .badMessage
        case SFTPStatus.noConnection: self = .noConnection
        case SFTPStatus.connectionLost: self = .connectionLost
        case SFTPStatus.unsupported: self = .unsupported
        default: self = isWriting ? .writeFailed : .readFailed
        }
    }
}

/// The limits of requests (limits@openssh.com), or values that every server accepts.
package struct SFTPLimits: Sendable, Equatable {
    /// Bytes of data in an answer to a read, and in a write. Every server takes 32 KiB (filexfer-02 section 3).
    var read: Int
    var write: Int

    package init(read: Int = 32768, write: Int = 32768) {
        self.read = read
        self.write = write
    }

    /// The most bytes per request, even if the server allows more: OpenSSH's own figure.
    private static let maximumLength: UInt64 = 261_120

    /// - Parameter reply: four numbers: packet, read, write, open handles; 0 means no limit.
    package mutating func take(_ reply: [UInt8]) {
        var reader = SSHWireReader(reply)
        guard (try? reader.uint64()) != nil, let read = try? reader.uint64(), let write = try? reader.uint64() else { return }
        if read > 0 { self.read = Int(min(max(read, 1024), Self.maximumLength)) }
        if write > 0 { self.write = Int(min(max(write, 1024), Self.maximumLength)) }
    }
}

/// Carries an SFTP client's requests: over a channel of this process's connection, or over one of another process.
package protocol SFTPTransport: Sendable {
    /// Sends requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether to send them even if the task is cancelled. Then the wait has its own time limit.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: ``SSHError``.
    func exchange(_ requests: [SFTPRequest], isCleanup: Bool) async throws -> [SFTPReply]

    /// The connection's error for a fault of the transfer.
    func error(of fault: Fault) async -> SSHError

    /// Runs a script of a POSIX shell over a separate channel, and returns its standard output.
    ///
    /// - Parameters:
    ///   - outputLimit: the most bytes that are kept.
    ///   - timeLimit: the time that it may take.
    func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String
}
