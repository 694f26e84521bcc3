package import NIOCore

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Packet types (filexfer-02 section 3).
package enum SFTPMessageType: UInt8 {
    case initialize = 1, version = 2, open = 3, close = 4, read = 5, write = 6, lstat = 7, fstat = 8, setstat = 9
    case fsetstat = 10, opendir = 11, readdir = 12, remove = 13, mkdir = 14, rmdir = 15, realpath = 16, stat = 17
    case rename = 18, readlink = 19, symlink = 20, status = 101, handle = 102, data = 103, name = 104, attributes = 105
    case extended = 200, extendedReply = 201
}

/// One request, without its id.
package struct SFTPRequest: Sendable {
    package let type: SFTPMessageType
    /// The operation as a verb, for messages.
    package let operation: String
    /// The file, for messages.
    package let path: String
    /// Whether a path in it holds a NUL: a server may end the connection for it.
    package let holdsNUL: Bool
    /// The bytes after the id.
    package let body: [UInt8]
    /// The bytes after the body: the data of a write.
    var payload = ByteBuffer()
    /// Whether it fails if the name exists already.
    package var makesEntry = false
    /// The most data that the answer may hold: the requested length.
    var dataLimit = 0
    var closedHandle: [UInt8]?
    /// Checks whether the request's file is still open; nil if the caller ensures that.
    package var isStillOpen: (@Sendable () -> Bool)?

    init(
        _ type: SFTPMessageType, _ operation: String, _ path: String, and other: String = "",
        _ fill: (inout SSHWireWriter) -> Void
    ) {
        self.type = type
        self.operation = operation
        self.path = path
        holdsNUL = path.utf8.contains(0) || other.utf8.contains(0)
        var writer = SSHWireWriter()
        fill(&writer)
        body = writer.bytes
    }

    /// Whether it changes a file. The meaning of SSH_FX_FAILURE depends on that.
    package var isWriting: Bool {
        switch type {
        case .open: operation == "write"
        case .read, .lstat, .fstat, .opendir, .readdir, .realpath, .stat, .readlink: false
        default: true
        }
    }

    /// The possible types of its reply, besides STATUS.
    var answer: SFTPMessageType {
        switch type {
        case .open, .opendir: .handle
        case .read: .data
        case .readdir, .realpath, .readlink: .name
        case .stat, .lstat, .fstat: .attributes
        case .extended: .extendedReply
        default: .status
        }
    }

    /// The whole packet.
    func encode(id: UInt32) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(9 + body.count + (payload.readableBytes < 16384 ? payload.readableBytes : 0))
        buffer.writeInteger(UInt32(5 + body.count + payload.readableBytes))
        buffer.writeInteger(type.rawValue)
        buffer.writeInteger(id)
        buffer.writeBytes(body)
        return buffer
    }
}

/// One answer.
package enum SFTPReply: Sendable, Equatable {
    case status(code: UInt32, message: String)
    case handle([UInt8])
    case data(ByteBuffer)
    case names(SFTPNames)
    case attributes(SFTPAttributes)
    case extended([UInt8])
}

/// A violation of the protocol by a server.
struct SFTPProtocolViolation: Error, Equatable {
    let problem: String
    init(_ problem: String) { self.problem = problem }
}

extension SFTPRequest {
    /// Bytes of data that it carries.
    package var payloadCount: Int { payload.readableBytes }
    /// The data that it carries, copied.
    package var payloadBytes: [UInt8] { Array(payload.readableBytesView) }
}

