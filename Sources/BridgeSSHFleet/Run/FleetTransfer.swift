internal import BridgeSSH
internal import SSHRun

/// Files to copy to every host, or to fetch from every host.
package struct FleetTransfer: Sendable {
    package let direction: HostTransfer.Direction
    /// The sources as typed: local paths, or paths on every host.
    package let sources: [String]
    /// The path on every host, empty for the directory in which its server starts; or the local directory that gets a
    /// subdirectory for each host.
    package let target: String
    /// The sources of an upload, examined once for all hosts.
    let uploads: [UploadSource]
    private(set) var options: SFTPCopyOptions

    private init(
        _ direction: HostTransfer.Direction, _ sources: [String], _ target: String, _ uploads: [UploadSource],
        _ options: SFTPCopyOptions
    ) {
        self.direction = direction
        self.sources = sources
        self.target = target
        self.uploads = uploads
        self.options = options
        self.options.continuesAfterFailure = true
        // One rate limit for all hosts together.
        self.options.pace = RateLimit(bytesPerSecond: options.bytesPerSecond)
    }

    /// Copies local files and directories to every host. Examines all of them, and opens each to check that it can be read.
    ///
    /// - Parameter path: a directory for several sources or for a directory; otherwise as for `SFTPClient.upload`.
    /// - Throws: `UsageProblem` that names what cannot be copied.
    package static func copy(_ sources: [String], to path: String, _ options: SFTPCopyOptions) throws -> FleetTransfer {
        try check(options)
        guard !sources.isEmpty else { throw UsageProblem(field: "source", problem: "there is none; name at least one file") }
        let uploads = try sources.map { source in
            do {
                let upload = try UploadSource(source, options)
                try upload.checkReadable()
                return upload
            } catch let fault as LocalFault {
                throw UsageProblem(source: source, SSHFileProblem(fault))
            } catch let problem as UploadProblem {
                throw UsageProblem(source: source, problem.problem)
            }
        }
        // cp would put a directory into an existing one, or else create it under the new name. Otherwise hosts would end up with
        // different files, and a second copy would have another result than the first.
        let isInto = !path.isEmpty && path.utf8.last != UInt8(ascii: "/") && uploads.contains { $0.isDirectory }
        return FleetTransfer(.copy, sources, isInto ? path + "/" : path, uploads, options)
    }

    /// Fetches files and directories from every host into directories that have the hosts' names.
    package static func fetch(_ paths: [String], into directory: String, _ options: SFTPCopyOptions) -> FleetTransfer {
        var options = options
        // An earlier fetch may have left links there that a host chose.
        options.followsTarget = false
        return FleetTransfer(.fetch, paths, directory, [], options)
    }

    /// A description for a person.
    package var title: String {
        let words = sources.map { ShellWord.quoted($0.isEmpty ? "~" : $0) }.joined(separator: " ")
        switch direction {
        case .copy: return "copy \(words) to \(target.isEmpty ? "the home directory" : ShellWord.quoted(target))"
        case .fetch: return "fetch \(words) into \(ShellWord.quoted(target))"
        }
    }

    /// The number of files and bytes that every host gets; nil if only the hosts know.
    package var amount: (files: Int, bytes: UInt64)? {
        guard direction == .copy else { return nil }
        return uploads.reduce((0, 0)) { ($0.0 + $1.files, $0.1 &+ $1.bytes) }
    }

    /// The path to which a host's files go.
    package func target(for host: String) -> String {
        direction == .copy ? target : ServerPath.join(target, HostFileName.of(host))
    }

    func part(of host: String) -> HostTransfer {
        HostTransfer(direction: direction, sources: sources, target: target(for: host))
    }

    /// The facts that distinguish this transfer from others. The paths are absolute, so the current directory does not
    /// matter.
    package var subject: RunSubject {
        let flags: [(Bool, String)] = [
            (options.isRecursive, "--recursive"), (options.preservesAttributes, "--preserve"),
            (options.writesInPlace, "--inplace"), (options.isSparse, "--sparse"), (options.createsParents, "--mkpath"),
        ]
        let places =
            direction == .copy
            ? sources.map(LocalPath.resolved) + [":" + target] : sources.map { ":" + $0 } + [LocalPath.absolute(target)]
        let words = flags.filter(\.0).map(\.1) + places.map(ShellWord.quoted)
        var subject = RunSubject(kind: direction.rawValue, command: words.joined(separator: " "))
        if direction == .copy { subject.scriptDigest = UploadSource.digest(of: uploads) }
        return subject
    }

    /// Creates the local directory if it is missing.
    ///
    /// - Throws: `UsageProblem`.
    package func prepare() throws {
        guard direction == .fetch else { return }
        do throws(LocalFault) {
            try LocalPath.makeDirectories(target)
            try LocalDirectory(target).checkWritable()
        } catch {
            throw UsageProblem(field: target, problem: "files cannot be put there: \(SSHFileProblem(error).reasonText)")
        }
    }

    /// - Throws: `UsageProblem` for a combination that makes no sense.
    func check() throws(UsageProblem) {
        try Self.check(options)
        for path in sources + [target] where path.utf8.contains(0) {
            throw UsageProblem(field: "path", problem: "\(path) contains a NUL character; remove it")
        }
    }

    private static func check(_ options: SFTPCopyOptions) throws(UsageProblem) {
        if let problem = options.problem { throw UsageProblem(field: problem.field, problem: problem.text) }
    }

    /// Limits the open files to the descriptors of this process, and the hosts that run at once accordingly.
    package mutating func fit(_ plan: inout EnginePlan) {
        let hosts = max(1, min(plan.hosts, plan.parallel ?? AdaptiveParallelism.maximum))
        // A file, its directory, and the other descriptors of a connection.
        let each = DescriptorLimit.hostsAtOnce / hosts
        options.concurrency = min(options.concurrency, max(2, each / 2 - Self.ownDescriptors))
        plan.ceiling = max(1, min(plan.ceiling, DescriptorLimit.hostsAtOnce / (2 * options.concurrency + Self.ownDescriptors)))
    }

    private static let ownDescriptors = 4
}

