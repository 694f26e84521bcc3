/// The server's answer to SSH_MSG_CHANNEL_OPEN, with our number of the channel.
enum ChannelAnswer: Sendable, Hashable {
    case success(number: UInt32)
    case failure(number: UInt32, reason: UInt32, description: String)
}

/// The channels of one session. Confined to it.
///
/// An ID is given once. A channel is in the table from the moment in which libssh2 has opened it until it is freed, and each
/// message of the server's reaches the channel whose number it names, or none.
final class ChannelTable {
    private var channels: [ChannelID: SessionChannel] = [:]
    private var lastID = 0
    /// The server's last answer, while a channel is being opened: libssh2 opens one at a time.
    private var answer: ChannelAnswer?
    /// Why the server would not open these.
    private var refusals: [ChannelID: ChannelAnswer] = [:]
    /// The windows of the session channels that are opened from now on.
    var windows = ReceiveWindow.Limits.standard

    // MARK: Looking

    var count: Int { channels.count }
    var isEmpty: Bool { channels.isEmpty }
    var all: Dictionary<ChannelID, SessionChannel>.Values { channels.values }
    subscript(_ id: ChannelID) -> SessionChannel? { channels[id] }

    /// A channel on which a new call may begin: one that is being closed may be freed during a call that waits.
    func usable(_ id: ChannelID) -> SessionChannel? {
        guard let channel = channels[id], !channel.progress.isClosing, !channel.closesWhenIdle else { return nil }
        return channel
    }

    /// Whether a channel other than this one is in use.
    func hasOther(than id: ChannelID) -> Bool { channels.contains { $0.key != id && !$0.value.progress.isClosing } }

    // MARK: Opening

    /// An ID for a channel that is to be opened.
    func reserve() -> ChannelID {
        lastID += 1
        return ChannelID(rawValue: lastID)
    }

    /// An attempt to open one begins: an answer that came before is none to it.
    func beginOpening() { answer = nil }

    /// The attempt has ended, and the server's messages up to its answer have been noted.
    ///
    /// - Parameters:
    ///   - channel: what libssh2 has opened; nil for nothing.
    ///   - roundTrip: how long it took.
    /// - Returns: whether libssh2 took the answer that came after the request, and not a confirmation that the server had sent
    ///   unasked.
    func endOpening(
        _ id: ChannelID, _ channel: LibraryChannel?, roundTrip: Duration, _ windows: ReceiveWindow.Limits = .standard
    ) -> Bool {
        guard let channel else {
            refusals[id] = answer
            return true
        }
        guard case .success(let number)? = answer else { return false }
        channels[id] = SessionChannel(channel, number: number, roundTrip: roundTrip, windows)
        return true
    }

    /// Why the server would not open a channel, if it said so. Asked once.
    func takeRefusal(of id: ChannelID) -> ChannelAnswer? { refusals.removeValue(forKey: id) }

    // MARK: The server's messages

    func note(_ answer: ChannelAnswer) { self.answer = answer }

    /// The channel with our number of it.
    func numbered(_ number: UInt32) -> SessionChannel? { channels.values.first { $0.number == number } }

    // MARK: The end

    /// A channel has been freed.
    ///
    /// - Returns: the channel, which nothing else finds from now on.
    func remove(_ id: ChannelID) -> SessionChannel? { channels.removeValue(forKey: id) }

    /// The session has failed: every wait for a channel ends.
    func sessionFailed(_ fault: Fault) {
        for channel in channels.values { channel.sessionFailed(fault) }
    }

    /// The data that libssh2 had received for each and not handed out yet.
    var unreadCounts: [ChannelID: Int] { channels.mapValues(\.unreadCount) }
}
