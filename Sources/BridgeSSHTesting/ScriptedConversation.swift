public import BridgeSSH
internal import Synchronization

/// The other end of a command or a stream, for a test that writes its output and reads its input.
///
/// ```swift
/// server.on("bc -q") { command in
///     while let line = await command.readLine() {
///         guard line != "quit" else { break }
///         try await command.write("42\n")
///     }
///     return .exited(0)
/// }
/// ```
/// A write waits for the reader once a few pieces are pending. When the code under test leaves its closure, the rest is dropped;
/// if that ends the command, the script's task is cancelled, and writing throws `CancellationError`.
public final class ScriptedConversation: Sendable {
    /// The command that was asked for.
    public let request: SSHCommand
    private let collectsErrors: Bool
    private let output = PieceQueue<SSHOutputChunk>()
    private let errors = PieceQueue<SSHOutputChunk>()
    private let input = PieceQueue<[UInt8]>()
    private let state = Mutex(State())
    private let readings: Mutex<StreamReadings>
    private let startedAt = ContinuousClock.now

    private struct State {
        var errorTail: [UInt8] = []
        /// The input that was read beyond the last line.
        var pending: [UInt8] = []
        var signals: [String] = []
        var cancellation: String??
        var end: Result<SSHTermination, any Error>?
        var isOver = false
        var script: Task<Void, Never>?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    init(_ request: SSHCommand, collectsErrors: Bool) {
        self.request = request
        self.collectsErrors = collectsErrors
        readings = Mutex(StreamReadings(collectsErrors: collectsErrors))
    }

    // MARK: For the script

    /// Writes text to standard output.
    ///
    /// - Throws: `CancellationError` once the command is ended.
    public func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    /// Writes bytes to standard output.
    ///
    /// - Throws: `CancellationError` once the command is ended.
    public func write(_ bytes: [UInt8]) async throws { try await write(bytes, .standardOutput, output) }

    /// Writes text to standard error.
    ///
    /// - Throws: `CancellationError` once the command is ended.
    public func writeError(_ text: String) async throws {
        let bytes = Array(text.utf8)
        state.withLock { $0.errorTail = Array(($0.errorTail + bytes).suffix(8192)) }
        guard collectsErrors else { return try Task.checkCancellation() }
        try await write(bytes, .standardError, errors)
    }

    private func write(
        _ bytes: [UInt8], _ stream: SSHEvidence.OutputStream, _ queue: PieceQueue<SSHOutputChunk>
    ) async throws {
        try Task.checkCancellation()
        if !bytes.isEmpty { await queue.add(SSHOutputChunk(copying: bytes, stream: stream)) }
        try Task.checkCancellation()
    }

    /// The next line of its standard input, without its line end; nil at the end.
    public func readLine() async -> String? {
        while true {
            let line: String? = state.withLock { state in
                guard let end = state.pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { state.pending.removeSubrange(...end) }
                return String(decoding: state.pending[..<end], as: UTF8.self)
            }
            if let line { return line }
            guard let piece = await input.next() else {
                return state.withLock { state in
                    defer { state.pending = [] }
                    return state.pending.isEmpty ? nil : String(decoding: state.pending, as: UTF8.self)
                }
            }
            state.withLock { $0.pending += piece }
        }
    }

    /// The rest of its standard input, up to the end.
    public func readAll() async -> [UInt8] {
        while let piece = await input.next() { state.withLock { $0.pending += piece } }
        return state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
    }

    /// The signals that it was sent, without SIG, in order.
    public var signals: [String] { state.withLock { $0.signals } }

    // MARK: The end

    /// Runs the script, in a task that ``stop()`` cancels.
    func run(_ script: @escaping @Sendable (ScriptedConversation) async throws -> SSHTermination) async {
        let task = Task {
            let end: Result<SSHTermination, any Error>
            do { end = .success(try await script(self)) } catch { end = .failure(error) }
            self.ended(end)
        }
        state.withLock { $0.script = task }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func ended(_ end: Result<SSHTermination, any Error>) {
        let waiters = state.withLock { state in
            state.end = state.end ?? end
            defer { state.waiters = [] }
            return state.waiters
        }
        output.finish()
        errors.finish()
        for waiter in waiters { waiter.resume() }
    }

    /// Ends the script, and the callers that wait for it.
    func stop() {
        state.withLock { $0.script }?.cancel()
        ended(.failure(CancellationError()))
        input.finish()
    }

    /// The end of the script; nil while it runs.
    var end: Result<SSHTermination, any Error>? { state.withLock { $0.end } }

    private func waitForEnd() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    if state.end == nil { state.waiters.append(waiter) }
                    return state.end != nil
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            stop()
        }
    }

    /// The outcome for the code that ran the command, after its closure has returned.
    ///
    /// - Throws: what the script threw; `ssh.local.cancelled` for a command that was cancelled.
    func finish(_ whenBodyReturns: SSHExecution.WhenBodyReturns) async throws -> (result: SSHCommandResult, wasTerminated: Bool) {
        let isLeft =
            switch whenBodyReturns {
            case .wait: false
            case .automatic: readings.withLock { $0.areUnfinished }
            case .terminate: true
            }
        output.abandon()
        errors.abandon()
        input.finish()
        if isLeft, end == nil {
            stop()
            return (result(.unknown), true)
        }
        await waitForEnd()
        if let signal = state.withLock({ $0.cancellation }) {
            throw await failure(Fault(.cancelled(signal: signal), stage: .local))
        }
        guard let end else { throw CancellationError() }
        return (result(try end.get()), false)
    }

