package import NIOCore

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
    /// Its operation, as a verb for people.
    package let operation: String
    /// The file, for people.
    package let path: String
    /// Whether a path in it holds a NUL: a server may end the connection for it.
    package let holdsNUL: Bool
    /// What follows the id.
    let body: [UInt8]
    /// What follows the body: the data of a write.
    var payload = ByteBuffer()
    /// Whether it fails where something has the name already.
    package var makesEntry = false
    /// The most data that the answer may hold: that which was asked for.
    var dataLimit = 0
    /// The handle that it closes.
    var closedHandle: [UInt8]?
    /// Says whether the file that it is about is still open; nil where its caller sees to that.
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

    /// Whether it changes something: what SSH_FX_FAILURE comes to.
    package var isWriting: Bool {
        switch type {
        case .open: operation == "write"
        case .read, .lstat, .fstat, .opendir, .readdir, .realpath, .stat, .readlink: false
        default: true
        }
    }

    /// The types that answer it beside STATUS.
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

/// Status codes (filexfer-02 section 7).
package enum SFTPStatus {
    package static let ok: UInt32 = 0
    package static let endOfFile: UInt32 = 1
    package static let noSuchFile: UInt32 = 2
    package static let permissionDenied: UInt32 = 3
    package static let failure: UInt32 = 4
    package static let badMessage: UInt32 = 5
    package static let noConnection: UInt32 = 6
    package static let connectionLost: UInt32 = 7
    package static let unsupported: UInt32 = 8
    /// Of filexfer-05 and later.
    package static let fileAlreadyExists: UInt32 = 11
}

/// A violation of the protocol by a server.
struct SFTPBreach: Error, Equatable {
    let problem: String
    init(_ problem: String) { self.problem = problem }
}

extension SFTPRequest {
    /// Bytes of data that it carries.
    package var payloadCount: Int { payload.readableBytes }
}
