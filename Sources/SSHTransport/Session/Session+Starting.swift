/// The deadline for starting a command, on a connection that other commands may use.
extension Session {
    /// A number for a channel that is to be opened.
    package func reserveChannel() -> ChannelID {
        nextChannel += 1
        return ChannelID(rawValue: nextChannel)
    }

    /// The time for opening a channel, and for all that is asked on it before its command runs, is over.
    ///
    /// If nothing else uses the connection, the connection fails. Otherwise only this start fails, and the other commands go on.
    ///
    /// - Returns: whether this start only waits for its turn, behind a call that is not abandoned: then the time starts anew.
    package func startIsLate(_ id: ChannelID, _ late: Fault) -> Bool {
        let operations = waiting
        let isShared =
            channels.contains { $0.key != id && !$0.value.isClosing }
            || operations.contains { $0.owner != nil && $0.owner != id && !$0.isAbandoned }
        guard isShared else {
            fail(late)
            return false
        }
        let own = operations.filter { $0.owner == id }
        if let first = operations.first, !first.isAbandoned, !own.isEmpty, !own.contains(where: \.hasBegun) { return true }
        lateStarts[id] = late
        for operation in own { abandon(operation, with: late) }
        return false
    }

    /// The time for opening a tunnel is over. Only this start fails: the connection is shared.
    ///
    /// If the server has been asked already, the session is blocked until it answers: libssh2 opens one channel at a time.
    package func tunnelIsLate(_ id: ChannelID, _ late: Fault) {
        lateStarts[id] = late
        for operation in waiting where operation.owner == id { abandon(operation, with: late) }
    }

    /// Nothing more is asked before the command of a channel runs.
    package func startHasEnded(_ id: ChannelID) { lateStarts[id] = nil }
}
