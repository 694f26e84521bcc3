import BridgeSSH
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Keeps two processes from running the command on the same host. There is a file for each host, which only one of them can
/// create.
///
/// A claim is created before a host is armed, and removed only once it is certain that the command did not run there. It names
/// its journal. It is a hard link to a file with that text, so it exists with its complete text or not at all, even on a full
/// disk and on NFS (link(2), "On NFS filesystems"). The directory is synchronized before the host is armed, so a power cut
/// removes no claim.
package final class ShardClaims: Sendable {
    /// The content of a claim.
    package struct Owner: Equatable, Sendable {
        /// Identifies the journal. The run's name is not enough for merged runs: every merge of a plan has the same name.
        package let journal: String
        /// Identifies the current boot of the machine. Within it, the lock of a journal proves that no other process writes to
        /// it.
        package let boot: String

        package init(journal: String, boot: String = ShardClaims.boot) { (self.journal, self.boot) = (journal, boot) }

        fileprivate var text: String { "bridge-ssh-claim/1 \(journal) \(boot)\n" }

        fileprivate init?(_ text: String) {
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 3, words[0] == "bridge-ssh-claim/1" else { return nil }
            self.init(journal: words[1], boot: words[2])
        }
    }

    private let directory: String
    private let owner: Owner
    /// Hosts whose claims are ignored, because a person wants to run them again.
    private let overridden: Set<String>
    private let taken = Mutex<Set<String>>([])
    private let source = Mutex<String?>(nil)
    /// Hosts whose claims are made and not yet durable.
    private let unsettled = Mutex<[CheckedContinuation<Void, any Error>]>([])
    private let queue = DispatchQueue(label: "bridge-ssh.claims")

    /// - Parameters:
    ///   - directory: the directory of the claims.
    ///   - journal: identifies the journal whose lock this process holds.
    package init(_ directory: String, journal: String, overridden: Set<String> = []) {
        self.directory = directory
        self.overridden = overridden
        owner = Owner(journal: journal)
    }

    deinit { end() }

    /// Removes the file to which the claims are links. Call it after the last claim.
    package func end() { dropSource() }

    /// Claims a host, or finds that this journal already has its claim.
    ///
    /// - Returns: false if another journal has it.
    /// - Throws: `JournalProblem` if the claim cannot be created.
    package func take(_ host: String) async throws -> Bool {
        if taken.withLock({ $0.contains(host) }) { return true }
        let isTaken = try await onQueue { () throws(JournalProblem) in try self.makeClaim(of: host) }
        guard isTaken else { return false }
        try await settle()
        taken.withLock { _ = $0.insert(host) }
        return true
    }

    /// Removes a claim of this process. A claim that cannot be removed still belongs to this journal. A claim that replaced
    /// another journal's stays: the command may have run for that journal.
    package func release(_ host: String) async {
        guard taken.withLock({ $0.remove(host) }) != nil, !overridden.contains(host) else { return }
        _ = try? await onQueue { () throws(JournalProblem) in
            let path = self.path(of: host)
            if self.isOwn(path) { unlink(path) }
        }
    }

    /// Makes new claims durable. Hosts that wait at the same time share one fsync(2).
    private func settle() async throws {
        try await withCheckedThrowingContinuation { done in
            let isFirst = unsettled.withLock { waiting in
                waiting.append(done)
                return waiting.count == 1
            }
            guard isFirst else { return }
            queue.async {
                let waiting = self.unsettled.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                let result = Result { () throws(JournalProblem) in try self.synchronize() }
                for done in waiting { done.resume(with: result.mapError { $0 }) }
            }
        }
    }

    private func synchronize() throws(JournalProblem) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(LocalFileFailure("open", directory)) }
        defer { close(descriptor) }
        // EINVAL: the file system has nothing to synchronize (fsync(2)).
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw problem(LocalFileFailure("write to", directory)) }
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable () throws(JournalProblem) -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { done in
            queue.async { done.resume(with: Result { try body() }) }
        }
    }

    private func path(of host: String) -> String { "\(directory)/\(HostFileName.of(host))" }

    private func makeClaim(of host: String) throws(JournalProblem) -> Bool {
        let path = path(of: host)
        // The file may have reached its maximum number of links, or may have been removed.
        for _ in 0..<2 {
            let source = try sourceFile()
            if link(source, path) == 0 { return true }
            let number = errno
            if number == EEXIST { break }
            // An NFS server's answer may have been lost.
            var status = stat()
            if stat(source, &status) == 0, status.st_nlink > 1, isOwn(path) { return true }
            guard number == EMLINK || number == ENOENT else { throw problem(LocalFileFailure("make", path, errno: number)) }
            dropSource()
        }
        if isOwn(path) { return true }
        guard overridden.contains(host) else { return false }
        let source = try sourceFile()
        let temporary = "\(directory)/.\(UInt32.random(in: 0 ... .max))"
        guard link(source, temporary) == 0, rename(temporary, path) == 0 else {
            let failure = LocalFileFailure("make", path)
            unlink(temporary)
            throw problem(failure)
        }
        // rename(2) does nothing if both names are links to the same file.
        unlink(temporary)
        return true
    }

    private func isOwn(_ path: String) -> Bool { Self.owner(path) == owner }

    /// The file to which the claims are links.
    private func sourceFile() throws(JournalProblem) -> String {
        if let source = source.withLock({ $0 }) { return source }
        guard try JournalDirectory.ofPlan(directory).check() else {
            throw JournalProblem(.missing, directory, "there is no directory \(directory), in which hosts are claimed")
        }
        let path = "\(directory)/.owner-\(owner.journal)-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw problem(LocalFileFailure("make", path)) }
        do throws(LocalFileFailure) {
            defer { close(descriptor) }
            try LocalFileFailure.writeAll(Array(owner.text.utf8), to: descriptor, path)
        } catch {
            unlink(path)
            throw problem(error)
        }
        source.withLock { $0 = path }
        return path
    }

    private func dropSource() {
        if let old = source.withLock({ $0.take() }) { unlink(old) }
    }

    private func problem(_ failure: LocalFileFailure) -> JournalProblem {
        let text = "hosts cannot be claimed in \(directory): \(failure.reason); nothing more is begun"
        return switch failure.errno {
        case ENOSPC, EDQUOT: JournalProblem(.full, directory, text)
        case EROFS, EACCES, EPERM: JournalProblem(.readOnly, directory, text)
        default: JournalProblem(.failed, directory, text)
        }
    }

    // MARK: Claims of others

    /// The owner of a claim; nil if the file does not name one.
    static func owner(_ path: String) -> Owner? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Owner(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// Distinguishes one boot of a machine from every other.
    package static let boot: String = {
        #if canImport(Darwin)
            var time = timeval()
            var size = MemoryLayout<timeval>.size
            return sysctlbyname("kern.boottime", &time, &size, nil, 0) == 0 ? "\(time.tv_sec).\(time.tv_usec)" : "unknown"
        #else
            // proc_sys_kernel(5), /proc/sys/kernel/random/boot_id.
            let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return unknownBoot() }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(descriptor, &bytes, bytes.count)
            let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self).filter { $0.isHexDigit || $0 == "-" }
            return text.isEmpty ? unknownBoot() : text
        #endif
    }()

    /// If the boot is not known, no other process's claim counts as this one's.
    private static func unknownBoot() -> String { "unknown-\(UInt64.random(in: 0 ... .max))" }
}

