/// Notes of the packets that libssh2 frees: messages that it does not hand out, and which data has been read.
///
/// Confined to the same loop as its ``LibrarySession``. Notes of a packet that turns out to be altered are removed, and no other
/// notes.
final class DiscardedPackets {
    /// Messages for the session to take, in order.
    @exclusivity(unchecked) private var messages: [ObservedPayload] = []
    /// The channels' data that libssh2 has freed, and finally the data that it never handed out.
    @exclusivity(unchecked) private(set) var ledger = DataLedger()
    /// The data of channels whose streams are merged, by number, in the order in which it was read.
    @exclusivity(unchecked) private var dataRead: [UInt32: [MergedOutput.Run]] = [:]
    /// The server's numbers of the last channels, including closed ones: it may send a request before it knows that a channel
    /// is closed.
    private var serverNumbers: [(ours: UInt32, theirs: UInt32)] = []
    /// The channels that the server has confirmed and not closed, by the client's number.
    @exclusivity(unchecked) private var openNumbers: Set<UInt32> = []
    /// The first number that the server has not confirmed: libssh2 counts upwards.
    private var firstUnconfirmedNumber: UInt32 = 0
    /// The first message that breaks the protocol without a word from libssh2.
    private(set) var violation: SSHProtocolViolation?
    /// The last noted payload, if it was data.
    private var last: DataPayload?
    /// Whether messages are no longer noted.
    private var isClosed = false
    /// The server's SSH_MSG_DISCONNECT; the first counts.
    private(set) var disconnect: SSHDisconnectMessage?
    private(set) var debugMessages: [String] = []

    /// The most debug messages that are kept.
    private static let maximumDebugMessages = 32
    /// More channels than a server has open at a time.
    private static let maximumNumbers = 128

    // MARK: From libssh2

    /// Notes a payload that libssh2 is about to free.
    func released(_ payload: UnsafeRawBufferPointer) {
        if let data = DataPayload(payload) {
            if data.channel >= firstUnconfirmedNumber { noteUnconfirmed(payload[0]) }
            ledger.released(data, of: payload)
            if !dataRead.isEmpty { noteStream(of: data) }
            last = data
        } else if !isClosed, let message = ObservedPayload(payload) {
            switch message {
            case .channelOpened(let ours, let theirs):
                openNumbers.insert(ours)
                firstUnconfirmedNumber = max(firstUnconfirmedNumber, ours &+ 1)
                noteNumbers(ours, theirs)
            case .channelClosed(let ours): openNumbers.remove(ours)
            default: break
            }
            messages.append(message)
            last = nil
        }
    }

    /// Notes data for a channel that was never open: libssh2 drops it.
    ///
    /// A message after the close of the last channel may be read or not, depending on its arrival, so it never counts.
    private func noteUnconfirmed(_ number: UInt8) {
        if !openNumbers.isEmpty, !isClosed { violation = violation ?? .unexpectedMessage(number) }
    }

    private func noteNumbers(_ ours: UInt32, _ theirs: UInt32) {
        guard ours != theirs else { return }
        serverNumbers = serverNumbers.suffix(Self.maximumNumbers - 1).filter { $0.ours != ours } + [(ours, theirs)]
    }

    /// The server's number of a channel; nil if it equals the client's number or is unknown.
    func serverNumber(of ours: UInt32) -> UInt32? { serverNumbers.last { $0.ours == ours }?.theirs }

    private func noteStream(of data: DataPayload) {
        guard let index = dataRead.index(forKey: data.channel) else { return }
        let stream: SSHEvidence.OutputStream = data.stream == 0 ? .standardOutput : .standardError
        dataRead.values[index].append(.init(stream: stream, count: data.content.count))
    }

    func disconnected(reason: Int32, message: String) {
        guard disconnect == nil else { return }
        disconnect = SSHDisconnectMessage(reason: UInt32(bitPattern: reason), description: message)
    }

    func debugged(_ message: String) {
        if debugMessages.count < Self.maximumDebugMessages { debugMessages.append(message) }
    }

    /// Removes the last note: the payload did not come from the server.
    func forgetLast() {
        if let data = last {
            ledger.retract(data)
            if case .unexpectedMessage = violation { violation = nil }
            last = nil
        } else if !messages.isEmpty {
            messages.removeLast()
        }
    }

    /// A channel's data was not as long as its messages said.
    func countsDiffer() { violation = violation ?? .malformedPacket }

    // MARK: For the session

    /// Whether there is no message to take.
    var isEmpty: Bool { messages.isEmpty }

    /// The messages since the last call.
    func take() -> [ObservedPayload] {
        defer { messages = [] }
        return messages
    }

    /// A channel was opened. Another channel may have had its number before.
    func open(_ channel: UInt32) {
        ledger.open(channel)
    }

    /// A channel was freed.
    func forget(_ channel: UInt32) {
        if !dataRead.isEmpty { dataRead[channel] = nil }
        ledger.close(channel)
    }

    /// Starts to note the stream of each piece of a channel's data.
    func noteStreams(of channel: UInt32) { dataRead[channel] = [] }

    /// The runs of such a channel's data that were completely read since the last call.
    func takeDataRead(of channel: UInt32) -> [MergedOutput.Run] {
        guard let runs = dataRead[channel], !runs.isEmpty else { return [] }
        dataRead[channel] = []
        return runs
    }

    /// Reading ends here: from now on freed data is kept, and messages are not noted.
    func keepFreedData() {
        messages = []
        isClosed = true
        ledger.keepFreedData()
    }
}
