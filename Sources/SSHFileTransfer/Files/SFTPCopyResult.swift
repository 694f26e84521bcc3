internal import ErrorCore
internal import Synchronization

/// The result of a copy.
public struct SFTPCopyResult: Sendable, Equatable {
    /// Files that are complete.
    public var files = 0
    /// Directories, including those that existed already.
    public var directories = 0
    /// Symbolic links.
    public var symbolicLinks = 0
    /// Bytes that were moved.
    public var bytes: UInt64 = 0
    /// Bytes that an earlier copy had moved.
    public var resumedBytes: UInt64 = 0
    /// Files whose checksums were compared and found equal.
    public var verifiedFiles = 0
    /// Files whose requested checksum comparison was not possible; a notice gives the reason.
    public var unverifiedFiles = 0
    /// Entries of directories that were left out: neither files, directories nor links, or links that lead out of the tree.
    public var leftOut = 0
    /// Notices about files that were left out, not verified, or written in another way: the first 1,000, and then one with the
    /// number of the others.
    public var notices: [String] = []
    /// The failures of single files in a copy that continued: the first 1,000; a notice gives the number of the others.
    public var failures: [SSHError] = []
    /// The number of failures, including those that are not in ``failures``.
    public var failureCount = 0
    /// Partial copies that are left: with ``SFTPCopyOptions/resumes`` a later copy resumes them, otherwise they could not be
    /// removed. In no particular order, and at most 1,000; a notice gives the number of the others.
    public var partialFiles: [String] = []

    /// Nothing yet.
    public init() {}
}

/// How a copy ended, before it is reported.
package struct CopyOutcome: Sendable {
    package var result: SFTPCopyResult?
    /// The error that ended it before everything was tried.
    package var error: SSHError?
    package var progress = SFTPProgress()
    package var timings = SSHStageTimings()
    /// The duration of all attempts, including the waits between them.
    package var durationSeconds = 0.0
    /// The duration since the first connection was established.
    package var copySeconds = 0.0
    package var attempts = 1

    package init(error: SSHError? = nil) { self.error = error }

    /// Whether everything was copied, and verified if requested.
    package var isComplete: Bool { error == nil && (result?.isComplete ?? true) }
}

extension SFTPCopyResult {
    /// Whether everything was copied, and verified if requested.
    package var isComplete: Bool { failureCount + leftOut + unverifiedFiles == 0 }
}

/// The JSON object of a copy, `bridge-ssh-copy/1`: see docs/json-schema-copy.json.
package struct CopyReport: Sendable {
    /// The direction of the copy.
    package enum Direction: String, Sendable {
        case upload, download
        /// From one host to another, through this one.
        case relay
    }

    /// Nil if the arguments did not name it.
    package var direction: Direction?
    /// Of a relay.
    package var sourceHost: String?
    package var endpoint = SSHEndpoint(unchecked: "", user: "")
    /// The host as it was typed.
    package var named = ""
    /// What made the connection: `libssh2`, or `ssh` of OpenSSH.
    package var via = "libssh2"
    package var sources: [String] = []
    package var target = ""
    private let outcome: CopyOutcome

    package init(_ outcome: CopyOutcome) { self.outcome = outcome }

    /// The report on a copy that never started.
    package init(error: SSHError) { self.init(CopyOutcome(error: error)) }

    /// The object.
    package var json: JSONValue {
        let (result, progress) = (outcome.result, outcome.progress)
        let failures = result?.failures ?? []
        let error = outcome.error ?? failures.first
        return .members([
            "schema": .string("bridge-ssh-copy/1"),
            "direction": direction.map { .string($0.rawValue) } ?? .null,
            "destination": .string(named), "host": .string(endpoint.host), "user": .string(endpoint.user),
            "port": .integer(endpoint.port), "via": .string(via),
            "sources": .array(sources.map(Self.path)), "target": Self.path(target),
            "sourceHost": sourceHost.map { .string($0) } ?? .null,
            "outcome": .string(error != nil ? "failed" : outcome.isComplete ? "succeeded" : "incomplete"),
            "files": .integer(result?.files ?? progress.files),
            "directories": .integer(result?.directories ?? 0),
            "symbolicLinks": .integer(result?.symbolicLinks ?? 0),
            "bytes": .integer(Int(clamping: result?.bytes ?? progress.bytes)),
            "resumedBytes": .integer(Int(clamping: result?.resumedBytes ?? 0)),
            "verifiedFiles": .integer(result?.verifiedFiles ?? 0),
            "unverifiedFiles": .integer(result?.unverifiedFiles ?? 0),
            "leftOut": .integer(result?.leftOut ?? 0),
            "failureCount": .integer(result?.failureCount ?? 0),
            "attempts": .integer(outcome.attempts),
            "partialFiles": .array((result?.partialFiles ?? []).sorted().map(Self.path)),
            "notices": .array((result?.notices ?? []).map { .string(TerminalText.inert($0, limit: 4096)) }),
            "durationSeconds": .number(outcome.durationSeconds),
            "timings": outcome.timings.json,
            "error": error?.json ?? .null,
            "failures": .array(failures.map(\.json)),
        ])
    }

    private static func path(_ path: String) -> JSONValue { .string(PathText.shown(path)) }
}

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
                (state.omittedNotices, "more notices"), (state.omittedFailures, "more failures"),
                (state.omittedPartials, "more partial copies"),
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

    func moved(_ count: Int) {
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
