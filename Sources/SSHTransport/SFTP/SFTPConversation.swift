internal import NIOCore

/// Matches requests under way with their answers. No I/O.
struct SFTPConversation {
    private struct Expected {
        var answer: SFTPMessageType
        var dataLimit: Int
        /// The number of requests made before it.
        var place: Int
    }
    private var expected: [UInt32: Expected] = [:]
    private var handles = SFTPHandles()
    private var count = 0
    private var nextID: UInt32 = 0
    private var framer = SFTPFramer()

    /// The number of unanswered requests.
    var outstanding: Int { expected.count }

    /// Records a request as sent, and gives it an id that no other request under way has.
    mutating func register(_ request: SFTPRequest) -> UInt32 {
        repeat { nextID &+= 1 } while expected[nextID] != nil
        expected[nextID] = Expected(answer: request.answer, dataLimit: request.dataLimit, place: count)
        if let handle = request.closedHandle { handles.close(handle, at: count) }
        count += 1
        return nextID
    }

    mutating func received(_ bytes: ByteBuffer) { framer.append(bytes) }

    /// The server's version and extensions, once its first packet is whole.
    mutating func version() throws -> SFTPVersion? {
        guard var packet = try framer.next() else { return nil }
        guard packet.readInteger(as: UInt8.self) == SFTPMessageType.version.rawValue else {
            throw SFTPProtocolViolation("its first packet is not a version")
        }
        return try Self.reading(packet) { reader in
            let number = try reader.uint32()
            var extensions: [String: [UInt8]] = [:]
            while !reader.isAtEnd {
                let name = String(decoding: try reader.string(), as: UTF8.self)
                extensions[name] = Array(try reader.string())
            }
            return SFTPVersion(number: number, extensions: extensions)
        }
    }

    /// The next answer, and the id of its request.
    ///
    /// - Throws: `SFTPProtocolViolation` for an answer that is malformed, has the wrong type for the request, or belongs
    ///   to no pending request (an unknown id, or one that was already answered).
    mutating func next() throws -> (id: UInt32, reply: SFTPReply)? {
        guard var packet = try framer.next() else { return nil }
        guard let number: UInt8 = packet.readInteger(), let id: UInt32 = packet.readInteger() else {
            throw SFTPProtocolViolation("a packet without an id")
        }
        guard let type = SFTPMessageType(rawValue: number) else { throw SFTPProtocolViolation("a packet of type \(number)") }
        guard let request = expected.removeValue(forKey: id) else {
            throw SFTPProtocolViolation("an answer to a request that is not under way (\(id))")
        }
        guard type == .status || type == request.answer else {
            throw SFTPProtocolViolation("an answer of type \(number) where \(request.answer.rawValue) is due")
        }
        let reply = try Self.reply(type, packet, request.dataLimit)
        if case .handle(let handle) = reply, !handles.open(handle, by: request.place) {
            throw SFTPProtocolViolation(SSHFileProblem.sharedHandle)
        }
        return (id, reply)
    }

    private static func reply(_ type: SFTPMessageType, _ packet: ByteBuffer, _ dataLimit: Int) throws -> SFTPReply {
        if type == .data {
            var packet = packet
            guard let count: UInt32 = packet.readInteger(), let data = packet.readSlice(length: Int(count)) else {
                throw SFTPProtocolViolation("data that end early")
            }
            guard count > 0, data.readableBytes <= dataLimit else {
                throw SFTPProtocolViolation("\(count) bytes where at most \(dataLimit) were asked for")
            }
            return .data(data)
        }
        return try reading(packet) { reader in
            switch type {
            case .handle:
                let handle = Array(try reader.string())
                // Section 6.3.
                guard handle.count <= 256 else { throw SFTPProtocolViolation("a handle of \(handle.count) bytes") }
                return .handle(handle)
            case .name: return .names(try SFTPNames(&reader))
            case .attributes: return .attributes(try SFTPAttributes(from: &reader))
            case .extendedReply: return .extended(Array(reader.remaining))
            default:
                let code = try reader.uint32()
                // Old servers omit the message.
                let message = reader.isAtEnd ? "" : String(decoding: try reader.string().prefix(512), as: UTF8.self)
                return .status(code: code, message: message)
            }
        }
    }

