public import BridgeSSH
internal import Synchronization

/// The files of a simulated server: a client reads, writes, lists and copies them as it would over a connection.
///
/// ```swift
/// let server = InMemoryFiles(["/etc/motd": "hello\n"])
/// try await deploy(to: server)
/// #expect(server.text(of: "/srv/app/version") == "2.1\n")
/// ```
/// It answers the requests of SFTP version 3 with OpenSSH's posix-rename, fsync and statvfs, so that the client's own code is
/// tested: `SFTPClient` with its copies and its errors. Paths that do not begin with `/` start in `/`. It has no shell, and so no
/// checksums from the server.
public final class InMemoryFiles: SFTPProviding {
    let tree = Mutex(FileTree())

    /// A server with these files, by path; the directories above them exist too.
    public init(_ files: [String: String] = [:]) {
        for (path, text) in files { self[path] = Array(text.utf8) }
    }

    /// The content of a file; nil if there is none. Setting it makes the directories above it, and nil removes it.
    public subscript(path: String) -> [UInt8]? {
        get { tree.withLock { $0.content(of: path) } }
        set { tree.withLock { $0.put(newValue, at: path) } }
    }

    /// The content of a file as UTF-8; nil if there is none.
    public func text(of path: String) -> String? { self[path].map { String(decoding: $0, as: UTF8.self) } }

    /// The paths of all files, sorted, without directories and symbolic links.
    public var paths: [String] { tree.withLock { $0.files } }

    /// Refuses every request that names this path from now on: `ssh.sftp.permission-denied`.
    public func deny(_ path: String) { tree.withLock { $0.deny(path) } }

    /// Whether nothing more can be written: `ssh.sftp.disk-full`.
    public var isFull: Bool {
        get { tree.withLock { $0.isFull } }
        set { tree.withLock { $0.isFull = newValue } }
    }

    /// Lends a client to `body`.
    ///
    /// - Throws: what `body` throws.
    public func withSFTP<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        let session = InMemorySFTP(files: self)
        defer { session.end() }
        let extensions = InMemorySFTP.extensions.map { ($0, [UInt8]()) }
        let version = SFTPVersion(number: 3, extensions: Dictionary(uniqueKeysWithValues: extensions))
        return try await body(SFTPClient(transport: session, version: version, limits: nil))
    }
}

/// A client's session with files in memory: reads its requests, and answers them.
final class InMemorySFTP: SFTPTransport {
    static let extensions = ["posix-rename@openssh.com", "fsync@openssh.com", "statvfs@openssh.com"]

    private let files: InMemoryFiles
    private let handles = Mutex(HandleTable())

    private struct HandleTable {
        var open: [[UInt8]: FileTree.Handle] = [:]
        var next: UInt32 = 1
        var isOver = false
    }

    init(files: InMemoryFiles) { self.files = files }

    func end() { handles.withLock { $0.isOver = true } }

    func exchange(_ requests: [SFTPRequest], isCleanup: Bool) async throws -> [SFTPReply] {
        if !isCleanup, Task.isCancelled { throw await error(of: Fault(.cancelled(signal: nil), stage: .local)) }
        guard !handles.withLock({ $0.isOver }) else {
            let problem = "an SFTP client was used after the closure that it was lent to had returned"
            throw await error(of: Fault(.closed(problem: problem), stage: .local))
        }
        return requests.map { request in
            do throws(SFTPRefusal) {
                return try answer(request)
            } catch {
                return .status(code: error.code, message: error.message)
            }
        }
    }

    func error(of fault: Fault) async -> SSHError {
        SSHFailureClassifier.classify(SSHEvidence(event: fault.event, stage: fault.stage ?? .sftp, host: "memory"))
    }

    func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String {
        throw await error(of: Fault(.requestRefused(.exec), stage: .channel))
    }

    // MARK: Answers

    private func answer(_ request: SFTPRequest) throws(SFTPRefusal) -> SFTPReply {
        var reader = SSHWireReader(request.body)
        do {
            return try answer(request, &reader)
        } catch let refusal as SFTPRefusal {
            throw refusal
        } catch {
            throw SFTPRefusal(SFTPStatus.badMessage, "the request cannot be read")
        }
    }

