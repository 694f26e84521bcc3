internal import CLibSSH2
internal import NIOCore

/// What a command wrote, for a caller that wants it whole.
package struct CollectedOutput: Sendable {
    package var standardOutput: [UInt8] = []
    package var standardError: [UInt8] = []
    /// The stream that had more than was to be collected.
    package var exceeded: Evidence.OutputStream?

    package init() {}
}

extension Session {
    /// Reads both streams to the end of the command, or until one of them has brought more than `limit` bytes, or the caller is
    /// cancelled.
    package func collect(_ id: ChannelID, limit: Int) async -> CollectedOutput {
        guard let channel = channels[id] else { return CollectedOutput() }
        channel.collect(limit)
        // More than is read ahead for others may have come.
        if !channel.isDrained { pump() }
        while !channel.isFinished, !channel.passesLimit, !Task.isCancelled {
            await suspended({ channel.waitForEnd($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
        return channel.takeCollected()
    }

    /// Reads both streams as one from now on, as the first, in the order in which their packets come. Nothing may have come yet.
    package func mergeStreams(_ id: ChannelID) throws(Fault) {
        let channel = try channel(id)
        let code = libssh2_channel_handle_extended_data2(channel.raw, LIBSSH2_CHANNEL_EXTENDED_DATA_MERGE)
        guard code == 0 else { throw noteFailure(of: "libssh2_channel_handle_extended_data2", Int(code)) }
        channel.merge()
        wire.noteData(of: channel.number)
    }

    /// Discards the output of streams: only its tail is kept.
    package func discard(_ id: ChannelID, _ streams: ClosedRange<Int>) {
        guard let channel = channels[id] else { return }
        for stream in streams { channel.discard(stream) }
        if !channel.isDrained { pump() }
    }

    /// When the command last wrote something, or its output was last read.
    package func lastOutput(of id: ChannelID) -> ContinuousClock.Instant? { channels[id]?.lastOutput }
}
