internal import Synchronization

/// Reads the server's SSH_MSG_KEXINIT (RFC 4253 section 7.1), which travels in clear text right after the identification line.
enum KeyExchangeInit {
    private static let messageNumber: UInt8 = 20
    /// Larger than any real one; RFC 4253 section 6.1 requires support for no more than 35000.
    static let longestPacket = 35000

    /// The lists of the first packet in `bytes`, or nil where it is not a whole KEXINIT.
    static func parse(_ bytes: [UInt8]) -> SSHAlgorithmLists? {
        guard bytes.count > 5 else { return nil }
        let end = length(bytes)
        let padding = Int(bytes[4])
        guard end - 4 <= longestPacket, end - 4 > padding, bytes.count >= end else { return nil }
        let payload = bytes[5..<(end - padding)]
        guard payload.first == messageNumber, payload.count > 17 else { return nil }
        let lists = payload.dropFirst(17)  // the message number and 16 bytes of cookie
        return known.withLock { known in
            if let same = known.first(where: { $0.payload.elementsEqual(lists) }) { return same.lists }
            guard let result = read(lists) else { return nil }
            if known.count == longestMemory { known.removeFirst() }
            known.append((Array(lists), result))
            return result
        }
    }

    /// Many servers send the same lists, so connections share what was parsed of the last few different ones.
    private static let known = Mutex<[(payload: [UInt8], lists: SSHAlgorithmLists)]>([])
    private static let longestMemory = 4

    private static func read(_ payload: ArraySlice<UInt8>) -> SSHAlgorithmLists? {
        var rest = payload
        var lists: [[String]] = []
        for _ in 0..<8 {
            guard let list = takeNameList(&rest) else { return nil }
            lists.append(list)
        }
        var result = SSHAlgorithmLists()
        result.keyExchange = lists[0]
        result.hostKey = lists[1]
        result.cipherToServer = lists[2]
        result.cipherToClient = lists[3]
        result.macToServer = lists[4]
        result.macToClient = lists[5]
        result.compressionToServer = lists[6]
        result.compressionToClient = lists[7]
        return result
    }

    /// How long the first packet in `bytes` is, which are at least four.
    static func length(_ bytes: [UInt8]) -> Int { 4 + bytes[0..<4].reduce(0) { $0 << 8 | Int($1) } }

    private static func takeNameList(_ bytes: inout ArraySlice<UInt8>) -> [String]? {
        guard bytes.count >= 4 else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(4)
        guard bytes.count >= length else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length).split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
    }
}
