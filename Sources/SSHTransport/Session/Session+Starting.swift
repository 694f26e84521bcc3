/// The deadline for starting a command, on a connection that other commands may use.
extension Session {
    /// The time for opening a channel, and for all that is asked on it before its command runs, is over.
    ///
    /// If nothing else uses the connection, the connection fails. Otherwise only this start fails, and the other commands go on.
    ///
    /// - Returns: whether this start only waits for its turn, behind a call that is not abandoned: then the time starts anew.
    package func startIsLate(_ id: ChannelID, _ late: Fault) -> Bool {
        guard channels.hasOther(than: id) || calls.isShared(with: id) else {
            fail(late)
            return false
        }
        return calls.startIsLate(id, late)
    }

    /// The time for opening a tunnel is over. Only this start fails: the connection is shared.
    ///
    /// If the server has been asked already, the session is blocked until it answers: libssh2 opens one channel at a time.
    package func tunnelIsLate(_ id: ChannelID, _ late: Fault) { calls.endStart(id, late) }

    /// Whether a start whose time is over keeps all others waiting, because the server has not answered it.
    package var isBlocked: Bool { calls.isBlocked }

    /// Nothing more is asked before the command of a channel runs.
    package func startHasEnded(_ id: ChannelID) { calls.startHasEnded(id) }
}
