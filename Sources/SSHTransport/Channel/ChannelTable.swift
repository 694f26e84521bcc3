/// The server's answer to SSH_MSG_CHANNEL_OPEN, with the client's channel number.
enum ChannelAnswer: Sendable, Hashable {
    case success(number: UInt32)
    case failure(number: UInt32, reason: UInt32, description: String)
}

/// The channels of one session. Confined to it.
///
/// An ID is given once. A channel is in the table from its opening by libssh2 until it is freed. Each message from the server
/// reaches the channel whose number it names, or none.
final class ChannelTable {
    @exclusivity(unchecked) private var channels = OrderedTable<ChannelID, SessionChannel>()
    private var lastID = 0
    /// The server's last answer, while a channel is being opened: libssh2 opens one at a time.
    private var answer: ChannelAnswer?
    /// The server's refusals to open channels.
    private var refusals = OrderedTable<ChannelID, ChannelAnswer>()
    /// The windows of the session channels that are opened from now on.
    var windows = ReceiveWindow.Limits.standard

    // MARK: Looking

    var count: Int { channels.count }
    var isEmpty: Bool { channels.isEmpty }
    /// In the order of their IDs.
    var all: some Sequence<SessionChannel> { channels.entries.lazy.map(\.value) }
    subscript(_ id: ChannelID) -> SessionChannel? { channels[id] }

    /// A channel on which a new call may begin. One that is being closed may be freed while a call waits.
    func usable(_ id: ChannelID) -> SessionChannel? {
        guard let channel = channels[id], !channel.progress.isClosing else { return nil }
        return channel
    }

    /// Whether a channel other than this one is in use.
    func hasOther(than id: ChannelID) -> Bool { channels.entries.contains { $0.key != id && !$0.value.progress.isClosing } }

    // MARK: Opening

    /// An ID for a channel that will be opened.
    func reserve() -> ChannelID {
        lastID += 1
        return ChannelID(rawValue: lastID)
    }

    /// An attempt to open a channel begins. Earlier answers do not belong to it.
    func beginOpening() { answer = nil }

    /// The attempt has ended. Call this after the server's messages up to its answer have been noted.
    ///
    /// - Parameters:
    ///   - channel: the channel that libssh2 has opened; nil if it failed.
    ///   - roundTrip: the duration of the attempt.
    /// - Returns: false if libssh2 took a confirmation that the server had sent before the request.
    func endOpening(
        _ id: ChannelID, _ channel: LibraryChannel?, roundTrip: Duration, _ windows: ReceiveWindow.Limits = .standard
    ) -> Bool {
        guard let channel else {
            if let answer { refusals.set(id, answer) }
            return true
        }
        guard case .success(let number)? = answer else { return false }
        channels.set(id, SessionChannel(channel, number: number, roundTrip: roundTrip, windows))
        return true
    }

    /// Removes and returns the server's refusal to open a channel, if it sent one.
    func takeRefusal(of id: ChannelID) -> ChannelAnswer? { refusals.isEmpty ? nil : refusals.remove(id) }

    // MARK: The server's messages

    func note(_ answer: ChannelAnswer) { self.answer = answer }

    func numbered(_ number: UInt32) -> SessionChannel? { channels.entries.first { $0.value.number == number }?.value }

    // MARK: The end

    /// A channel has been freed.
    ///
    /// - Returns: the channel, which is no longer in the table.
    func remove(_ id: ChannelID) -> SessionChannel? { channels.remove(id) }

    /// The session has failed: every wait for a channel ends.
    func sessionFailed(_ fault: Fault) {
        for channel in all { channel.sessionFailed(fault) }
    }

    /// The bytes that libssh2 has received for each channel and not handed out yet.
    var unreadCounts: [(ChannelID, Int)] { channels.entries.map { ($0.key, $0.value.unreadCount) } }
}

/// Identifies a channel within its session. This is not the channel number on the wire.
package struct ChannelID: Sendable, Hashable, Comparable {
    package let rawValue: Int

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
