internal import NIOCore

/// A connection's treatment of a command when the server allows no more channels.
enum ChannelPolicy: Sendable {
    /// Wait for a channel.
    case wait
    case fail
    /// Use another connection to the same host.
    case elsewhere(any ConnectionLender)
}

/// Lends additional connections to a host.
protocol ConnectionLender: Sendable {
    /// - Throws: as `withConnection` of a pool.
    func borrow(for timeline: Timeline) async throws -> BorrowedConnection
}

/// A borrowed connection, which must be given back.
struct BorrowedConnection: Sendable {
    let connection: SSHConnection
    let giveBack: @Sendable () async -> Void
}

extension SSHConnection {
    /// Opens a session channel as soon as the server allows one.
    ///
    /// - Returns: the channel, and a function that ends the deadline for the requests before the command runs.
    func openChannel(on session: isolated Session) async throws(Fault) -> (ChannelID, endDeadline: () -> Void) {
        var hasWaited = false
        var lags = 0
        while true {
            let id = session.reserveChannel()
            if !takesSlot(id, of: session.slots) { try await takeSlot(id, hasWaited: hasWaited, on: session) }
            let endDeadline = beginDeadline(of: id, on: session)
            do throws(Fault) {
                let channel = try await session.openChannel(id)
                session.slots.opened(id)
                return (channel, endDeadline)
            } catch {
                endDeadline()
                guard await isSessionLimit(error) else {
                    session.slots.free(id)
                    throw error
                }
                let mayWait = session.slots.refused(id)
                if case .fail = channelPolicy { throw error }
                hasWaited = true
                if mayWait {
                    guard case .wait = channelPolicy else { throw error }
                } else {
                    guard session.slots.hasOpened, lags < Self.maximumRetries else { throw error }
                    lags += 1
                    do { try await Task.sleep(for: Self.retryInterval) } catch { throw .cancelled }
                }
            }
        }
    }

    /// How long to wait between two attempts while the server frees the session of an ended command.
    private static let retryInterval = Duration.milliseconds(20)
    private static let maximumRetries = 100

    /// Takes a slot if this needs no wait, as for most commands.
    private func takesSlot(_ id: ChannelID, of slots: ChannelSlots) -> Bool {
        guard case .fail = channelPolicy else { return slots.take(id) == .taken }
        slots.enter(id)
        return true
    }

    private func takeSlot(_ id: ChannelID, hasWaited: Bool, on session: isolated Session) async throws(Fault) {
        if case .elsewhere = channelPolicy {
            switch session.slots.take(id) {
            case .taken: return
            case .soon: break
            case .full: throw Fault(.channelRefused(reason: 4, description: ""), stage: .channel)
            }
        }
        try await session.takeSlot(id, isFirst: hasWaited)
    }

    /// Uses the verdict of an error, because servers word the refusal differently.
    private func isSessionLimit(_ fault: Fault) async -> Bool {
        guard case .channelRefused = fault.event else { return false }
        return await recorder.error(fault, session: session).code == .channelSessionLimit
    }

    /// Begins something on this connection or, if other callers use all channels, on another connection of the pool.
    ///
    /// - Returns: the result, and the other connection, which must be given back at the end.
    func beginHereOrElsewhere<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ begin: (SSHConnection) async throws -> Value
    ) async throws -> (Value, on: BorrowedConnection?) {
        do {
            return (try await begin(self), nil)
        } catch let error as SSHError where error.code == .channelSessionLimit {
            guard case .elsewhere(let lender) = channelPolicy, isForLackOfChannels(error) else { throw error }
            while true {
                let other = try await lender.borrow(for: recorder.timeline)
                do {
                    return (try await begin(other.connection), other)
                } catch {
                    await other.giveBack()
                    guard let failure = error as? SSHError, other.connection.isForLackOfChannels(failure) else { throw error }
                    // Meanwhile other callers have taken its last channel.
                    try await Task.sleep(for: Self.retryInterval)
                }
            }
        }
    }

    /// Whether other callers used all channels. If the server refuses even the first channel, another connection would not help.
    private func isForLackOfChannels(_ error: SSHError) -> Bool {
        guard error.code == .channelSessionLimit else { return false }
        // Without a library call, the request was not sent at all.
        return error.evidence.library == nil || session.slots.isFull || session.slots.hasOpened
    }
}
