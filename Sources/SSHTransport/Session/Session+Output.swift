extension Session {
    /// Reads both streams to the end of the command, or until one of them has brought more than `limit` bytes, or the caller is
    /// cancelled.
    package func collect(_ id: ChannelID, limit: Int) async -> CollectedOutput {
        guard let channel = channels[id] else { return CollectedOutput() }
        channel.collect(limit)
        // More may have arrived than is read ahead for other readers.
        madeRoom(in: channel)
        while !channel.progress.isFinished, !channel.passesLimit, !Task.isCancelled {
            await suspended({ channel.waitForEnd($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
        return channel.takeCollected()
    }

    /// Reads both streams as one from now on, as the first, in the order in which their packets come. Nothing may have come yet.
    package func mergeStreams(_ id: ChannelID) throws(Fault) {
        let channel = try channel(id)
        let result = channel.library.mergeStreams()
        guard case .success = result else { throw noteFailure(result) }
        channel.merge()
        library.discarded.noteStreams(of: channel.number)
    }

    /// Discards the output of streams: only its tail is kept.
    package func discard(_ id: ChannelID, _ streams: ClosedRange<Int>) {
        guard let channel = channels[id] else { return }
        for stream in streams { channel.discard(stream) }
        madeRoom(in: channel)
    }

    /// Bytes of a channel have been taken, or its output is wanted in another way: reads on.
    ///
    /// Only then, and only where that is what reading waits for. A consumer is told by a task of the event loop; one that read on
    /// whenever there is more would be told again by that, and tasks that add tasks keep the loop from its sockets: the bytes that
    /// end a key exchange would never be read.
    func madeRoom(in channel: SessionChannel) {
        if channel.awaitsRoom {
            pump()
        } else if !channel.isDrained {
            // What is held for the reader is less now.
            requestRead()
        }
    }

    /// When the command last wrote something, or its output was last read.
    package func lastOutput(of id: ChannelID) -> Moment? { channels[id]?.lastOutput }
}
