/// The calls of libssh2 that have not ended. Confined to its session; it knows nothing of libssh2 but what a call returns.
///
/// Calls of which libssh2 keeps the state in the session itself, which are all requests that the server answers, are exclusive: they
/// are made one at a time, in the order in which they were asked for. One that has begun is repeated until it ends, whether its
/// caller waits for it or not; one that has not begun is not begun for a caller that has gone. Of the others libssh2 keeps the
/// state in their channel: they are made in turn, and end with their caller. Each call ends once, at the latest with the session.
final class CallQueue {
    private var exclusive: [PendingCall] = []
    private var shared: [PendingCall] = []
    private var lastID: UInt64 = 0
    /// Starts whose time is over and that have not ended yet.
    private var lateStarts: [ChannelID: Fault] = [:]
    /// The session's fault: no call is made any more.
    private var end: Fault?

    /// How many calls have not ended.
    var count: Int { exclusive.count + shared.count }
    var isEmpty: Bool { exclusive.isEmpty && shared.isEmpty }
    /// Whether an exclusive call has to wait for its turn.
    var isTaken: Bool { !exclusive.isEmpty }
    /// All, in the order in which they are made.
    private var all: [PendingCall] { exclusive + shared }

    // MARK: Adding

    /// Adds a call. It is not made before ``makeCalls(while:conclude:)``.
    ///
    /// - Parameters:
    ///   - channel: the channel that the call works on.
    ///   - opening: the channel that it opens.
    ///   - hasBegun: whether libssh2 has been called already, and said EAGAIN.
    ///   - completion: called with the result, unless the call is abandoned before.
    func add(
        on channel: ChannelID?, opening: ChannelID? = nil, exclusive isExclusive: Bool = false, hasBegun: Bool = false,
        nextStage: @escaping () -> SSHStage? = { nil }, isSettled: @escaping () -> Bool = { false },
        discard: @escaping () -> Void = {}, completion: ((Result<Int, Fault>) -> Void)? = nil,
        _ call: @escaping () -> LibraryResult
    ) -> PendingCall {
        lastID += 1
        let call = PendingCall(
            id: lastID, channel: channel, opening: opening, hasBegun: hasBegun, nextStage: nextStage, isSettled: isSettled,
            discard: discard, completion: completion, call)
        if let end {
            call.finish(.failure(end))
        } else {
            append(call, isExclusive: isExclusive)
        }
        return call
    }

    private func append(_ call: PendingCall, isExclusive: Bool) {
        var calls: [PendingCall] = []
        if isExclusive {
            swap(&calls, &exclusive)
            calls.append(call)
            swap(&calls, &exclusive)
        } else {
            swap(&calls, &shared)
            calls.append(call)
            swap(&calls, &shared)
        }
    }

    private func removeExclusive(_ call: PendingCall) {
        var calls: [PendingCall] = []
        swap(&calls, &exclusive)
        calls.removeAll { $0 === call }
        swap(&calls, &exclusive)
    }

    private func removeShared(_ call: PendingCall) {
        var calls: [PendingCall] = []
        swap(&calls, &shared)
        calls.removeAll { $0 === call }
        swap(&calls, &shared)
    }

    // MARK: Making

    /// Makes each call whose turn it is. The closures may add and abandon calls.
    ///
    /// - Parameters:
    ///   - goesOn: whether libssh2 may be called.
    ///   - conclude: finishes a call that has ended, or one that is settled: it stays, and keeps its place, until it has ended.
    /// - Returns: whether a call has ended, which may let others get on.
    func makeCalls(while goesOn: () -> Bool, conclude: (PendingCall, LibraryResult) -> Void) -> Bool {
        var hasEnded = false
        while let call = exclusive.first, goesOn() {
            let result = call.make()
            if case .again = result {
                if call.isSettled {
                    conclude(call, .success(0))
                    call.abandon()
                }
                break
            }
            removeExclusive(call)
            conclude(call, result)
            hasEnded = true
        }
        var index = 0
        while index < shared.count, goesOn() {
            let call = shared[index]
            let result = call.make()
            if case .again = result {
                index += 1
                continue
            }
            removeShared(call)
            conclude(call, result)
            hasEnded = true
        }
        return hasEnded
    }

    // MARK: Abandoning

    /// The caller has gone.
    func abandon(_ id: UInt64) {
        if let call = all.first(where: { $0.id == id }) { abandon(call, with: .cancelled) }
    }

    /// The channel is being closed.
    ///
    /// - Returns: whether it is idle: no exclusive call that has begun works on it.
    func abandonAll(on channel: ChannelID) -> Bool {
        guard !isEmpty else { return true }
        for call in all where call.channel == channel { abandon(call, with: .cancelled) }
        return !exclusive.contains { $0.channel == channel }
    }

    /// Calls that libssh2 has not started are not started any more.
    private func abandon(_ call: PendingCall, with fault: Fault) {
        removeShared(call)
        if !call.hasBegun { removeExclusive(call) }
        call.abandon(with: fault)
    }

    // MARK: Late starts

    /// Why no call is begun any more for a channel whose start took too long.
    func lateness(of channel: ChannelID?) -> Fault? {
        let late = lateStarts
        guard !late.isEmpty, let channel else { return nil }
        return late[channel]
    }

    /// Whether another channel's call waits for its caller.
    func isShared(with channel: ChannelID) -> Bool {
        all.contains { $0.owner != nil && $0.owner != channel && !$0.isAbandoned }
    }

    /// Ends the calls of a channel whose start took too long, and those that it still asks for.
    ///
    /// - Returns: whether they only wait for their turn, behind a call that is not abandoned. Nothing is ended then.
    func startIsLate(_ channel: ChannelID, _ late: Fault) -> Bool {
        let calls = all
        let own = calls.filter { $0.owner == channel }
        if let first = calls.first, !first.isAbandoned, !own.isEmpty, !own.contains(where: \.hasBegun) { return true }
        endStart(channel, late)
        return false
    }

    /// Ends the calls of a channel, and those that it still asks for, whatever they wait for.
    func endStart(_ channel: ChannelID, _ late: Fault) {
        var lateStarts = lateStarts
        lateStarts[channel] = late
        self.lateStarts = lateStarts
        for call in all where call.owner == channel { abandon(call, with: late) }
    }

    /// Whether a start whose time is over keeps all others waiting, because the server has not answered it.
    var isBlocked: Bool { lateness(of: exclusive.first?.owner) != nil }

    /// Nothing more is asked before the command of a channel runs.
    func startHasEnded(_ channel: ChannelID) {
        var lateStarts = lateStarts
        guard !lateStarts.isEmpty else { return }
        lateStarts[channel] = nil
        self.lateStarts = lateStarts
    }

    // MARK: The end

    /// The session has failed: every call ends with its fault, and so does each that is added later.
    func endAll(with fault: Fault) {
        guard end == nil else { return }
        end = fault
        let calls = all
        exclusive = []
        shared = []
        for call in calls { call.finish(.failure(fault)) }
    }
}
