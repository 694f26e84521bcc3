internal import Synchronization

/// The number of bytes that may be in flight at once, over all files: first come, first served.
///
/// The limit doubles if more bytes are wanted and those in flight complete as fast as if they were alone: then the path can
/// carry more. If the path, the server or the disk is busy, each part takes longer, and more bytes would only wait.
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

    /// The bytes that may be in flight now.
    var limit: Int { state.withLock { $0.pace.limit } }

    /// Takes `count` bytes of the budget while `body` runs, or all of them if `count` exceeds the initial limit.
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
                    // Bytes may have been returned since the first check.
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

    /// - Parameter began: when they were sent; nil if they were not moved.
    private func give(_ count: Int, _ began: ContinuousClock.Instant?) {
        state.withLock { state in
            state.free += count
            guard let began else { return }
            state.free += state.pace.noteMoved(count, began, .now, isWanting: !state.waiting.isEmpty)
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

/// Selects the parts of a file to move next. Parts may end in any order. No I/O.
struct TransferWindow {
    /// The bytes to move.
    let whole: Range<UInt64>
    /// The most bytes that one request moves.
    let part: Int
    /// The distance that parts may be ahead of the first missing byte; at least one part is always under way.
    ///
    /// So an interrupted copy has everything except its last `limit` bytes: see ``PartialName``.
    var limit: Int

    private var position: UInt64
    /// The rests of parts that were moved only partly.
    private var again: [Range<UInt64>] = []
    private var underWay: [UInt64: UInt64] = [:]

    init(_ whole: Range<UInt64>, part: Int, limit: Int) {
        self.whole = whole
        self.part = max(1, part)
        self.limit = limit
        position = whole.lowerBound
    }

    /// The next part; nil if enough is in flight, or nothing is left.
    mutating func next() -> Range<UInt64>? {
        let range: Range<UInt64>
        if let rest = again.popLast() {
            range = rest
        } else {
            guard position < whole.upperBound else { return nil }
            let end = min(whole.upperBound, position + UInt64(part))
            guard underWay.isEmpty || end - contiguous <= UInt64(max(0, limit)) else { return nil }
            range = position..<end
            position = end
        }
        underWay[range.lowerBound] = range.upperBound
        return range
    }

    /// A part has been moved, or the beginning of it.
    ///
    /// - Parameter count: 1 to the length of the range.
    mutating func finished(_ range: Range<UInt64>, count: Int) {
        guard underWay.removeValue(forKey: range.lowerBound) != nil else { return }
        if count < range.count { again.append(range.lowerBound + UInt64(max(0, count))..<range.upperBound) }
    }

    var isComplete: Bool { position == whole.upperBound && again.isEmpty && underWay.isEmpty }

    /// The end of the part without gaps, from which a later copy can continue.
    var contiguous: UInt64 {
        min(position, underWay.keys.min() ?? position, again.map(\.lowerBound).min() ?? position)
    }
}