    private func result(_ termination: SSHTermination) -> SSHCommandResult {
        SSHCommandResult(
            command: request.command, termination: termination, standardError: state.withLock { $0.errorTail },
            duration: elapsed)
    }

    /// The closure that it was lent to has returned.
    func close() { state.withLock { $0.isOver = true } }

    /// Passes the command's input to the script.
    func feed(_ source: SSHStandardInput) async {
        do {
            let next = try await source.opened()
            while let piece = try await next() { await input.add(piece.withUnsafeBytes { Array($0) }) }
            input.finish()
        } catch {
            if !Task.isCancelled { ended(.failure(error)) }
            stop()
        }
    }
}

extension ScriptedConversation: SSHRunningCommand {
    /// Its standard output, for the code under test.
    public var standardOutput: SSHOutput { SSHOutput(source: self, stream: .standardOutput) }
    /// Its standard error, for the code under test.
    public var standardError: SSHOutput { SSHOutput(source: self, stream: .standardError) }
    /// The time since it was started.
    public var elapsed: Duration { startedAt.duration(to: .now) }

    /// Does nothing.
    public func resize(columns: Int, rows: Int) async {}

    /// Adds to ``signals``.
    public func signal(_ name: String) async throws {
        state.withLock { $0.signals.append(name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name) }
    }

    /// Ends the script. The run fails with `ssh.local.cancelled`.
    public func cancel(signal: String?) async {
        state.withLock { state in
            if state.end == nil, state.cancellation == nil { state.cancellation = .some(signal) }
        }
        stop()
    }

    /// Waits for the script's end; nil if it has none.
    public func exit() async -> SSHTermination? {
        await waitForEnd()
        return try? end?.get()
    }
}

extension ScriptedConversation: SharedOutputSource, InputTarget {
    package func withReadings<Result>(_ body: (inout StreamReadings) -> Result) -> Result { readings.withLock { body(&$0) } }

    package func checkLent() async throws {
        guard state.withLock({ $0.isOver }) else { return }
        let problem = "the output of a command was read after the closure that it was lent to had returned"
        throw await failure(Fault(.closed(problem: problem), stage: .local))
    }

    package func receive(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk? {
        let piece = await (stream == .standardOutput ? output : errors).next()
        if piece == nil {
            try Task.checkCancellation()
            // A script that fails fails its readers, as a connection does that is lost.
            if case .failure(let error)? = end, !(error is CancellationError) { throw error }
        }
        return piece
    }

    package func failure(_ fault: Fault) async -> SSHError {
        var evidence = SSHEvidence(event: fault.event, stage: fault.stage ?? .command, host: "memory")
        evidence.command = SSHCommandEvidence(command: request.command)
        evidence.command?.progress = .accepted
        return SSHFailureClassifier.classify(evidence)
    }

    package var isInterrupted: Bool { state.withLock { $0.cancellation != nil } }

    package func send(_ piece: InputPiece) async throws(Fault) -> Bool {
        await input.add(piece.withUnsafeBytes { Array($0) })
    }

    package func endInput() async throws(Fault) { input.finish() }
}

/// Pieces between one who makes them and one who reads them, some ahead.
final class PieceQueue<Piece: Sendable>: Sendable {
    private static var maximumPieces: Int { 16 }

    private struct State {
        var pieces: [Piece] = []
        var isFinished = false
        var isAbandoned = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// Adds a piece, as soon as there is space.
    ///
    /// - Returns: whether it can still be read.
    @discardableResult
    func add(_ piece: Piece) async -> Bool {
        await wait { $0.pieces.count < Self.maximumPieces || $0.isFinished || $0.isAbandoned }
        return change { state in
            guard !state.isFinished, !state.isAbandoned else { return false }
            state.pieces.append(piece)
            return true
        }
    }

    /// The next piece; nil at the end, and for a task that is cancelled.
    func next() async -> Piece? {
        await wait { !$0.pieces.isEmpty || $0.isFinished }
        return change { $0.pieces.isEmpty ? nil : $0.pieces.removeFirst() }
    }

    /// No more pieces come.
    func finish() { change { $0.isFinished = true } }

    /// Nobody reads any more.
    func abandon() {
        change { state in
            state.isAbandoned = true
            state.pieces = []
        }
    }

    /// Changes the state, and has all look at it who wait.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            let result = body(&state)
            defer { state.waiters = [] }
            return (result, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    private func wait(until isReady: @Sendable (State) -> Bool) async {
        await withTaskCancellationHandler {
            while !Task.isCancelled, !state.withLock({ isReady($0) }) {
                await withCheckedContinuation { waiter in
                    let isOver = state.withLock { state in
                        let isOver = Task.isCancelled || isReady(state)
                        if !isOver { state.waiters.append(waiter) }
                        return isOver
                    }
                    if isOver { waiter.resume() }
                }
            }
        } onCancel: {
            change { _ in }
        }
    }
}
