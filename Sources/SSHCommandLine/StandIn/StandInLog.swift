import BridgeSSH
import CProcessGuard

/// Receives ssh's log: passes on at once the messages that ssh would have written without bridge-ssh, and stores everything in
/// a bounded trace.
final class StandInLog {
    private let request: LogRequest
    private let showsHostKeyNews: Bool
    /// The descriptor to which ssh would have written its log.
    private let destination: Int32
    /// The log of the ssh that this one carries.
    private let carriedLog: Int32?
    /// Receives each message instead of `destination`, and whether an ssh that carries the connection wrote it.
    private let follow: ((_ message: ArraySlice<UInt8>, _ isCarriers: Bool) -> Void)?
    private var partial: [UInt8] = []
    private var release: OpenSSHRelease?
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    /// Whether messages between `head` and `tail` were dropped.
    private var isCut = false
    /// Whether a signal came while the reader reads nothing.
    private var isGivenUp = false
    /// The exit status of the remote command, if ssh's last message about it has one.
    private(set) var remoteStatus: Int?

    /// How many bytes of the beginning, where the connection is made, and of the end are stored.
    private static let maximumBytes = 192 << 10
    /// The maximum length of a line. A message of ssh has at most 1024 bytes (log.c: MSGBUFSIZ).
    private static let maximumLength = 8192
    /// The prefix of messages of an ssh that carries the connection of another one.
    static let carrierMark: UInt8 = 1

    /// - Parameters:
    ///   - destination: a descriptor, standard error or the caller's file.
    ///   - carriedLog: a second copy goes here, for the ssh whose connection this one carries.
    ///   - follow: receives each message; then nothing is written anywhere.
    init(
        _ request: LogRequest, showsHostKeyNews: Bool, destination: Int32, carriedLog: Int32? = nil,
        follow: ((_ message: ArraySlice<UInt8>, _ isCarriers: Bool) -> Void)? = nil
    ) {
        self.follow = follow
        self.request = request
        self.showsHostKeyNews = showsHostKeyNews
        self.destination = destination
        self.carriedLog = carriedLog
    }

    /// Whether the log continues when ssh goes to the background: only in a file, because ssh closes standard error there.
    var outlivesForeground: Bool { destination > 2 }

    /// Writes the line with which an ssh begins its log (ssh.c: main, at -v), for a process of bridge-ssh behind a jump host.
    static func greet(_ descriptor: Int32) {
        let words = [carrierMark] + Array("OpenSSH_0.0, without OpenSSL\r\n".utf8)
        _ = words.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
    }

    func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        partial.append(contentsOf: bytes)
        var start = partial.startIndex
        // A message ends with both (log.c: do_log), and may contain further line ends.
        while let end = Self.endOfMessage(in: partial[start...]) {
            take(partial[start..<end])
            start = end
        }
        partial.removeFirst(start)
        if partial.count > Self.maximumLength { finish() }
    }

    /// Handles a last message without a line end.
    func finish() {
        if !partial.isEmpty { take(partial[...]) }
        partial = []
    }

    private static func endOfMessage(in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while let feed = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) {
            if feed > bytes.startIndex, bytes[feed - 1] == UInt8(ascii: "\r") { return feed + 1 }
            index = feed + 1
        }
        return nil
    }

    private func take(_ message: ArraySlice<UInt8>) {
        if message.first == Self.carrierMark { return note(message.dropFirst(), isCarriers: true) }
        let message = request.usesLogVerbose ? withoutTag(message) : message
        if follow == nil, isShown(message) { write(message) }
        if let carriedLog {
            // One write, so that messages of two ssh processes do not mix. Losing a message is better than waiting.
            let marked = [Self.carrierMark] + message
            _ = marked.withUnsafeBytes { writeBytes(carriedLog, $0.baseAddress, $0.count) }
        }
        note(message, isCarriers: false)
    }

    /// Receives the output of other programs on ssh's standard error before there is a session: of a jump host's ssh or a
    /// ProxyCommand, and the server's banner.
    func takeOtherOutput(_ bytes: [UInt8]) { note(bytes[...], isCarriers: true) }

    private func note(_ message: ArraySlice<UInt8>, isCarriers: Bool) {
        follow?(message, isCarriers)
        keep(message)
        guard !isCarriers, let words = Self.statusWords.first(where: { message.starts(with: $0) }) else { return }
        // `-1`: the command ended without one.
        let digits = message.dropFirst(words.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        remoteStatus = Int(String(decoding: digits, as: UTF8.self))
    }

    /// ssh.c: main; mux.c: mux_client_request_session.
    private static let statusWords = ["debug1: Exit status ", "debug2: Received exit status from master "].map { Array($0.utf8) }

    private func withoutTag(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Most messages have no tag: then no text is made.
        guard message.withUnsafeBufferPointer({ bytes in Self.tag.withUnsafeBufferPointer { bytes.firstOffset(of: $0) } }) != nil
        else { return message }
        return Array(LogRequest.withoutTag(String(decoding: message, as: UTF8.self)).utf8)[...]
    }

    private static let tag = Array("pid=".utf8)

    private func isShown(_ message: ArraySlice<UInt8>) -> Bool {
        switch request.method {
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
    private static func release(in message: ArraySlice<UInt8>) -> OpenSSHRelease? {
        let text = String(decoding: message, as: UTF8.self)
        guard text.hasPrefix("debug1: Local version string ") else { return nil }
        return OpenSSHRelease(in: text)
    }

    /// Waits for a slow reader, as ssh does. The wait must end after a signal, so from then on a reader that reads nothing gets
    /// no more output.
    private func write(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty, !isGivenUp {
            if UnreadPipe.isFull(destination, milliseconds: 1000) {
                isGivenUp = bridge_has_passed_end() != 0
                continue
            }
            // A pipe that is not full accepts this many bytes at once.
            let count = rest.prefix(4096).withUnsafeBytes { writeBytes(destination, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    private func keep(_ message: ArraySlice<UInt8>) {
        if tail.isEmpty, !isCut, head.count + message.count <= Self.maximumBytes {
            head.append(contentsOf: message)
            return
        }
        tail.append(contentsOf: message)
        if tail.count > 2 * Self.maximumBytes {
            tail.removeFirst(tail.count - Self.maximumBytes)
            isCut = true
        }
    }

    var isEmpty: Bool { head.isEmpty && tail.isEmpty }

    /// The trace: its beginning and its end.
    var text: String { String(decoding: head + (isCut ? Array("\n".utf8) : []) + tail, as: UTF8.self) }
}
