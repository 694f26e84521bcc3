internal import CLibSSH2
package import NIOCore

/// One libssh2 session over one carrier.
///
/// The actor runs on the carrier's event loop, so libssh2 is entered by one thread and one call at a time. Calls that would
/// block are kept as `Operation`s and repeated by `pump()` whenever bytes arrive. libssh2 never learns that the stream has
/// ended: it would then refuse to hand out what it has already received. The session itself draws the conclusion, once
/// everything received has been read.
package actor Session {
    package nonisolated let eventLoop: any EventLoop
    /// Also for tasks that do little but wait for this session.
    package nonisolated let executor: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let library: LibrarySession
    var raw: OpaquePointer { library.raw }
    var wire: Wire { library.wire }
    package let carrier: any Carrier

    /// The session's current stage, which a fault is attributed to.
    package private(set) var stage = Stage.banner
    private let stageBegan: @Sendable (Stage) -> Void
    /// The first fault; the session is dead from then on.
    package private(set) var fault: Fault? {
        didSet { isDead = fault != nil }
    }
    /// Whether there is a fault: checked all the time, so without a copy of it.
    private(set) var isDead = false

    // Calls of which libssh2 keeps the state in the session itself go one at a time, in order.
    private var exclusive: [Operation] = []
    private var shared: [Operation] = []
    /// How many calls have not ended.
    var waitingCount: Int { exclusive.count + shared.count }
    /// All calls that have not ended, in the order in which they are made.
    var waiting: [Operation] { exclusive + shared }
    /// Whether a start whose time is over keeps all others waiting, because the server has not answered it.
    package var isBlocked: Bool { exclusive.first?.owner.map { lateStarts[$0] != nil } ?? false }
    /// Starts whose time is over and that have not ended yet.
    var lateStarts: [ChannelID: Fault] = [:]
    private var nextOperation: UInt64 = 0
    private var isPumping = false
    private var pumpAgain = false
    var arrivals = Arrivals()
    /// Whether another thread holds the session: see `lend`.
    var isLent: Bool { arrivals.isLent }

    /// Whether the user is authenticated.
    private(set) var isAuthenticated = false
    /// Whether the server has been asked to run something, and has begun to.
    ///
    /// Only then does OpenSSH's turn Nagle's algorithm off (packet.c: `ssh_packet_set_interactive`). Until then what it sends in
    /// two pieces, such as its host keys and the first channel, waits 40 ms in between for an acknowledgement that is delayed.
    var hasStartedProgram = false
    var channels: [ChannelID: SessionChannel] = [:]
    /// The session channels as the server counts them.
    package nonisolated let slots = ChannelSlots()
    /// The channels that carry the session of the next hop.
    var tunnels: [ChannelID: Tunnel] = [:]
    /// The channels on which SFTP is spoken.
    var sftpLinks: [ChannelID: SFTPLink] = [:]
    var nextChannel = 0
    var nextWaiter: UInt64 = 0
    var lastOpened: ChannelAnswer?
    var refusals: [ChannelID: ChannelAnswer] = [:]
    package var authentication = AuthenticationEvidence()
    var lastAuthenticationFailure: (methods: [String], partialSuccess: Bool)?
    var keepalive: Keepalive?
    /// How many keepalives were sent: libssh2 keeps the answers.
    var keepalivesSent = 0
    /// The deadlines of channels that are being opened.
    package let deadlines: SharedTimer
    var clientAlgorithms: AlgorithmLists?
    /// The negotiated algorithms, once key exchange is done.
    var chosenAlgorithms: ChosenAlgorithms?
    package var hostKeyEvidence: HostKeyEvidence?
    /// Whether libssh2 had the server's host key when a call of key exchange failed.
    var hostKeyReceived = false
    /// When bytes came last, or the last credential was offered.
    var lastSign = ContinuousClock.now

    /// A session over a carrier.
    ///
    /// - Parameter stageBegan: called on the event loop for each stage that begins by itself.
    package init(carrier: any Carrier, stageBegan: @escaping @Sendable (Stage) -> Void) throws(Fault) {
        self.carrier = carrier
        self.stageBegan = stageBegan
        eventLoop = carrier.eventLoop
        executor = LoopExecutor.of(eventLoop)
        deadlines = SharedTimer(on: eventLoop)
        library = try LibrarySession()
    }

    /// Starts to receive from the carrier.
    package func attach() {
        wire.spare = executor.spare.value
        carrier.attach(self)
    }

    // MARK: Calling libssh2

    /// Repeats a call until it returns something other than EAGAIN, and returns its result.
    ///
    /// - Parameters:
    ///   - channel: the channel that the call works on.
    ///   - opening: the channel that it opens.
    ///   - exclusive: for calls whose state libssh2 keeps in the session: they go one at a time, in order.
    ///   - nextStage: the stage that the session is in when the call has succeeded: it is entered at once, for what comes with
    ///     the server's answer belongs to it already.
    ///   - discard: disposes of the result of a call whose caller was cancelled before it ended.
    func perform(
        _ function: StaticString, on channel: ChannelID? = nil, opening: ChannelID? = nil,
        exclusive isExclusive: Bool = false, nextStage: @escaping () -> Stage? = { nil },
        discard: @escaping () -> Void = {}, _ call: @escaping () -> Int
    ) async throws(Fault) -> Int {
        if let fault = fault ?? (opening ?? channel).flatMap({ lateStarts[$0] }) { throw fault }
        if Task.isCancelled { throw .cancelled }
        let consumed = wire.consumedCount
        let attempt = isExclusive && !exclusive.isEmpty ? .notMade : attempt(call)
        if case .ended(let result) = attempt {
            defer { pump(since: consumed) }
            return try outcome(of: function, nextStage, result).get()
        }
        let isTried = attempt == .made
        let operation = makeOperation(function, on: channel, opening: opening, nextStage: nextStage, discard: discard, call)
        operation.hasBegun = isTried
        if isExclusive { exclusive.append(operation) } else { shared.append(operation) }
        let id = operation.id
        let result: Result<Int, Fault> = await suspended {
            operation.await($0, self)
            // Don't start work for a cancelled caller.
            if Task.isCancelled { abandon(id) }
            if isTried { pump(since: consumed) } else { pump() }
        } onCancel: {
            $0.abandon(id)
        }
        return try result.get()
    }

    /// Begins a call without a waiting caller.
    ///
    /// - Parameter completion: called with the result, unless the channel is closed before.
    func submit(
        _ function: StaticString, on channel: ChannelID, _ call: @escaping () -> Int,
        completion: @escaping (Result<Int, Fault>) -> Void
    ) {
        let operation = makeOperation(function, on: channel, discard: {}, call)
        operation.completion = completion
        shared.append(operation)
        pump()
    }

    /// Makes a call without a waiting caller, at once if possible.
    ///
    /// - Parameters:
    ///   - flushes: whether what is to be sent goes out now. Otherwise the caller sees to it.
    ///   - succeeded: called on success.
    func makeUnawaited(
        _ function: StaticString, on channel: ChannelID, flushes: Bool = true, succeeded: @escaping () -> Void = {},
        _ call: @escaping () -> Int
    ) {
        let consumed = wire.consumedCount
        let attempt = attempt(call)
        if case .ended(let result) = attempt {
            if case .success = outcome(of: function, { nil }, result) { succeeded() }
        } else {
            let operation = makeOperation(function, on: channel, discard: succeeded, call)
            operation.abandon()
            shared.append(operation)
        }
        if attempt == .notMade { pump(flushes: flushes) } else { pump(since: consumed, flushes: flushes) }
    }

    /// The outcome of a call that was made at once, outside of the pump.
    private enum Attempt: Equatable {
        case ended(Int)
        /// It returned EAGAIN.
        case made
        /// It has to wait for its turn.
        case notMade
    }

    /// Most calls end at once: nothing has to wait for those, and nothing else be tried.
    private func attempt(_ call: () -> Int) -> Attempt {
        guard !isLent, !isPumping, !isDead else { return .notMade }
        let result = call()
        guard result != ReturnCode.eagain.rawValue || library.isViolated else { return .made }
        collectObserved(after: result)
        // What a violation leads to waits until the caller has taken note of the result: a channel may be freed by now.
        return .ended(result)
    }

    private func makeOperation(
        _ function: StaticString, on channel: ChannelID?, opening: ChannelID? = nil,
        nextStage: @escaping () -> Stage? = { nil }, discard: @escaping () -> Void, _ call: @escaping () -> Int
    ) -> Operation {
        nextOperation += 1
        return Operation(
            id: nextOperation, function: function, channel: channel, opening: opening, call: call, nextStage: nextStage,
            discard: discard)
    }

    /// Closes a channel and frees it (RFC 4254 section 5.3) without waiting for the server's answer.
    ///
    /// A server may answer only when the command has ended. Requests on the channel that are under way end first.
    package func closeChannel(_ id: ChannelID) {
        guard let channel = channels[id], !isDead, !channel.isClosing else { return }
        slots.leave(id)
        channel.discardsOutput = true
        for operation in waiting where operation.channel == id { abandon(operation) }
        guard !exclusive.contains(where: { $0.channel == id }) else {
            channel.closesWhenIdle = true
            return
        }
        channel.isClosing = true
        let raw = channel.raw
        makeUnawaited("libssh2_channel_free", on: id, flushes: false, succeeded: { self.forget(id) }) {
            Int(libssh2_channel_free(raw))
        }
        // Who has waited for the command may ask for another at once: both go in one packet of TCP's then.
        if wire.hasOutbound { executor.flushLater(self) }
    }

    private func forget(_ id: ChannelID) {
        guard let channel = channels.removeValue(forKey: id) else { return }
        slots.free(id)
        wire.forgetData(of: channel.number)
    }

    private func abandon(_ id: UInt64) {
        if let operation = waiting.first(where: { $0.id == id }) { abandon(operation) }
    }

    /// Calls that libssh2 has not started are not started any more.
    func abandon(_ operation: Operation, with fault: Fault = .cancelled) {
        shared.removeAll { $0 === operation }
        exclusive.removeAll { $0 === operation && !$0.hasBegun }
        operation.abandon(with: fault)
    }

    private func outcome(of function: StaticString, _ nextStage: () -> Stage?, _ result: Int) -> Result<Int, Fault> {
        guard result >= 0 else { return .failure(noteFailure(of: function, result)) }
        if let next = nextStage(), next != stage { enter(next) }
        return .success(result)
    }

    // MARK: The pump

    /// After a call that was made outside of the pump: where it has taken nothing in, no other call can get on.
    private func pump(since consumed: Int, flushes: Bool = true) {
        guard wire.consumedCount == consumed, wire.inboundCount == 0, !wire.hasEnded, !isLent, !isDead, !library.isViolated else {
            return pump(flushes: flushes)
        }
        if flushes { flush() }
        requestRead()
    }

    /// Repeats every waiting call until no more bytes are taken.
    ///
    /// - Parameter flushes: whether what is to be sent goes out now. Otherwise the caller sees to it.
    func pump(flushes: Bool = true) {
        guard !isLent, !isDead else { return }
        guard !isPumping else { return pumpAgain = true }
        isPumping = true
        // libssh2 1.11 may say EAGAIN with bytes still to be had: two rounds without progress prove that it is meant.
        var idleRounds = 0
        while idleRounds < 2, !isDead {
            let before = wire.consumedCount
            pumpAgain = false
            runOperations()
            if !isDead { serveChannels() }
            collectObserved()
            concludeIfViolated()
            concludeIfFlooded()
            if wire.consumedCount != before || pumpAgain {
                idleRounds = 0
            } else if wire.inboundCount > 0 {
                idleRounds += 1
            } else {
                break
            }
        }
        isPumping = false
        if flushes { flush() }
        concludeIfEnded()
        requestRead()
    }

    private func runOperations() {
        guard !exclusive.isEmpty || !shared.isEmpty else { return }
        while let operation = exclusive.first, !isDead {
            operation.hasBegun = true
            let result = operation.call()
            if result == ReturnCode.eagain.rawValue { break }
            collectObserved(after: result)
            exclusive.removeFirst()
            operation.finish(outcome(of: operation.function, operation.nextStage, result))
            if let id = operation.channel, channels[id]?.closesWhenIdle == true { closeChannel(id) }
            pumpAgain = true
        }
        var index = 0
        while index < shared.count, !isDead {
            let operation = shared[index]
            let result = operation.call()
            if result == ReturnCode.eagain.rawValue {
                index += 1
                continue
            }
            collectObserved(after: result)
            shared.removeAll { $0.id == operation.id }
            operation.finish(outcome(of: operation.function, operation.nextStage, result))
            pumpAgain = true
        }
    }

    /// Takes the messages that libssh2 discarded in its last calls, of which the last returned `result`.
    func collectObserved(after result: Int = 0) {
        // AES-GCM hands out what it has deciphered before it finds the packet altered; what says so is the last that was freed.
        if result == Int(LIBSSH2_ERROR_DECRYPT), chosenAlgorithms?.cipherToClient.contains("gcm") == true { wire.forgetLast() }
        guard !wire.observed.isEmpty else { return }
        let messages = wire.observed
        wire.observed.removeAll(keepingCapacity: true)
        for message in messages { note(message) }
    }

    /// Looks at what a dead session had received and never read. Every call fails with the fault from then on.
    func collectUnread() {
        guard isDead, stage == .authentication, channels.isEmpty, !isLent else { return }
        library.free()
        collectObserved()
    }

    func flush() {
        guard wire.hasOutbound, !isLent else { return }
        carrier.write(wire.takeOutbound())
        guard !carrier.isWritable, carrier.unsentCount > SessionBudget.unsent else { return }
        fail(Fault(.protocolViolated(.unreadAnswers(limit: SessionBudget.unsent))))
    }

    /// Whether the carrier accepts more; when it does again, `pump` is called.
    var isWritable: Bool { carrier.isWritable && wire.outboundCount < 1 << 18 }

    /// Enters a stage.
    func enter(_ stage: Stage) {
        self.stage = stage
        if stage == .channel, !isAuthenticated {
            isAuthenticated = true
            beginBudget()
        }
        stageBegan(stage)
    }

    // MARK: The end

    /// Ends the session with its first fault; later ones are consequences.
    func fail(_ fault: Fault) {
        guard !isDead else { return }
        var first = fault
        first.stage = fault.stage ?? stage
        self.fault = first
        salvage()
        for operation in exclusive + shared { operation.finish(.failure(first)) }
        exclusive = []
        shared = []
        for channel in channels.values { channel.sessionFailed(first) }
        slots.end()
        wakeArrivalWaiters()
        arrivals.interruptLoan?()
        keepalive?.stop()
        deadlines.stop()
        carrier.close()
    }

    /// Ends the session from anywhere.
    package nonisolated func enqueueFailure(_ fault: Fault) {
        eventLoop.execute { self.assumeIsolated { $0.fail(fault) } }
    }

    /// Sends SSH_MSG_DISCONNECT (by application) and closes the connection.
    package func close() async {
        if !isDead, !isLent {
            _ = libssh2_session_disconnect_ex(raw, 11, "disconnected by user", "")
            flush()
        }
        fail(Fault(.cancelled(signal: nil), stage: .local))
        // Without the preference it would be a thread of the pool that is woken, only to come back here.
        await withTaskExecutorPreference(executor) { try? await carrier.closeFuture.get() }
    }
}
