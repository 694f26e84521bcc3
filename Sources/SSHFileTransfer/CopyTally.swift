internal import ErrorCore
internal import Synchronization

/// The result of a copy so far, updated by all its tasks.
final class CopyTally: Sendable {
    /// How many notices, failures and partial copies are kept: a server may cause as many as it lists files.
    static let kept = 1000

    private struct State {
        var result = SFTPCopyResult()
        var progress = SFTPProgress()
        var omittedNotices = 0
        var omittedFailures = 0
        var omittedPartials = 0
        /// Sources whose sizes are not all known yet: the look at all of them, and each listing of a tree.
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
                result.notices.append("\(count) \(what) like these are not listed.")
            }
            return result
        }
    }

    var progress: SFTPProgress { state.withLock { $0.progress } }

    func note(_ change: (inout SFTPCopyResult) -> Void) { state.withLock { change(&$0.result) } }

    /// - Parameter text: for people; paths in it as they are.
    func notice(_ text: String) {
        let text = PathText.shown(text)
        state.withLock { state in
            if state.result.notices.count < Self.kept { state.result.notices.append(text) } else { state.omittedNotices += 1 }
        }
    }

    /// An entry of a directory is not copied.
    func leftOut(_ text: String) {
        note { $0.leftOut += 1 }
        notice(text)
    }

    /// A checksum was to be compared, and could not be.
    func unverified(_ text: String) {
        note { $0.unverifiedFiles += 1 }
        notice(text)
    }

    /// Entries left out that are only counted.
    func omit(leftOut: Int) {
        state.withLock { state in
            state.omittedNotices += leftOut
            state.result.leftOut += leftOut
        }
    }

    /// The totals are not complete before as many calls of ``totalIsKnown()``.
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

    /// A partial copy has been made, or been found to go on with.
    func madePartial(_ path: String) {
        state.withLock { state in
            if state.result.partialFiles.count < Self.kept {
                state.result.partialFiles.append(path)
            } else {
                state.omittedPartials += 1
            }
        }
    }

    /// It has got its final name, or is gone.
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

    /// Copies one file; its failure is recorded if the others are to be copied all the same.
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
                if state.result.failures.count < Self.kept {
                    state.result.failures.append(error)
                } else {
                    state.omittedFailures += 1
                }
            }
            return false
        }
    }
}
