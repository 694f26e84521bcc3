internal import ErrorCore
internal import Synchronization

/// How files are copied.
public struct SFTPCopyOptions: Sendable {
    /// Whether directories are copied, with all that is in them. Symbolic links in them are copied as links and never followed.
    public var isRecursive = false
    /// Whether modes and times become those of the source; otherwise modes do as far as the umask allows.
    public var preservesAttributes = false
    /// Whether to resume the partial copy of an earlier copy with this option, and to leave one when this copy fails.
    public var resumes = false
    /// Whether the SHA-256 of both sides are compared before a copy gets its name. The server's comes from a command there; if it
    /// runs none, a notice reports that.
    public var verifiesChecksums = false
    /// Whether the other files are copied after one has failed: see ``SFTPCopyResult/failures``.
    public var continuesAfterFailure = false
    /// How many files are in transit at once, 1 to 1000, or the copy is refused; at most 4 with ``verifiesChecksums``.
    public var concurrency = 64
    /// How many bytes are in flight at once, over all files, to begin with: 1 to 2³⁰, or the copy is refused. With ``resumes`` it is also the limit for one file: a
    /// later copy goes back by that much.
    public var window = 4 << 20
    /// How many bytes may be in flight at once where the path has a long delay and can carry more, and how much memory may be
    /// held then, at most 2³⁰. No growth if it is not above ``window``.
    public var largestWindow = 32 << 20
    /// The most entries of a tree that are copied, 0 or more, or the copy is refused; it ends with `ssh.sftp.limit-exceeded` at the next one.
    public var maximumEntries = 1_000_000
    /// Called for every step, on no particular thread; it must return soon.
    public var progress: (@Sendable (SFTPProgress) -> Void)?
    /// Called with what was copied and what had failed so far when the copy ends with an error, before that is thrown: it was
    /// cancelled, or the connection was lost. On no particular thread.
    public var interrupted: (@Sendable (SFTPCopyResult) -> Void)?

    /// The defaults.
    public init() {}

    /// What of a number makes no sense; nil if they all do.
    var problem: (field: String, text: String)? {
        let most = 1 << 30
        if !(1...1000).contains(concurrency) { return ("concurrency", "\(concurrency) is not from 1 to 1000") }
        if !(1...most).contains(window) { return ("window", "\(window) is not from 1 to \(most)") }
        if largestWindow > most { return ("largestWindow", "\(largestWindow) is more than \(most)") }
        if maximumEntries < 0 { return ("maximumEntries", "\(maximumEntries) is less than 0") }
        return nil
    }

    /// How far parts of a file may be ahead of the first that is missing: twice what may be under way, so that some wait where the
    /// path would take more.
    func reach(_ budget: ByteBudget) -> Int { resumes ? window : min(max(window, largestWindow), 2 * budget.limit) }
}

/// The progress of a copy.
public struct SFTPProgress: Sendable, Hashable {
    /// Bytes that are done, including those that an earlier copy had moved.
    public var bytes: UInt64 = 0
    /// Bytes in all, as far as they are known.
    public var totalBytes: UInt64 = 0
    /// Files that are complete.
    public var files = 0
    /// Files in all, as far as they are known.
    public var totalFiles = 0
    /// The file that was started last.
    public var path = ""

    /// Nothing yet.
    public init() {}
}

/// The result of a copy.
public struct SFTPCopyResult: Sendable {
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
    /// What was left out, or could not be verified: the first 1,000, and then one that gives the number of the others.
    public var notices: [String] = []
    /// What went wrong with single files, where the others were copied all the same: the first 1,000; a notice gives the number
    /// of the others.
    public var failures: [SSHError] = []
    /// Partial copies that are left: with ``SFTPCopyOptions/resumes`` a later copy goes on with them, otherwise they could not be
    /// removed. In no particular order, and at most 1,000; a notice gives the number of the others.
    public var partialFiles: [String] = []
}

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
    }
    private let state = Mutex(State())
    let options: SFTPCopyOptions

    init(_ options: SFTPCopyOptions) {
        var options = options
        // Each comparison is a command of its own, and sshd allows ten channels on a connection (MaxSessions).
        if options.verifiesChecksums { options.concurrency = min(options.concurrency, 4) }
        self.options = options
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

    func note(_ change: (inout SFTPCopyResult) -> Void) { state.withLock { change(&$0.result) } }

    func notice(_ text: String) {
        state.withLock { state in
            if state.result.notices.count < Self.kept { state.result.notices.append(text) } else { state.omittedNotices += 1 }
        }
    }

    /// Failures and notices that are only counted.
    func omit(failures: Int, notices: Int) {
        state.withLock { state in
            state.omittedFailures += failures
            state.omittedNotices += notices
        }
    }

    func expect(files: Int, bytes: UInt64) {
        step {
            $0.totalFiles += files
            $0.totalBytes &+= bytes
        }
    }

    func began(_ path: String) { step { $0.path = path } }

    func moved(_ count: Int) {
        state.withLock { $0.result.bytes += UInt64(count) }
        step { $0.bytes += UInt64(count) }
    }

    func resumed(_ count: UInt64) {
        state.withLock { $0.result.resumedBytes += count }
        step { $0.bytes += count }
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