extension FleetTransfer {
    /// Copies the files of one host.
    ///
    /// - Parameter sudo: starts the host's SFTP server as root; nil starts it as the user who logged in.
    /// - Throws: `SSHError`, `CancellationError`; even then `report` has what was copied, and the failures.
    func perform(
        on connection: SSHConnection, through sudo: SudoSFTP?, _ attempt: HostAttempt, _ report: inout AttemptReport
    ) async throws -> RunOutcome.End {
        let kept = PartialCopyResult()
        var options = options
        options.memory = attempt.window
        options.finished = attempt.finished
        options.interrupted = { kept.set($0) }
        do {
            let copying: @Sendable (SFTPClient) async throws -> SFTPCopyResult = { [options] sftp in
                switch direction {
                case .copy:
                    // From here on the host may have some of the files.
                    try await attempt.arm()
                    return try await sftp.upload(uploads, to: target, options: options)
                case .fetch:
                    // A download changes nothing on the host, so it needs no record in the journal beforehand.
                    return try await sftp.download(sources, to: try await makePlace(for: attempt.host), options: options)
                }
            }
            let result =
                if let sudo { try await sudo.withClient(copying) } else { try await connection.withSFTP(copying) }
            let failure = result.failure(at: connection.endpoint)
            report.copied = result.shortened
            return failure.map { .failed($0) } ?? .ended(.exited(0), nil)
        } catch {
            report.copied = kept.value?.shortened
            throw error
        }
    }

    /// Creates a host's directory. It must not be a link, and its name cannot lead elsewhere; the files that the host names are
    /// created inside it.
    private func makePlace(for host: String) async throws -> String {
        do {
            try await Disk.run { [target] in
                _ = try LocalDirectory(target).makeDirectory(HostFileName.of(host), permissions: 0o777)
            }
        } catch let fault as LocalFault {
            throw SSHError.onLocalFile(SSHFileProblem(fault))
        }
        // With the trailing slash, an existing path must be a directory.
        return target(for: host) + "/"
    }
}
