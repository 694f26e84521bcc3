/// The calls of libssh2 that have not ended. Confined to its session; of libssh2 it knows only the results of calls.
///
/// libssh2 keeps the state of every request that the server answers in the session itself. These calls are exclusive: they are
/// made one at a time, in the order of the requests. A call that has begun is repeated until it ends, even if its caller has
/// gone. A call that has not begun is dropped with its caller. The state of all other calls is in libssh2's channel: these
/// calls are made in turn, and end with their caller. Each call ends once, at the latest with the session.
final class CallQueue {
    @exclusivity(unchecked) private var exclusive: [PendingCall] = []
    @exclusivity(unchecked) private var shared: [PendingCall] = []
    private var lastID: UInt64 = 0
    /// Starts that have not ended although their time is over.
    @exclusivity(unchecked) private var lateStarts: [ChannelID: Fault] = [:]
    /// The session's fault. After it no call is made.
    private var end: Fault?

    /// The number of calls that have not ended.
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
    ///   - hasBegun: whether libssh2 has been called already, and returned EAGAIN.
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
            if isExclusive { exclusive.append(call) } else { shared.append(call) }
        }
        return call
    }

    // MARK: Making

    /// Makes each call whose turn it is. The closures may add and abandon calls.
    ///
    /// - Parameters:
    ///   - goesOn: whether libssh2 may be called.
    ///   - conclude: finishes a call that has ended or is settled. A settled call keeps its place until it ends.
    /// - Returns: whether a call has ended. Then others may make progress.
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
            Self.remove(call, from: &exclusive)
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
            Self.remove(call, from: &shared)
            conclude(call, result)
            hasEnded = true
        }
        return hasEnded
    }

    /// Most lists have one call at most, which is removed without the general algorithm.
    private static func remove(_ call: PendingCall, from calls: inout [PendingCall]) {
        if calls.count > 1 { calls.removeAll { $0 === call } } else if calls.first === call { calls.removeLast() }
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

    /// Removes a call that libssh2 has not begun; one that has begun is detached from its caller.
    private func abandon(_ call: PendingCall, with fault: Fault) {
        Self.remove(call, from: &shared)
        if !call.hasBegun { Self.remove(call, from: &exclusive) }
        call.abandon(with: fault)
    }

    // MARK: Late starts

    /// The fault of a channel whose start took too long; nil for any other channel.
    func lateness(of channel: ChannelID?) -> Fault? {
        guard !lateStarts.isEmpty, let channel else { return nil }
        return lateStarts[channel]
    }

    /// Whether another channel's call waits for its caller.
    func isShared(with channel: ChannelID) -> Bool {
        all.contains { $0.owner != nil && $0.owner != channel && !$0.isAbandoned }
    }

    /// Ends the present and later calls of a channel whose start took too long.
    ///
    /// - Returns: whether they only wait for their turn, behind a call that is not abandoned. Then no call ends.
    func endLateStart(_ channel: ChannelID, _ late: Fault) -> Bool {
        let calls = all
        let own = calls.filter { $0.owner == channel }
        if let first = calls.first, !first.isAbandoned, !own.isEmpty, !own.contains(where: \.hasBegun) { return true }
        endStart(channel, late)
        return false
    }

    /// Ends the present and later calls of a channel, in every state.
    func endStart(_ channel: ChannelID, _ late: Fault) {
        lateStarts[channel] = late
        for call in all where call.owner == channel { abandon(call, with: late) }
    }

    /// Whether an unanswered start whose time is over keeps all others waiting.
    var isBlocked: Bool { lateness(of: exclusive.first?.owner) != nil }

    /// The start of a channel's command is complete.
    func startHasEnded(_ channel: ChannelID) {
        if !lateStarts.isEmpty { lateStarts[channel] = nil }
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

/// A libssh2 call that is repeated, with the same arguments, until it returns something other than EAGAIN.
///
/// Confined to its session. Cancelling the caller never ends the call itself half-way, because libssh2 keeps the state of a
/// call in the session: an abandoned call is finished without a waiting caller, and `discard` disposes of its result.
///
/// Nor does it end half-way if its caller stops waiting because other messages have already shown the result: the server's
/// answer is still to come, and another call must not receive it.
final class PendingCall {
    let id: UInt64
    /// The channel whose memory the call uses: it must not be freed before the call has ended.
    let channel: ChannelID?
    /// The channel that it works on, or opens.
    let owner: ChannelID?
    /// Whether libssh2 has been called. Then the call must be repeated until it ends.
    private(set) var hasBegun: Bool
    /// The stage that begins when the call has succeeded, if one does.
    let nextStage: () -> SSHStage?
    /// Whether the caller may continue before the call has ended.
    private let mayContinueEarly: () -> Bool
    private let call: () -> LibraryResult
    private let discard: () -> Void
    private var continuation: CheckedContinuation<Result<Int, Fault>, Never>?
    /// Called with the result if no caller waits, unless the call is abandoned before.
    private var completion: ((Result<Int, Fault>) -> Void)?
    private(set) var isAbandoned = false
    private var result: Result<Int, Fault>?

    init(
        id: UInt64, channel: ChannelID?, opening: ChannelID?, hasBegun: Bool, nextStage: @escaping () -> SSHStage?,
        isSettled: @escaping () -> Bool, discard: @escaping () -> Void, completion: ((Result<Int, Fault>) -> Void)?,
        _ call: @escaping () -> LibraryResult
    ) {
        self.id = id
        self.channel = channel
        owner = opening ?? channel
        self.hasBegun = hasBegun
        self.nextStage = nextStage
        mayContinueEarly = isSettled
        self.discard = discard
        self.completion = completion
        self.call = call
    }

    /// Calls libssh2, once more or for the first time.
    func make() -> LibraryResult {
        hasBegun = true
        return call()
    }

    /// Whether its caller may continue now, although the call has not ended.
    var isSettled: Bool { !isAbandoned && mayContinueEarly() }

    func await(_ continuation: CheckedContinuation<Result<Int, Fault>, Never>, _: isolated Session) {
        // The call may have ended between the caller's decision to wait and its suspension.
        if let result { return continuation.resume(returning: result) }
        self.continuation = continuation
    }

    /// Hands the result to the caller, if it is still waiting.
    func finish(_ result: Result<Int, Fault>) {
        if isAbandoned, case .success = result { discard() }
        self.result = result
        continuation?.resume(returning: result)
        continuation = nil
        completion?(result)
        completion = nil
    }

    /// Detaches the caller.
    func abandon(with fault: Fault = .cancelled) {
        isAbandoned = true
        completion = nil
        result = result ?? .failure(fault)
        continuation?.resume(returning: .failure(fault))
        continuation = nil
    }
}

/// Calls of libssh2.
extension Session {
    /// Repeats a call until it returns something other than EAGAIN, and returns its result.
    ///
    /// - Parameters:
    ///   - channel: the channel that the call works on.
    ///   - opening: the channel that it opens.
    ///   - exclusive: for calls whose state libssh2 keeps in the session: they are made one at a time, in order.
    ///   - nextStage: the session's stage after success. It is entered at once, because bytes that come with the server's
    ///     answer belong to it already.
    ///   - isSettled: whether an exclusive call that has not ended can only succeed: see ``PendingCall``.
    ///   - discard: disposes of the result of a call whose caller was cancelled before it ended.
    func perform(
        on channel: ChannelID? = nil, opening: ChannelID? = nil, exclusive isExclusive: Bool = false,
        nextStage: @escaping () -> SSHStage? = { nil }, isSettled: @escaping () -> Bool = { false },
        discard: @escaping () -> Void = {}, _ call: @escaping () -> LibraryResult
    ) async throws(Fault) -> Int {
        if let fault = fault ?? calls.lateness(of: opening ?? channel) { throw fault }
        if Task.isCancelled { throw .cancelled }
        let consumed = wire.consumedCount
        let attempt = isExclusive && calls.isTaken ? .notMade : attempt(call)
        if case .ended(let result) = attempt {
            defer { pump(since: consumed) }
            return try outcome(of: result, nextStage: nextStage).get()
        }
        let isTried = attempt.isMade
        let pending = calls.add(
            on: channel, opening: opening, exclusive: isExclusive, hasBegun: isTried, nextStage: nextStage, isSettled: isSettled,
            discard: discard, call)
        let id = pending.id
        let result: Result<Int, Fault> = await suspended {
            pending.await($0, self)
            // Don't start work for a cancelled caller.
            if Task.isCancelled { calls.abandon(id) }
            if isTried { pump(since: consumed) } else { pump() }
        } onCancel: {
            $0.calls.abandon(id)
        }
        return try result.get()
    }

    /// Begins a call without a waiting caller.
    ///
    /// - Parameter completion: called with the result, unless the channel is closed before.
    func submit(
        on channel: ChannelID, _ call: @escaping () -> LibraryResult, completion: @escaping (Result<Int, Fault>) -> Void
    ) {
        _ = calls.add(on: channel, completion: completion, call)
        pump()
    }

    /// Makes a call without a waiting caller, at once if possible.
    ///
    /// - Parameters:
    ///   - flushes: whether pending bytes are sent now. Otherwise the caller sends them.
    ///   - succeeded: called on success.
    func makeUnawaited(
        on channel: ChannelID, flushes: Bool = true, succeeded: @escaping () -> Void = {}, _ call: @escaping () -> LibraryResult
    ) {
        let consumed = wire.consumedCount
        let attempt = attempt(call)
        if case .ended(let result) = attempt {
            if case .success = outcome(of: result, nextStage: { nil }) { succeeded() }
        } else {
            calls.add(on: channel, discard: succeeded, call).abandon()
        }
        if case .notMade = attempt { pump(flushes: flushes) } else { pump(since: consumed, flushes: flushes) }
    }

    /// The outcome of a call that was made at once, outside of the pump.
    private enum Attempt {
        case ended(LibraryResult)
        /// It returned EAGAIN.
        case made
        /// It must wait for its turn.
        case notMade

        var isMade: Bool { if case .made = self { true } else { false } }
    }

    /// Tries a call outside of the pump. Most calls end at once and need no queue.
    private func attempt(_ call: () -> LibraryResult) -> Attempt {
        guard mayCall else { return .notMade }
        let result = call()
        if case .again = result, !library.isViolated { return .made }
        collectObserved(after: result)
        // The caller must see the result before a violation ends the session: a channel may be freed by now.
        return .ended(result)
    }

    /// The outcome of an ended call for its caller; updates the session.
    func outcome(of result: LibraryResult, nextStage: () -> SSHStage?) -> Result<Int, Fault> {
        guard case .success(let count) = result else { return .failure(noteFailure(result)) }
        if let next = nextStage(), next != stage { enter(next) }
        return .success(count)
    }

    /// Takes the messages that libssh2 discarded in its last calls. The last call returned `result`.
    func collectObserved(after result: LibraryResult = .success(0)) {
        // libssh2's AES-GCM hands out decrypted bytes before it detects an altered packet. That packet was freed last.
        if case .failure(let failure) = result, failure.code == .deciphering,
            observations.agreed?.cipherToClient.contains("gcm") == true
        {
            library.discarded.forgetLast()
        }
        if hostKeyProof.isAwaited, !isDead { library.noteHeldAnswers() }
        guard !library.discarded.isEmpty else { return }
        for message in library.discarded.take() { note(message) }
    }
}
