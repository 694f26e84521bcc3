internal import NIOCore

/// Matches requests under way with their answers. No I/O.
struct SFTPConversation {
    private struct Expected {
        var answer: SFTPMessageType
        var dataLimit: Int
        /// How many requests were made before it.
        var place: Int
    }
    private var expected: [UInt32: Expected] = [:]
    private var handles = SFTPHandles()
    private var count = 0
    private var nextID: UInt32 = 0
    private var framer = SFTPFramer()

    /// How many requests are unanswered.
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
            throw SFTPBreach("its first packet is no version")
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
    /// - Throws: `SFTPBreach` for an answer that is malformed, of another type than the request has, or to no request under way:
    ///   an id that was never given, or was answered already.
    mutating func next() throws -> (id: UInt32, reply: SFTPReply)? {
        guard var packet = try framer.next() else { return nil }
        guard let number: UInt8 = packet.readInteger(), let id: UInt32 = packet.readInteger() else {
            throw SFTPBreach("a packet without an id")
        }
        guard let type = SFTPMessageType(rawValue: number) else { throw SFTPBreach("a packet of type \(number)") }
        guard let request = expected.removeValue(forKey: id) else {
            throw SFTPBreach("an answer to a request that is not under way (\(id))")
        }
        guard type == .status || type == request.answer else {
            throw SFTPBreach("an answer of type \(number) where \(request.answer.rawValue) is due")
        }
        let reply = try Self.reply(type, packet, request.dataLimit)
        if case .handle(let handle) = reply, !handles.open(handle, by: request.place) {
            throw SFTPBreach(SSHFileProblem.sharedHandle)
        }
        return (id, reply)
    }

    private static func reply(_ type: SFTPMessageType, _ packet: ByteBuffer, _ dataLimit: Int) throws -> SFTPReply {
        if type == .data {
            var packet = packet
            guard let count: UInt32 = packet.readInteger(), let data = packet.readSlice(length: Int(count)) else {
                throw SFTPBreach("data that end early")
            }
            guard count > 0, data.readableBytes <= dataLimit else {
                throw SFTPBreach("\(count) bytes where at most \(dataLimit) were asked for")
            }
            return .data(data)
        }
        return try reading(packet) { reader in
            switch type {
            case .handle:
                let handle = Array(try reader.string())
                // Section 6.3.
                guard handle.count <= 256 else { throw SFTPBreach("a handle of \(handle.count) bytes") }
                return .handle(handle)
            case .name: return .names(try SFTPNames(&reader))
            case .attributes: return .attributes(try SFTPAttributes(from: &reader))
            case .extendedReply: return .extended(Array(reader.remaining))
            default:
                let code = try reader.uint32()
                // Old servers leave the words out.
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
            throw SFTPBreach("a packet whose parts do not fit")
        }
    }
}