    private func answer(_ request: SFTPRequest, _ reader: inout SSHWireReader) throws -> SFTPReply {
        switch request.type {
        case .stat: return .attributes(try tree(path(&reader)) { try $0.attributes(of: $1, following: true) })
        case .lstat: return .attributes(try tree(path(&reader)) { try $0.attributes(of: $1, following: false) })
        case .realpath: return Self.name(FileTree.normal(try path(&reader)))
        case .readlink: return Self.name(try tree(path(&reader)) { try $0.target(of: $1) })
        case .remove: try tree(path(&reader)) { try $0.remove($1, directory: false) }
        case .rmdir: try tree(path(&reader)) { try $0.remove($1, directory: true) }
        case .mkdir:
            let path = try path(&reader)
            let attributes = try SFTPAttributes(from: &reader)
            try tree(path) { try $0.makeDirectory($1, attributes) }
        case .setstat:
            let path = try path(&reader)
            let attributes = try SFTPAttributes(from: &reader)
            try tree(path) { try $0.set(attributes, of: $1) }
        case .symlink:
            let target = try path(&reader)
            try tree(path(&reader)) { try $0.makeLink($1, to: target) }
        case .rename: try rename(&reader, replaces: false)
        case .open:
            let path = try path(&reader)
            let flags = SFTPRequest.OpenFlags(rawValue: try reader.uint32())
            let attributes = try SFTPAttributes(from: &reader)
            return .handle(add(try tree(path) { try $0.open($1, flags, attributes) }))
        case .opendir: return .handle(add(try tree(path(&reader)) { try $0.openDirectory($1) }))
        case .readdir: return try list(Array(reader.string()))
        case .close:
            let handle = Array(try reader.string())
            guard handles.withLock({ $0.open.removeValue(forKey: handle) }) != nil else { throw SFTPRefusal.badHandle }
        case .fstat:
            let file = try file(&reader)
            return .attributes(try files.tree.withLock { try $0.attributes(of: file) })
        case .fsetstat:
            let file = try file(&reader)
            let attributes = try SFTPAttributes(from: &reader)
            try files.tree.withLock { try $0.set(attributes, of: file) }
        case .read:
            let file = try file(&reader)
            let (offset, count) = (try reader.uint64(), try reader.uint32())
            return .data(copying: try files.tree.withLock { try $0.read(file, offset, Int(count)) })
        case .write:
            let file = try file(&reader)
            let offset = try reader.uint64()
            try files.tree.withLock { try $0.write(file, offset, request.payloadBytes) }
        case .extended: return try answer(extension: try reader.text(), &reader)
        default: throw SFTPRefusal(SFTPStatus.unsupported, "not supported")
        }
        return Self.done
    }

    private func answer(extension name: String, _ reader: inout SSHWireReader) throws -> SFTPReply {
        switch name {
        case "posix-rename@openssh.com": try rename(&reader, replaces: true)
        case "fsync@openssh.com": _ = try file(&reader)
        case "statvfs@openssh.com":
            var writer = SSHWireWriter()
            let free: UInt64 = files.isFull ? 0 : 1 << 30
            // f_bsize, f_frsize, f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail, f_fsid, f_flag, f_namemax.
            for number in [4096, 4096, 1 << 30, free, free, 1 << 20, 1 << 19, 1 << 19, 0, 0, 255] { writer.uint64(number) }
            return .extended(writer.bytes)
        default: throw SFTPRefusal(SFTPStatus.unsupported, "not supported")
        }
        return Self.done
    }

    private static let done = SFTPReply.status(code: SFTPStatus.ok, message: "")

    private static func name(_ path: String) -> SFTPReply {
        .names(SFTPNames(of: [SFTPName(bytes: PathText.bytes(of: path), attributes: SFTPAttributes())]))
    }

    private func path(_ reader: inout SSHWireReader) throws -> String { PathText.text(Array(try reader.string())) }

    private func file(_ reader: inout SSHWireReader) throws -> FileTree.OpenFile {
        let handle = Array(try reader.string())
        guard case .file(let file)? = handles.withLock({ $0.open[handle] }) else { throw SFTPRefusal.badHandle }
        return file
    }

    private func tree<Value: Sendable>(_ path: String, _ body: (inout FileTree, String) throws -> Value) throws -> Value {
        try files.tree.withLock { tree in
            try tree.check(path)
            return try body(&tree, path)
        }
    }

    private func rename(_ reader: inout SSHWireReader, replaces: Bool) throws {
        let (old, new) = (try path(&reader), try path(&reader))
        try tree(old) { tree, old in
            try tree.check(new)
            try tree.rename(old, to: new, replaces: replaces)
        }
    }

    private func add(_ handle: FileTree.Handle) -> [UInt8] {
        handles.withLock { state in
            var writer = SSHWireWriter()
            writer.uint32(state.next)
            state.next &+= 1
            state.open[writer.bytes] = handle
            return writer.bytes
        }
    }

    /// A listing comes in parts, as a server's does.
    private func list(_ handle: [UInt8]) throws -> SFTPReply {
        try handles.withLock { state in
            guard case .directory(let names)? = state.open[handle] else { throw SFTPRefusal.badHandle }
            guard !names.isEmpty else { throw SFTPRefusal(SFTPStatus.endOfFile, "") }
            state.open[handle] = .directory(names.dropFirst(100))
            return .names(SFTPNames(of: Array(names.prefix(100))))
        }
    }
}

/// A status that is not a success.
struct SFTPRefusal: Error {
    let code: UInt32
    let message: String

    init(_ code: UInt32, _ message: String) { (self.code, self.message) = (code, message) }

    static let badHandle = SFTPRefusal(SFTPStatus.failure, "no such handle")
}