    private static func reading<Value>(
        _ packet: ByteBuffer, _ read: (inout SSHWireReader) throws -> Value
    ) throws -> Value {
        var reader = SSHWireReader(Array(packet.readableBytesView))
        do {
            return try read(&reader)
        } catch is SSHWireError {
            throw SFTPProtocolViolation("a packet whose parts do not fit")
        }
    }
}

/// Splits a byte stream into packets: four bytes of length, then as many bytes (filexfer-02 section 3).
struct SFTPFramer {
    /// OpenSSH's own limit, SFTP_MAX_MSG_LENGTH, plus the header of the longest requested data.
    static let maximumPacketLength = 256 * 1024 + 1024

    /// Bytes that have arrived and were not looked at yet.
    private var arrived = ByteBuffer()
    /// The beginning of an incomplete packet, its length included: so each byte is copied at most once.
    private var partial = ByteBuffer()
    /// Whether a packet has been read. Before that, malformed bytes are more likely text from a login script than a broken
    /// server.
    private var hasBegun = false

    mutating func append(_ bytes: ByteBuffer) {
        if arrived.readableBytes == 0 { arrived = bytes } else { arrived.writeImmutableBuffer(bytes) }
    }

    /// The next whole packet, without its length.
    mutating func next() throws(SFTPProtocolViolation) -> ByteBuffer? {
        if partial.readableBytes == 0, let length = try length(in: arrived), arrived.readableBytes >= 4 + length {
            arrived.moveReaderIndex(forwardBy: 4)
            hasBegun = true
            return arrived.readSlice(length: length)
        }
        gather(4)
        guard let length = try length(in: partial) else { return nil }
        partial.reserveCapacity(4 + length)
        gather(4 + length)
        guard partial.readableBytes == 4 + length else { return nil }
        var packet = partial
        partial = ByteBuffer()
        packet.moveReaderIndex(forwardBy: 4)
        hasBegun = true
        return packet
    }

    /// Adds to the partial packet until it has `count` bytes, or nothing is left.
    private mutating func gather(_ count: Int) {
        let missing = max(0, count - partial.readableBytes)
        if let bytes = arrived.readSlice(length: min(missing, arrived.readableBytes)) { partial.writeImmutableBuffer(bytes) }
        // The channel owns this memory, so don't keep it.
        if arrived.readableBytes == 0 { arrived = ByteBuffer() }
    }

    /// Nil if the length is incomplete.
    private func length(in buffer: ByteBuffer) throws(SFTPProtocolViolation) -> Int? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        guard (5...Self.maximumPacketLength).contains(Int(length)) else { throw breach(length) }
        return Int(length)
    }

    private func breach(_ length: UInt32) -> SFTPProtocolViolation {
        let start = Array((Array(partial.readableBytesView) + arrived.readableBytesView.prefix(80)).prefix(80))
        if !hasBegun, start.prefix(4).allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) {
            return SFTPProtocolViolation("it sent the text \"\(String(decoding: start, as: UTF8.self))\"")
        }
        return SFTPProtocolViolation("a packet of \(length) bytes")
    }
}

/// An SFTP server's SSH_FXP_VERSION (filexfer-02 section 4).
package struct SFTPVersion: Sendable {
    package let number: UInt32
    /// By name.
    package let extensions: [String: [UInt8]]

    package init(number: UInt32, extensions: [String: [UInt8]]) {
        self.number = number
        self.extensions = extensions
    }

    package var hasLimits: Bool { extensions["limits@openssh.com"] != nil }

    /// A server answers with the lower of both versions; some answer with their own.
    package func check() throws(Fault) {
        guard (3...6).contains(number) else {
            let problem = SSHFileProblem(.versionUnsupported, .remote, operation: "begin", detail: "version \(number)")
            throw Fault(.fileFailed(problem), stage: .sftp)
        }
    }
}
