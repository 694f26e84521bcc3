import BridgeSSH

/// ssh's log as it comes: what ssh would have written without us goes on at once, and all of it is kept as a bounded trace.
final class StandInLog {
    private let request: LogRequest
    private let showsHostKeyNews: Bool
    /// Where the caller's ssh would have written.
    private let destination: Int32
    /// The log of the ssh that this one carries.
    private let carriedLog: Int32?
    /// Takes each message in place of the caller's ssh.
    private let follow: ((ArraySlice<UInt8>) -> Void)?
    private var partial: [UInt8] = []
    private var release: (Int, Int)?
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    /// Whether something was left out between the two.
    private var isCut = false

    /// Bytes that are kept of the beginning, where the connection is made, and of the end.
    private static let kept = 192 << 10
    /// A message is at most 1024 bytes (log.c: MSGBUFSIZ); a longer line is none of ssh's.
    private static let longest = 8192
    /// What one of ours puts before what the ssh behind a jump host says.
    static let carrierMark: UInt8 = 1

    /// - Parameters:
    ///   - destination: a descriptor, standard error or the caller's file.
    ///   - carriedLog: where it is all repeated for the ssh whose connection this one carries.
    ///   - follow: takes each message, of which then none is written anywhere.
    init(
        _ request: LogRequest, showsHostKeyNews: Bool, destination: Int32, carriedLog: Int32? = nil,
        follow: ((ArraySlice<UInt8>) -> Void)? = nil
    ) {
        self.follow = follow
        self.request = request
        self.showsHostKeyNews = showsHostKeyNews
        self.destination = destination
        self.carriedLog = carriedLog
    }

    /// Whether lines may still be of use to the caller when the foreground is over: only in a file of its own, for ssh itself
    /// closes standard error in the background.
    var outlivesForeground: Bool { destination > 2 }

    /// Begins what one of ours says behind a jump host: another ssh (ssh.c: main, at -v).
    static func greet(_ descriptor: Int32) {
        let words = [carrierMark] + Array("OpenSSH_0.0, without OpenSSL\r\n".utf8)
        _ = words.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
    }

    func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        partial.append(contentsOf: bytes)
        var start = partial.startIndex
        // A message ends with both (log.c: do_log), and may have lines of its own.
        while let end = Self.end(of: partial[start...]) {
            take(partial[start..<end])
            start = end
        }
        partial.removeFirst(start)
        if partial.count > Self.longest { finish() }
    }

    /// What came without its end.
    func finish() {
        if !partial.isEmpty { take(partial[...]) }
        partial = []
    }

    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while let feed = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) {
            if feed > bytes.startIndex, bytes[feed - 1] == UInt8(ascii: "\r") { return feed + 1 }
            index = feed + 1
        }
        return nil
    }

    private func take(_ message: ArraySlice<UInt8>) {
        if message.first == Self.carrierMark { return note(message.dropFirst()) }
        let message = request.usesLogVerbose ? withoutTag(message) : message
        if follow == nil, isShown(message) { write(message) }
        if let carriedLog {
            // One write, so that it stays in one piece between those of the other ssh. It is better lost than waited for.
            let marked = [Self.carrierMark] + message
            _ = marked.withUnsafeBytes { writeBytes(carriedLog, $0.baseAddress, $0.count) }
        }
        note(message)
    }

    /// What another program wrote to ssh's standard error before there was a session: a jump host's ssh, a ProxyCommand, a banner.
    func takeAside(_ bytes: [UInt8]) { note(bytes[...]) }

    private func note(_ message: ArraySlice<UInt8>) {
        follow?(message)
        keep(message)
    }

    private func withoutTag(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Most have none, and are not turned into text.
        guard message.withUnsafeBufferPointer({ bytes in Self.tag.withUnsafeBufferPointer { bytes.firstOffset(of: $0) } }) != nil
        else { return message }
        return Array(LogRequest.withoutTag(String(decoding: message, as: UTF8.self)).utf8)[...]
    }

    private static let tag = Array("pid=".utf8)

    private func isShown(_ message: ArraySlice<UInt8>) -> Bool {
        switch request.manner {
        case .plain: return true
        case .forced: return false
        case .level:
            if message.starts(with: "debug".utf8) {
                if release == nil, request.level < .verbose { release = Self.release(in: message) }
                let number = message.dropFirst(5).first.map { Int($0) - 48 } ?? 0
                return request.level.rawValue >= SSHLogLevel.verbose.rawValue + number
            }
            if request.level >= .verbose { return true }
            return !SSHLogTable.isVerbose(
                String(decoding: message, as: UTF8.self), release: release, showsHostKeyNews: showsHostKeyNews)
        }
    }

    /// `debug1: Local version string SSH-2.0-OpenSSH_9.2p1 …` (kex.c: kex_exchange_identification)
    private static func release(in message: ArraySlice<UInt8>) -> (Int, Int)? {
        let text = String(decoding: message, as: UTF8.self)
        guard text.hasPrefix("debug1: Local version string ") else { return nil }
        return OpenSSHRelease.numbers(in: text)
    }

    private func write(_ bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { OutputWriter.writeAll($0, to: destination) }
    }

    private func keep(_ message: ArraySlice<UInt8>) {
        if tail.isEmpty, !isCut, head.count + message.count <= Self.kept {
            head.append(contentsOf: message)
            return
        }
        tail.append(contentsOf: message)
        if tail.count > 2 * Self.kept {
            tail.removeFirst(tail.count - Self.kept)
            isCut = true
        }
    }

    /// The trace, its beginning and its end.
    var text: String { String(decoding: head + (isCut ? Array("\n".utf8) : []) + tail, as: UTF8.self) }
}

/// OpenSSH's release numbers.
enum OpenSSHRelease {
    /// The first of them in a text: `OpenSSH_9.2p1` is 9 and 2.
    static func numbers(in text: String) -> (Int, Int)? {
        guard let name = text.firstPlace(of: "OpenSSH_") else { return nil }
        let parts = text[name.upperBound...].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let major = Int(parts[0].drop { !$0.isNumber }), let minor = Int(parts[1].prefix { $0.isNumber })
        else { return nil }
        return (major, minor)
    }
}
