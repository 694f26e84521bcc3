/// What libssh2 lets go of, noted as it frees it: messages that it does not hand out, and which data has been read.
///
/// Confined as its ``LibrarySession`` is. What was noted of a packet that turns out to be altered is taken back, and nothing else is.
final class DiscardedPackets {
    /// Messages for the session to take, in order.
    private var messages: [ObservedPayload] = []
    /// What libssh2 has let go of, and in the end never handed out, of the channels' data.
    private(set) var ledger = DataLedger()
    /// The data of channels whose streams are merged, by number, in the order in which it was read.
    private var dataRead: [UInt32: [MergedOutput.Run]] = [:]
    /// The last payload of those that are noted, if it was data.
    private var last: DataPayload?
    /// Whether messages are not noted any more.
    private var isClosed = false
    /// The server's goodbye; the first counts.
    private(set) var disconnect: SSHDisconnectMessage?
    private(set) var debugMessages: [String] = []

    /// More of a server's remarks are not kept.
    private static let mostDebugMessages = 32

    // MARK: From libssh2

    /// Notes a payload that libssh2 is about to free.
    func released(_ payload: UnsafeRawBufferPointer) {
        if let data = DataPayload(payload) {
            ledger.released(data, of: payload)
            if let index = dataRead.index(forKey: data.channel) {
                let stream: SSHEvidence.OutputStream = data.stream == 0 ? .standardOutput : .standardError
                dataRead.values[index].append(.init(stream: stream, count: data.content.count))
            }
            last = data
        } else if !isClosed, let message = ObservedPayload(payload) {
            messages.append(message)
            last = nil
        }
    }

    func disconnected(reason: Int32, message: String) {
        guard disconnect == nil else { return }
        disconnect = SSHDisconnectMessage(reason: UInt32(bitPattern: reason), description: message)
    }

    func debugged(_ message: String) {
        if debugMessages.count < Self.mostDebugMessages { debugMessages.append(message) }
    }

    /// The last payload was none of the server's.
    func forgetLast() {
        if let data = last {
            ledger.retract(data)
            last = nil
        } else if !messages.isEmpty {
            messages.removeLast()
        }
    }

    // MARK: For the session

    /// Whether there is a message to take; checked all the time.
    var isEmpty: Bool { messages.isEmpty }

    /// The messages since the last call.
    func take() -> [ObservedPayload] {
        defer { messages.removeAll(keepingCapacity: true) }
        return messages
    }

    /// A channel begins; its number may have been another's.
    func open(_ channel: UInt32) { ledger.open(channel) }

    /// A channel is gone.
    func forget(_ channel: UInt32) {
        dataRead[channel] = nil
        ledger.close(channel)
    }

    /// Starts to note the stream of each piece of a channel's data.
    func noteStreams(of channel: UInt32) { dataRead[channel] = [] }

    /// What has been read to its end of such a channel's data since the last call.
    func takeDataRead(of channel: UInt32) -> [MergedOutput.Run] {
        guard let runs = dataRead[channel], !runs.isEmpty else { return [] }
        dataRead[channel] = []
        return runs
    }

    /// From here on nothing is read any more: freed data is kept, and messages are not.
    func closeBooks() {
        messages = []
        isClosed = true
        ledger.closeBooks()
    }
}
