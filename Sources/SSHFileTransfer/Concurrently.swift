internal import Synchronization

/// Works on all items, at most so many at once (1 to 1000), in order of their beginning.
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

/// The outcomes of work on all items, at most so many at once (1 to 1000), in order of the items.
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
    /// Copies all sources. Files go together unless two go to the same place, where the last one stays; a tree has many files of
    /// its own under way.
    func perform(_ jobs: [CopyJob]) async throws {
        let areApart = Set(jobs.map(\.target)).count == jobs.count
        let files = areApart ? jobs.filter { !$0.isTree } : []
        try await concurrently(files, atMost: options.concurrency) { job in try await self.attempt { try await job.work() } }
        for job in areApart ? jobs.filter(\.isTree) : jobs { try await attempt { try await job.work() } }
    }
}
