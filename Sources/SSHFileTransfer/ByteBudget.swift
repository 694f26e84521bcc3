internal import Synchronization

/// How many bytes may be in flight at once, over all files: first come, first served.
///
/// If more are wanted and those in flight complete as fast as if they were alone, the path can carry more: then the limit
/// doubles. If the path, the server or the disk is busy already each takes longer, and more would only wait.
final class ByteBudget: Sendable {
    private struct State {
        var pace: TransferPace
        var free: Int
        var next: UInt64 = 0
        var waiting: [(id: UInt64, count: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var cancelled: Set<UInt64> = []
    }
    private let first: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - first: the initial limit, at least 1.
    ///   - largest: the limit of its growth.
    init(_ first: Int, upTo largest: Int) {
        self.first = max(1, first)
        state = Mutex(State(pace: TransferPace(self.first, upTo: largest), free: self.first))
    }

    convenience init(_ options: SFTPCopyOptions) {
        let most = options.memory ?? Int.max
        self.init(min(options.window, most), upTo: min(options.largestWindow, most))
    }

    /// How many may be in flight now.
    var limit: Int { state.withLock { $0.pace.limit } }

    /// Lends as many bytes as `body` moves; more than there are at all count as all of them.
    ///
    /// - Throws: `CancellationError`, or what `body` throws.
    func lending<Value: Sendable>(_ count: Int, _ body: () async throws -> Value) async throws -> Value {
        let count = min(count, first)
        try await take(count)
        let began = ContinuousClock.now
        do {
            let value = try await body()
            give(count, began)
            return value
        } catch {
            give(count, nil)
            throw error
        }
    }

    private func take(_ count: Int) async throws {
        let id: UInt64? = state.withLock { state in
            if state.waiting.isEmpty, state.free >= count {
                state.free -= count
                return nil
            }
            state.next += 1
            return state.next
        }
        guard let id else { return }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return false }
                    // Bytes may have been given back since the first look.
                    if state.waiting.isEmpty, state.free >= count {
                        state.free -= count
                        return true
                    }
                    state.waiting.append((id, count, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil as CheckedContinuation<Bool, Never>?
                }
                return state.waiting.remove(at: index).continuation
            }
            waiter?.resume(returning: false)
            grant()
        }
        guard isGranted else { throw CancellationError() }
    }

    /// - Parameter began: when they were sent, if they have been moved.
    private func give(_ count: Int, _ began: ContinuousClock.Instant?) {
        state.withLock { state in
            state.free += count
            guard let began else { return }
            state.free += state.pace.moved(count, began, .now, isWanting: !state.waiting.isEmpty)
        }
        grant()
    }

    private func grant() {
        while true {
            let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let first = state.waiting.first, state.free >= first.count else { return nil }
                state.free -= first.count
                return state.waiting.removeFirst().continuation
            }
            guard let next else { return }
            next.resume(returning: true)
        }
    }
}