/// The journal of a shard. It arms no host that another journal has claimed.
package struct ShardJournal: RunJournal {
    private let journal: any RunJournal
    private let claims: ShardClaims

    package init(_ journal: any RunJournal, _ claims: ShardClaims) {
        self.journal = journal
        self.claims = claims
    }

    /// - Throws: what the journal throws; `HostIsClaimed` if another journal has claimed the host.
    package func arm(_ host: String) async throws {
        let isTaken: Bool
        do { isTaken = try await claims.take(host) } catch let problem as JournalProblem { throw problem.verdict }
        guard isTaken else { throw HostIsClaimed(host: host) }
        try await journal.arm(host)
    }

    package func record(_ result: FleetHostResult) async throws {
        try await journal.record(result)
        // The journal has now durably recorded that the command did not run.
        if result.outcome == .error || result.outcome == .skipped { await claims.release(result.host) }
    }

    package func copied(_ file: String, size: UInt64, on host: String) { journal.copied(file, size: size, on: host) }
    package func copied(on host: String) async throws -> [String: UInt64] { try await journal.copied(on: host) }
    package func read(_ digest: [UInt8]?) async throws { try await journal.read(digest) }
    package func finish(_ summary: FleetSummary) async throws {
        claims.end()
        try await journal.finish(summary)
    }
}

/// Another journal has claimed the host, so its process may run the command there, or may have run it.
struct HostIsClaimed: Error {
    let host: String

    var verdict: SSHError {
        SSHError(
            .commandOutcomeUnknown,
            message: "Another copy of this shard has begun \(VisibleText.name(host)), and the command may have run there; it was "
                + "not sent again.",
            remedy: """
                Look at the host. Once the shards are merged, \(run: "bridge-ssh fleet resume --again unknown", .mayBeWrong) runs it \
                again.
                """,
            host: host, commandMayHaveRun: .unknown)
    }
}