/// The requests of filexfer-02 section 6 and of OpenSSH's extensions (its PROTOCOL file, section 4).
extension SFTPRequest {
    /// SSH_FXF flags (section 6.3).
    package struct OpenFlags: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let read = Self(rawValue: 1)
        package static let write = Self(rawValue: 2)
        package static let append = Self(rawValue: 4)
        package static let create = Self(rawValue: 8)
        package static let truncate = Self(rawValue: 16)
        package static let exclusive = Self(rawValue: 32)
    }

    /// - Parameter name: the file's name in messages, if it is not `path`: the target of a partial copy.
    package static func open(
        _ path: String, _ flags: OpenFlags, _ attributes: SFTPAttributes = SFTPAttributes(), named name: String? = nil
    ) -> SFTPRequest {
        var request = SFTPRequest(.open, flags.contains(.write) ? "write" : "read", name ?? path) {
            $0.path(path)
            $0.uint32(flags.rawValue)
            attributes.write(to: &$0)
        }
        request.makesEntry = flags.contains(.exclusive)
        return request
    }

    package static func close(_ handle: [UInt8], path: String) -> SFTPRequest {
        var request = SFTPRequest(.close, "close", path) { $0.string(handle) }
        request.closedHandle = handle
        return request
    }

    package static func read(_ handle: [UInt8], _ range: Range<UInt64>, path: String) -> SFTPRequest {
        var request = SFTPRequest(.read, "read", path) {
            $0.string(handle)
            $0.uint64(range.lowerBound)
            $0.uint32(UInt32(range.count))
        }
        request.dataLimit = range.count
        return request
    }

    package static func write(_ handle: [UInt8], at offset: UInt64, _ data: FileBytes, path: String) -> SFTPRequest {
        var request = SFTPRequest(.write, "write", path) {
            $0.string(handle)
            $0.uint64(offset)
            $0.uint32(UInt32(data.count))
        }
        request.payload = data.buffer
        return request
    }

    package static func stat(_ path: String) -> SFTPRequest { SFTPRequest(.stat, "look at", path) { $0.path(path) } }
    package static func lstat(_ path: String) -> SFTPRequest { SFTPRequest(.lstat, "look at", path) { $0.path(path) } }

    package static func fstat(_ handle: [UInt8], path: String) -> SFTPRequest {
        SFTPRequest(.fstat, "look at", path) { $0.string(handle) }
    }

    package static func setstat(_ path: String, _ attributes: SFTPAttributes) -> SFTPRequest {
        SFTPRequest(.setstat, "set the attributes of", path) {
            $0.path(path)
            attributes.write(to: &$0)
        }
    }

    package static func fsetstat(_ handle: [UInt8], _ attributes: SFTPAttributes, path: String) -> SFTPRequest {
        SFTPRequest(.fsetstat, "set the attributes of", path) {
            $0.string(handle)
            attributes.write(to: &$0)
        }
    }

    package static func opendir(_ path: String) -> SFTPRequest { SFTPRequest(.opendir, "list", path) { $0.path(path) } }

    package static func readdir(_ handle: [UInt8], path: String) -> SFTPRequest {
        SFTPRequest(.readdir, "list", path) { $0.string(handle) }
    }

    package static func remove(_ path: String) -> SFTPRequest { SFTPRequest(.remove, "remove", path) { $0.path(path) } }

    package static func mkdir(_ path: String, _ attributes: SFTPAttributes) -> SFTPRequest {
        var request = SFTPRequest(.mkdir, "make the directory", path) {
            $0.path(path)
            attributes.write(to: &$0)
        }
        request.makesEntry = true
        return request
    }

    package static func rmdir(_ path: String) -> SFTPRequest {
        SFTPRequest(.rmdir, "remove the directory", path) { $0.path(path) }
    }

    package static func realpath(_ path: String) -> SFTPRequest { SFTPRequest(.realpath, "find", path) { $0.path(path) } }

    package static func rename(_ path: String, to target: String) -> SFTPRequest {
        SFTPRequest(.rename, "rename a file to", target, and: path) {
            $0.path(path)
            $0.path(target)
        }
    }

    package static func readlink(_ path: String) -> SFTPRequest {
        SFTPRequest(.readlink, "read the link", path) { $0.path(path) }
    }

    /// The draft names the link first; OpenSSH's server, and so every other, takes its target first.
    package static func symlink(at path: String, target: String) -> SFTPRequest {
        var request = SFTPRequest(.symlink, "make the symbolic link", path, and: target) {
            $0.path(target)
            $0.path(path)
        }
        request.makesEntry = true
        return request
    }

    // MARK: Extensions

    package static func posixRename(_ path: String, to target: String) -> SFTPRequest {
        SFTPRequest(.extended, "rename a file to", target, and: path) {
            $0.string("posix-rename@openssh.com")
            $0.path(path)
            $0.path(target)
        }
    }

    package static func fsync(_ handle: [UInt8], path: String) -> SFTPRequest {
        SFTPRequest(.extended, "write to disk", path) {
            $0.string("fsync@openssh.com")
            $0.string(handle)
        }
    }

    package static func statvfs(_ path: String) -> SFTPRequest {
        SFTPRequest(.extended, "look at the file system of", path) {
            $0.string("statvfs@openssh.com")
            $0.path(path)
        }
    }

    package static var limits: SFTPRequest {
        SFTPRequest(.extended, "ask for the limits", "") { $0.string("limits@openssh.com") }
    }
}

extension SSHWireWriter {
    /// A name or path, as raw bytes.
    fileprivate mutating func path(_ text: String) { string(PathText.bytes(of: text)) }
}

/// File content in transit between a file and the connection.
package struct FileBytes: Sendable {
    var buffer = ByteBuffer()

    /// None.
    package init() {}
    init(buffer: ByteBuffer) { self.buffer = buffer }

    package var count: Int { buffer.readableBytes }
}

extension SFTPReply {
    /// The data of an answer to a read.
    package var fileBytes: FileBytes? {
        guard case .data(let buffer) = self else { return nil }
        return FileBytes(buffer: buffer)
    }
}

extension SFTPReply {
    /// An answer to a read, as a server would send it.
    package static func data(copying bytes: ArraySlice<UInt8>) -> SFTPReply { .data(ByteBuffer(bytes: bytes)) }
}

extension FileBytes {
    package init(_ bytes: ArraySlice<UInt8>) { buffer = ByteBuffer(bytes: bytes) }
    package var array: [UInt8] { Array(buffer.readableBytesView) }
    package var piece: InputPiece { .buffer(buffer) }
}

extension FileBytes {
    /// Whether every byte is 0.
    package var isZero: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count > 0 else { return true }
            return bytes[0] == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
        }
    }

    package func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try buffer.withUnsafeReadableBytes(body)
    }
}
