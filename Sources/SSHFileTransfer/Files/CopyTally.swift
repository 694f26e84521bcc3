internal import ErrorCore
internal import Synchronization

/// The result of a copy so far, updated by all its tasks.
final class CopyTally: Sendable {
    /// The most notices, failures and partial copies that are kept: a server may cause one for each file that it lists.
    static let maximumEntries = 1000

    private struct State {
        var result = SFTPCopyResult()
        var progress = SFTPProgress()
        var omittedNotices = 0
        var omittedFailures = 0
        var omittedPartials = 0
        /// The steps that may still find files: the first look at all sources, and each listing of a tree.
        var unknownTotals = 1
    }
    private let state = Mutex(State())
    let options: SFTPCopyOptions
    let rate: RateLimit

    init(_ options: SFTPCopyOptions) {
        self.options = options.consistent
        rate = options.pace ?? RateLimit(bytesPerSecond: options.bytesPerSecond)
    }

    var result: SFTPCopyResult {
        state.withLock { state in
            var result = state.result
            for (count, what) in [
                (state.omittedNotices, "notices"), (state.omittedFailures, "failures"),
                (state.omittedPartials, "partial copies"),
            ] where count > 0 {
                result.notices.append("\(count) more \(what) are not listed.")
            }
            return result
        }
    }

    var progress: SFTPProgress { state.withLock { $0.progress } }

    func note(_ change: (inout SFTPCopyResult) -> Void) { state.withLock { change(&$0.result) } }

    /// - Parameter text: a message whose paths are not yet escaped.
    func notice(_ text: String) {
        let text = PathText.shown(text)
        state.withLock { state in
            if state.result.notices.count < Self.maximumEntries {
                state.result.notices.append(text)
            } else {
                state.omittedNotices += 1
            }
        }
    }

    /// An entry of a directory is not copied.
    func leftOut(_ text: String) {
        note { $0.leftOut += 1 }
        notice(text)
    }

    /// A checksum could not be compared.
    func unverified(_ text: String) {
        note { $0.unverifiedFiles += 1 }
        notice(text)
    }

    /// Counts entries that are left out without a notice of their own.
    func omit(leftOut: Int) {
        state.withLock { state in
            state.omittedNotices += leftOut
            state.result.leftOut += leftOut
        }
    }

    /// The totals are complete after this many calls of ``totalIsKnown()``.
    func totalIsUnknown() { state.withLock { $0.unknownTotals += 1 } }

    func totalIsKnown() {
        let isKnown = state.withLock { state in
            state.unknownTotals -= 1
            return state.unknownTotals == 0
        }
        if isKnown { step { $0.isTotalKnown = true } }
    }

    func expect(files: Int, bytes: UInt64) {
        step {
            $0.totalFiles += files
            $0.totalBytes &+= bytes
        }
    }

    func began(_ path: String) { step { $0.path = PathText.shown(path) } }

    func noteMoved(_ count: Int) {
        state.withLock { $0.result.bytes += UInt64(count) }
        step { $0.bytes += UInt64(count) }
    }

    func resumed(_ count: UInt64) {
        state.withLock { $0.result.resumedBytes += count }
        step {
            $0.bytes += count
            $0.resumedBytes += count
        }
    }

    func completed() {
        state.withLock { $0.result.files += 1 }
        step { $0.files += 1 }
    }

    /// A partial copy was made, or an earlier one is resumed.
    func madePartial(_ path: String) {
        state.withLock { state in
            if state.result.partialFiles.count < Self.maximumEntries {
                state.result.partialFiles.append(path)
            } else {
                state.omittedPartials += 1
            }
        }
    }

    /// A partial copy got its final name, or was removed.
    func endedPartial(_ path: String) {
        state.withLock { state in
            if let index = state.result.partialFiles.lastIndex(of: path) {
                state.result.partialFiles.remove(at: index)
            } else {
                state.omittedPartials = max(0, state.omittedPartials - 1)
            }
        }
    }

    private func step(_ change: (inout SFTPProgress) -> Void) {
        let progress = state.withLock { state in
            change(&state.progress)
            return state.progress
        }
        options.progress?(progress)
    }

    /// Copies one file. Its failure is recorded instead of thrown if the copy continues after failures.
    ///
    /// - Returns: whether it succeeded.
    @discardableResult
    func attempt(_ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return true
        } catch let error as SSHError {
            guard options.continuesAfterFailure, error.category == .file else { throw error }
            state.withLock { state in
                state.result.failureCount += 1
                if state.result.failures.count < Self.maximumEntries {
                    state.result.failures.append(error)
                } else {
                    state.omittedFailures += 1
                }
            }
            return false
        }
    }
}

/// Runs `work` for all items, at most `limit` at once (1 to 1000), started in order.
func concurrently<Item: Sendable>(
    _ items: [Item], atMost limit: Int, _ work: @escaping @Sendable (Item) async throws -> Void
) async throws {
    let limit = min(max(limit, 1), 1000)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, item) in items.enumerated() {
            if index >= limit { try await group.next() }
            group.addTask { try await work(item) }
        }
        try await group.waitForAll()
    }
}

/// The results of `work` for all items, at most `limit` at once (1 to 1000), in the order of the items.
func results<Item: Sendable, Value: Sendable>(
    of items: [Item], atMost limit: Int, _ work: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Result<Value, any Error>] {
    let found = Mutex([Int: Result<Value, any Error>]())
    try await concurrently(Array(items.enumerated().map { ($0.offset, $0.element) }), atMost: limit) { index, item in
        let result: Result<Value, any Error>
        do { result = .success(try await work(item)) } catch { result = .failure(error) }
        found.withLock { $0[index] = result }
    }
    let all = found.withLock { $0 }
    return items.indices.map { all[$0] ?? .failure(CancellationError()) }
}

/// The copy of one source.
struct CopyJob: Sendable {
    let target: String
    var isTree = false
    let work: @Sendable () async throws -> Void
}

extension CopyTally {
    /// Copies all sources. Files are copied at once, unless two have the same target: then the last one stays. Trees are copied
    /// one by one, because each has many files under way.
    func perform(_ jobs: [CopyJob]) async throws {
        let areApart = Set(jobs.map(\.target)).count == jobs.count
        let files = areApart ? jobs.filter { !$0.isTree } : []
        try await concurrently(files, atMost: options.concurrency) { job in try await self.attempt { try await job.work() } }
        for job in areApart ? jobs.filter(\.isTree) : jobs { try await attempt { try await job.work() } }
    }
}
