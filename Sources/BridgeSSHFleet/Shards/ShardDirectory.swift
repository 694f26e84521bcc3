#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The directory that the shards of a plan share: the plan, a journal for each shard, and the claims.
package struct ShardDirectory: Sendable, Equatable {
    package let path: String

    package init(_ path: String) { self.path = JournalDirectory.ofPlan(path).path }

    /// The directory of the plan whose shards were merged into a journal.
    ///
    /// - Parameter planDigest: the digest of the plan, from the merged journal.
    /// - Throws: `JournalProblem` if the plan is missing or another one: without it, claimed hosts are not known.
    package init(ofMerged journal: String, planDigest: [UInt8]) throws(JournalProblem) {
        let link = JournalFiles.planLink(journal)
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        let directory = count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
        guard !directory.isEmpty, JournalFiles.isThere(directory + "/claims") else {
            throw JournalProblem(
                .missing, journal,
                "the run was merged from shards, and the directory of their plan\(directory.isEmpty ? "" : ", \(directory),") is "
                    + "missing, so no host can be claimed; merge the shards again with `bridge-ssh fleet merge`")
        }
        self.init(directory)
        guard try read().digest == planDigest else {
            throw JournalProblem(
                .other, journal,
                "the run was merged from shards, and \(directory) has another plan by now, without the claims of this run's hosts; "
                    + "begin a new run on the hosts that are left")
        }
    }

    /// Identifies the journal of a merged run in claims. Every merge of a plan has the same run name, so the path is part of it.
    package static func owner(ofMerged journal: String, run: String) -> String {
        let resolved = realpath(journal, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? journal
        return "\(run)-\(RunSubject.digest(Array(path.utf8)).prefix(16).map { $0 }.hexadecimal)"
    }

    package var plan: String { path + "/plan" }
    package var claims: String { path + "/claims" }

    package func database(ofShard shard: Int) -> String { "\(path)/shard-\(shard).sqlite" }

    package static func isJournalOfShard(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("shard-") && name.hasSuffix(".sqlite")
    }

    /// Creates the directory and writes the plan to it. An existing plan stays as it is.
    ///
    /// - Throws: `JournalProblem`.
    package func create(_ plan: ShardPlan) throws(JournalProblem) {
        try JournalDirectory.ofPlan(path).prepare()
        try JournalDirectory.ofPlan(claims).prepare()
        let bytes: [UInt8]
        do { bytes = try plan.file() } catch {
            throw JournalProblem(.failed, self.plan, "the plan cannot be written as JSON: \(error)")
        }
        let temporary = "\(self.plan).\(UInt32.random(in: 0 ... .max))"
        defer { unlink(temporary) }
        try Self.write(bytes, to: temporary)
        // link(2) never replaces a file.
        guard link(temporary, self.plan) == 0 else {
            let failure = LocalFileFailure("make", self.plan)
            guard failure.errno == EEXIST else { throw JournalProblem(failure) }
            throw JournalProblem(
                .other, self.plan, "\(self.plan) already exists, and a plan is never changed; give --to another directory")
        }
        JournalDirectory.ofPlan(path).synchronize()
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(JournalProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JournalProblem(LocalFileFailure("make", path)) }
        defer { close(descriptor) }
        do throws(LocalFileFailure) { try LocalFileFailure.writeAll(bytes, to: descriptor, path) } catch {
            throw JournalProblem(error)
        }
        guard fsync(descriptor) == 0 else { throw JournalProblem(LocalFileFailure("write", path)) }
    }

    /// The largest plan that is read, in bytes.
    private static let maximumLength = 1 << 30

    /// Reads the plan.
    ///
    /// - Returns: the plan and its digest.
    /// - Throws: `JournalProblem`, also if another user may have written it.
    package func read() throws(JournalProblem) -> (plan: ShardPlan, digest: [UInt8]) {
        guard try JournalDirectory.ofPlan(path).check() else {
            throw JournalProblem(.missing, path, "there is no directory \(path); `bridge-ssh fleet plan --to` makes it")
        }
        let bytes = try bytes()
        do throws(ShardPlan.Unreadable) {
            return (try ShardPlan(file: bytes), RunSubject.digest(bytes))
        } catch {
            throw JournalProblem(
                .damaged, plan,
                "\(plan) is not a plan that can be used: \(error.reason); nothing was run, and a new plan needs a new directory")
        }
    }

    private func bytes() throws(JournalProblem) -> [UInt8] {
        let descriptor = try JournalFiles.open(
            plan, missing: "there is no plan in \(path); `bridge-ssh fleet plan --to` writes one")
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw JournalProblem(LocalFileFailure("open", plan)) }
        try JournalFiles.check(status, plan, mayHaveLinks: true)
        guard status.st_size <= Self.maximumLength else { throw JournalProblem(.damaged, plan, "\(plan) is too long for a plan") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[filled...]).baseAddress, $0.count - filled,
                    off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw JournalProblem(LocalFileFailure("read", plan)) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    package func hasJournal(ofShard shard: Int) -> Bool { JournalFiles.isThere(database(ofShard: shard)) }
}
