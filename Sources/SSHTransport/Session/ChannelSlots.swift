internal import Synchronization

/// The session channels of a connection as its server counts them (MaxSessions of sshd_config(5)), and the callers that wait
/// for one.
///
/// A channel counts from the request that opens it until the server has closed it. Tunnels are not counted: servers do not
/// count them either. Servers do not announce the limit: it is known once the server refuses a channel while others are open,
/// or if it was set beforehand.
package final class ChannelSlots: Sendable {
    /// The answer to a request for a slot.
    package enum Answer: Sendable, Hashable {
        /// The slot is the caller's.
        case taken
        /// No slot is free, but one is about to be.
        case soon
        /// All slots are in use for an unknown time.
        case full
    }

    private struct Waiter {
        let id: ChannelID
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Availability: Equatable {
        var isFull: Bool
        var lingering: Int
        var limit: Int?
    }

    private struct State {
        /// Channels that are in use.
        var active = OrderedTable<ChannelID, Void>()
        /// Channels that this side has closed and the server is closing.
        var leaving = OrderedTable<ChannelID, Void>()
        /// Channels that this side has closed while their commands may still run: the server closes them when the command ends.
        var lingering = OrderedTable<ChannelID, Void>()
        /// The channel that is being opened: one at a time, because the server's answer shows whether it accepts more.
        var opening: ChannelID?
        var waiting: [Waiter] = []
        var limit: Int?
        /// The limit that was set beforehand.
        var givenLimit: Int?
        var isOver = false
        /// Whether the server has ever opened one.
        var hasOpened = false
        var changed: (@Sendable () -> Void)?

        var count: Int { active.count + leaving.count + lingering.count }
        var hasFreeSlot: Bool { isOver || opening == nil && count < limit ?? .max }
        var isFull: Bool { !isOver && active.count + lingering.count + waiting.count >= limit ?? .max }

        /// The state that ``changed`` reports.
        var availability: Availability { Availability(isFull: isFull, lingering: lingering.count, limit: limit) }

        mutating func take(_ id: ChannelID) {
            active.set(id, ())
            opening = id
        }

        mutating func remove(_ id: ChannelID) -> Bool {
            if opening == id { opening = nil }
            guard active.remove(id) != nil || leaving.remove(id) != nil || lingering.remove(id) != nil else { return false }
            // A connection without channels has no learned limit.
            if count == 0 { limit = givenLimit }
            return true
        }

        /// Gives waiting callers the slots that are free, in order.
        mutating func admit() -> [Waiter] {
            var admitted: [Waiter] = []
            while hasFreeSlot, !waiting.isEmpty {
                let waiter = waiting.removeFirst()
                take(waiter.id)
                admitted.append(waiter)
            }
            return admitted
        }
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: State

    /// The channels in use or waited for, and those that abandoned commands keep in use.
    package var inUse: (active: Int, lingering: Int) {
        state.withLock { ($0.active.count + $0.waiting.count, $0.lingering.count) }
    }

    /// The server's limit, if it is known.
    package var limit: Int? { state.withLock { $0.limit } }

    /// Whether another channel would have to wait until a caller gives up its slot.
    package var isFull: Bool { state.withLock { $0.isFull } }

    /// Whether the connection has ended.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// Sets a limit beforehand; the server's own may be lower.
    ///
    /// - Parameter changed: called when the number of free slots or the limit changes.
    package func bound(to limit: Int, changed: @escaping @Sendable () -> Void) {
        state.withLock { ($0.limit, $0.givenLimit, $0.changed) = (limit, limit, changed) }
    }

    // MARK: Taking slots

    /// Takes a slot if one is free; never waits.
    package func take(_ id: ChannelID) -> Answer {
        state.withLock { state in
            if state.hasFreeSlot, state.waiting.isEmpty {
                state.take(id)
                return .taken
            }
            return state.isFull ? .full : .soon
        }
    }

    /// Counts a channel, even beyond the limit.
    package func enter(_ id: ChannelID) { state.withLock { $0.active.set(id, ()) } }

    /// Resumes the caller once the slot is its own, the connection has ended, or ``withdraw(_:)`` was called.
    ///
    /// - Parameter isFirst: whether the caller goes to the front because it has waited before.
    func wait(_ id: ChannelID, isFirst: Bool, _ continuation: CheckedContinuation<Void, Never>) {
        change { state in
            let waiter = Waiter(id: id, continuation: continuation)
            if isFirst { state.waiting.insert(waiter, at: 0) } else { state.waiting.append(waiter) }
            return state.admit()
        }
    }

    /// Whether the slot is the caller's.
    func isHeld(_ id: ChannelID) -> Bool { state.withLock { $0.active.index(of: id) != nil } }

    /// A waiting caller gives up.
    func withdraw(_ id: ChannelID) {
        change { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return [] }
            return [state.waiting.remove(at: index)]
        }
    }

    /// The server has opened the channel.
    package func opened(_ id: ChannelID) {
        change { state in
            if state.opening == id { state.opening = nil }
            state.hasOpened = true
            return state.admit()
        }
    }

    /// Whether the server has ever opened a channel. If it refuses one later, it may still count a command that has just ended
    /// (OpenSSH session.c: it frees a session after it has waited for the process).
    package var hasOpened: Bool { state.withLock { $0.hasOpened } }

    /// The server has refused the channel for its limit.
    ///
    /// - Returns: whether another channel was open, so that a slot will become free.
    package func refused(_ id: ChannelID) -> Bool {
        var isLimited = false
        change { state in
            _ = state.remove(id)
            isLimited = state.count > 0
            if isLimited { state.limit = state.count }
            return state.admit()
        }
        return isLimited
    }

    /// The channel is closed here, or is about to be.
    package func leave(_ id: ChannelID) {
        change { state in
            if state.active.remove(id) != nil { state.leaving.set(id, ()) }
            return []
        }
    }

    /// The command of a channel that is closed here may still run.
    package func linger(_ id: ChannelID) {
        change { state in
            if state.active.remove(id) != nil || state.leaving.remove(id) != nil { state.lingering.set(id, ()) }
            return []
        }
    }

    /// The server has closed the channel, or it was never opened.
    package func free(_ id: ChannelID) {
        change { state in state.remove(id) ? state.admit() : [] }
    }

    /// The connection has ended: resumes all waiting callers.
    func end() {
        change { state in
            state.isOver = true
            return state.admit()
        }
    }

    /// Changes the state, resumes the callers who are next, and calls `changed` if the free slots, the lingering channels or
    /// the limit changed.
    private func change(_ body: (inout State) -> [Waiter]) {
        let (admitted, report) = state.withLock { state in
            let before = state.availability
            let admitted = body(&state)
            return (admitted, before == state.availability ? nil : state.changed)
        }
        for waiter in admitted { waiter.continuation.resume() }
        report?()
    }
}

extension Session {
    /// Takes a slot for a session channel, as soon as one is free.
    ///
    /// - Parameter isFirst: whether this caller goes before the waiting ones.
    /// - Throws: the session's fault, or a cancellation.
    package func takeSlot(_ id: ChannelID, isFirst: Bool) async throws(Fault) {
        if slots.take(id) == .taken { return }
        let slots = slots
        await suspended {
            slots.wait(id, isFirst: isFirst, $0)
        } onCancel: {
            $0.slots.withdraw(id)
        }
        if slots.isHeld(id), fault == nil { return }
        slots.free(id)
        throw fault ?? .cancelled
    }
}
