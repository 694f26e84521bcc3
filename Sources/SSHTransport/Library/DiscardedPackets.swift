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
    /// How the server numbers our last channels, also those that are closed: it may have asked for something before it knew.
    private var serverNumbers: [(ours: UInt32, theirs: UInt32)] = []
    /// The last payload of those that are noted, if it was data.
    private var last: DataPayload?
    /// Whether messages are not noted any more.
    private var isClosed = false
    /// The server's goodbye; the first counts.
    private(set) var disconnect: SSHDisconnectMessage?
    private(set) var debugMessages: [String] = []

    /// More of a server's remarks are not kept.
    private static let mostDebugMessages = 32
    /// More channels than a server has open at a time.
    private static let mostNumbers = 128

    // MARK: From libssh2

    /// Notes a payload that libssh2 is about to free.
    func released(_ payload: UnsafeRawBufferPointer) {
        if let data = DataPayload(payload) {
            var ledger = DataLedger()
            swap(&ledger, &self.ledger)
            ledger.released(data, of: payload)
            swap(&ledger, &self.ledger)
            if !dataRead.isEmpty { noteStream(of: data) }
            last = data
        } else if !isClosed, let message = ObservedPayload(payload) {
            if case .channelOpened(let ours, let theirs) = message { noteNumbers(ours, theirs) }
            append(message)
            last = nil
        }
    }

    private func append(_ message: ObservedPayload) {
        var messages: [ObservedPayload] = []
        swap(&messages, &self.messages)
        messages.append(message)
        swap(&messages, &self.messages)
    }

    private func noteNumbers(_ ours: UInt32, _ theirs: UInt32) {
        guard ours != theirs else { return }
        serverNumbers = serverNumbers.suffix(Self.mostNumbers - 1).filter { $0.ours != ours } + [(ours, theirs)]
    }

    /// The server's number of a channel of ours; nil where it is the same, or not known.
    func serverNumber(of ours: UInt32) -> UInt32? { serverNumbers.last { $0.ours == ours }?.theirs }

    private func noteStream(of data: DataPayload) {
        var dataRead: [UInt32: [MergedOutput.Run]] = [:]
        swap(&dataRead, &self.dataRead)
        defer { swap(&dataRead, &self.dataRead) }
        guard let index = dataRead.index(forKey: data.channel) else { return }
        let stream: SSHEvidence.OutputStream = data.stream == 0 ? .standardOutput : .standardError
        dataRead.values[index].append(.init(stream: stream, count: data.content.count))
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
            var ledger = ledger
            ledger.retract(data)
            self.ledger = ledger
            last = nil
        } else if !messages.isEmpty {
            messages = Array(messages.dropLast())
        }
    }

    // MARK: For the session

    /// Whether there is a message to take; checked all the time.
    var isEmpty: Bool { messages.isEmpty }

    /// The messages since the last call.
    func take() -> [ObservedPayload] {
        defer { messages = [] }
        return messages
    }

    /// A channel begins; its number may have been another's.
    func open(_ channel: UInt32) {
        var ledger = DataLedger()
        swap(&ledger, &self.ledger)
        ledger.open(channel)
        swap(&ledger, &self.ledger)
    }

    /// A channel is gone.
    func forget(_ channel: UInt32) {
        if !dataRead.isEmpty { setDataRead(of: channel, nil) }
        var ledger = DataLedger()
        swap(&ledger, &self.ledger)
        ledger.close(channel)
        swap(&ledger, &self.ledger)
    }

    /// Starts to note the stream of each piece of a channel's data.
    func noteStreams(of channel: UInt32) { setDataRead(of: channel, []) }

    private func setDataRead(of channel: UInt32, _ runs: [MergedOutput.Run]?) {
        var dataRead = dataRead
        dataRead[channel] = runs
        self.dataRead = dataRead
    }

    /// What has been read to its end of such a channel's data since the last call.
    func takeDataRead(of channel: UInt32) -> [MergedOutput.Run] {
        let dataRead = dataRead
        guard let runs = dataRead[channel], !runs.isEmpty else { return [] }
        setDataRead(of: channel, [])
        return runs
    }

    /// From here on nothing is read any more: freed data is kept, and messages are not.
    func closeBooks() {
        messages = []
        isClosed = true
        var ledger = ledger
        ledger.closeBooks()
        self.ledger = ledger
    }
}
