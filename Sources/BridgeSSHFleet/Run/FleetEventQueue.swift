internal import DequeModule
internal import Synchronization

/// The events of a run on their way to their reader, in order.
///
/// Output waits for space, so a slow reader slows the servers. Other events never wait; the number of hosts bounds them.
package final class FleetEventQueue: Sendable {
    fileprivate typealias Entry = (event: FleetEvent, taken: (@Sendable () -> Void)?)

    fileprivate struct State {
        var events = Deque<Entry>()
        /// The number of bytes of output that wait for the reader.
        var bytes = 0
        /// Readers that wait for an event; each event goes to one of them.
        var readers: [CheckedContinuation<Void, Never>] = []
        var isBeingRead = false
        /// Those who wait until every event has been handled.
        var waitingForReader: [CheckedContinuation<Void, Never>] = []
        var writers: [(token: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
        var nextToken: UInt64 = 0
        var isFinished = false
        /// Whether the reader has stopped; output is then discarded.
        var isAbandoned = false
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: the most bytes of output that may wait.
    package init(limit: Int) { self.limit = max(1, limit) }

    // MARK: Writing

    /// Adds an event that is not output.
    ///
    /// - Parameter taken: called when the reader has taken the event, or has stopped.
    package func send(_ event: FleetEvent, taken: (@Sendable () -> Void)? = nil) {
        let isRead = state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.events.append((event, taken))
            state.wakeReader()
            return true
        }
        if !isRead { taken?() }
    }

    /// Adds a piece of output, and returns when the next piece may come.
    ///
    /// - Parameter wait: ends the wait for a stalled reader.
    package func send(_ bytes: [UInt8], of host: String, _ stream: SSHEvidence.OutputStream, _ wait: OutputWait) async {
        let isFull = state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.events.append((.output(host: host, stream: stream, bytes: bytes), nil))
            state.bytes += bytes.count
            state.wakeReader()
            return state.bytes > limit
        }
        if isFull { await self.wait(wait) }
    }

    private func wait(_ wait: OutputWait) async {
        await withCheckedContinuation { continuation in
            let token: UInt64? = state.withLock { state in
                guard state.bytes > limit, !state.isAbandoned else { return nil }
                state.nextToken += 1
                state.writers.append((state.nextToken, continuation))
                return state.nextToken
            }
            guard let token else { return continuation.resume() }
            wait.attach { self.release(token) }
        }
        wait.detach()
    }

    private func release(_ token: UInt64) {
        let writer = state.withLock { state in
            state.writers.firstIndex { $0.token == token }.map { state.writers.remove(at: $0).continuation }
        }
        writer?.resume()
    }

    /// Marks the end: no event follows.
    package func finish() {
        state.withLock { state in
            state.isFinished = true
            state.wakeReaders()
            state.wakeThoseWaitingForReader()
        }
    }

    // MARK: Reading

    /// The next event; nil at the end, and if the reading task is cancelled.
    package func next() async -> FleetEvent? {
        while true {
            let (entry, isOver, writers) = state.withLock { $0.take(limit: limit) }
            for writer in writers { writer.resume() }
            entry?.taken?()
            if entry != nil || isOver || Task.isCancelled { return entry?.event }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        let isReady = !state.events.isEmpty || state.isFinished
                        if !isReady {
                            state.readers.append(continuation)
                            state.wakeThoseWaitingForReader()
                        }
                        return isReady
                    }
                    if isReady { continuation.resume() }
                    // The task was cancelled before its continuation was in the list, so `onCancel` did not wake it.
                    if !isReady, Task.isCancelled { state.withLock { $0.wakeReaders() } }
                }
            } onCancel: {
                state.withLock { $0.wakeReaders() }
            }
        }
    }

    /// Returns when a reader has handled all events so far and waits for the next; at once without a reader; and if the task is
    /// cancelled.
    package func untilHandled() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isHandled = state.withLock { state in
                    let isHandled =
                        !state.isBeingRead || state.isAbandoned || state.isFinished || Task.isCancelled
                        || (state.events.isEmpty && !state.readers.isEmpty)
                    if !isHandled { state.waitingForReader.append(continuation) }
                    return isHandled
                }
                if isHandled { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.wakeThoseWaitingForReader() }
        }
    }

    /// Records that a reader has started.
    package func beginReading() { state.withLock { $0.isBeingRead = true } }

    /// Whether a reader started and stopped before the end.
    var wasAbandoned: Bool { state.withLock { $0.isBeingRead && !($0.isFinished && $0.events.isEmpty) } }

    /// Ends all reading: nothing will be read any more.
    package func abandon() {
        let (writers, events) = state.withLock { state in
            state.isAbandoned = true
            state.wakeThoseWaitingForReader()
            defer { (state.writers, state.events, state.bytes) = ([], [], 0) }
            return (state.writers, state.events)
        }
        for writer in writers { writer.continuation.resume() }
        for entry in events { entry.taken?() }
    }
}

extension FleetEventQueue.State {
    fileprivate mutating func wakeReader() { readers.popLast()?.resume() }

    fileprivate mutating func wakeThoseWaitingForReader() {
        for waiting in waitingForReader { waiting.resume() }
        waitingForReader = []
    }

    /// Each reader checks for itself whether there is an event for it.
    fileprivate mutating func wakeReaders() {
        for reader in readers { reader.resume() }
        readers = []
    }

    fileprivate mutating func take(limit: Int) -> (FleetEventQueue.Entry?, isOver: Bool, [CheckedContinuation<Void, Never>]) {
        guard let entry = events.popFirst() else { return (nil, isFinished, []) }
        guard case .output(_, _, let piece) = entry.event else { return (entry, false, []) }
        bytes -= piece.count
        guard bytes <= limit, !writers.isEmpty else { return (entry, false, []) }
        defer { writers = [] }
        return (entry, false, writers.map(\.continuation))
    }
}

/// Lets others end an output's wait for its reader.
package final class OutputWait: Sendable {
    private let state = Mutex((isOver: false, end: (@Sendable () -> Void)?.none))

    package init() {}

    package var isOver: Bool { state.withLock { $0.isOver } }

    /// - Parameter end: called at once if the wait is already over.
    package func attach(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.end = end
            return state.isOver
        }
        if isOver { end() }
    }

    package func detach() { state.withLock { $0.end = nil } }

    package func end() {
        let end = state.withLock { state in
            state.isOver = true
            return state.end
        }
        end?()
    }
}
