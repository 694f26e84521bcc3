internal import BridgeSSH
internal import SSHRun

/// Files that every host gets, or that are got from every host.
package struct FleetTransfer: Sendable {
    package let direction: HostTransfer.Direction
    /// The sources as they were typed: local paths, or those at every host.
    package let sources: [String]
    /// The path at every host, empty for where its server starts; or the local directory that has one for each host.
    package let target: String
    /// What is to be uploaded, looked at once for all hosts.
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
        // One pace for all hosts.
        self.options.pace = RateLimit(bytesPerSecond: options.bytesPerSecond)
    }

    /// Local files and directories to every host. All of them are looked at, and opened to see that they can be read.
    ///
    /// - Parameter path: a directory for several sources and for a directory, else as for `SFTPClient.upload`.
    /// - Throws: `UsageProblem` that names what cannot be copied.
    package static func copy(_ sources: [String], to path: String, _ options: SFTPCopyOptions) throws -> FleetTransfer {
        try check(options)
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
        // As what cp would copy a directory depends on whether there is one: hosts would end differently, and a second copy
        // would not give the same as the first.
        let isInto = !path.isEmpty && path.utf8.last != UInt8(ascii: "/") && uploads.contains { $0.isDirectory }
        return FleetTransfer(.copy, sources, isInto ? path + "/" : path, uploads, options)
    }

    /// Files and directories of every host, into directories with the hosts' names.
    package static func fetch(_ paths: [String], into directory: String, _ options: SFTPCopyOptions) -> FleetTransfer {
        var options = options
        // An earlier fetch may have left links there that a host chose.
        options.followsTarget = false
        return FleetTransfer(.fetch, paths, directory, [], options)
    }

    /// As a person would say it.
    package var title: String {
        let words = sources.map { ShellWord.quoted($0.isEmpty ? "~" : $0) }.joined(separator: " ")
        switch direction {
        case .copy: return "copy \(words) to \(target.isEmpty ? "the home directory" : ShellWord.quoted(target))"
        case .fetch: return "fetch \(words) into \(ShellWord.quoted(target))"
        }
    }

    /// Files and bytes that every host gets; nil where only the hosts know.
    package var amount: (files: Int, bytes: UInt64)? {
        guard direction == .copy else { return nil }
        return uploads.reduce((0, 0)) { ($0.0 + $1.files, $0.1 &+ $1.bytes) }
    }

    /// Where a host's files go.
    package func target(for host: String) -> String {
        direction == .copy ? target : ServerPath.join(target, HostFileName.of(host))
    }

    /// The part of a host.
    func part(of host: String) -> HostTransfer {
        HostTransfer(direction: direction, sources: sources, target: target(for: host))
    }

    /// What distinguishes it from others. Paths are absolute, so that it is the same from any directory.
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

    /// Makes the local directory where it is missing.
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

    /// - Throws: `UsageProblem`, for what cannot be meant.
    func check() throws(UsageProblem) {
        try Self.check(options)
        for path in sources + [target] where path.utf8.contains(0) {
            throw UsageProblem(field: "path", problem: "\(path) holds a NUL character, which no path can; remove it")
        }
    }

    private static func check(_ options: SFTPCopyOptions) throws(UsageProblem) {
        if let problem = options.problem { throw UsageProblem(field: problem.field, problem: problem.text) }
    }

    /// Adapts how many files are open at once to how many this process may have, and how many hosts run at once to that.
    package mutating func fit(_ plan: inout EnginePlan) {
        let hosts = max(1, min(plan.hosts, plan.parallel ?? AdaptiveParallelism.most))
        // A file and its directory, and what a connection needs beside them.
        let each = DescriptorLimit.hostsAtOnce / hosts
        options.concurrency = min(options.concurrency, max(2, each / 2 - Self.ownDescriptors))
        plan.ceiling = max(1, min(plan.ceiling, DescriptorLimit.hostsAtOnce / (2 * options.concurrency + Self.ownDescriptors)))
    }

    private static let ownDescriptors = 4
}

extension FleetTransfer {
    /// The part of one host.
    ///
    /// - Parameter sudo: starts the host's SFTP server as root; nil for as the login's user.
    /// - Throws: `SSHError`, `CancellationError`; `report` has what was copied all the same.
    func perform(
        on connection: SSHConnection, through sudo: SudoSFTP?, _ attempt: HostAttempt, _ report: inout AttemptReport
    ) async throws -> RunOutcome.End {
        let kept = KeptResult()
        var options = options
        options.memory = attempt.window
        options.finished = attempt.finished
        options.interrupted = { kept.set($0) }
        do {
            let copying: @Sendable (SFTPClient) async throws -> SFTPCopyResult = { [options] sftp in
                switch direction {
                case .copy:
                    // From now on the host may have some of the files.
                    try await attempt.arm()
                    return try await sftp.upload(uploads, to: target, options: options)
                case .fetch:
                    // Nothing changes at the host, so that there is nothing to arm.
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

    /// Makes a host's directory. It is no link, and its name cannot lead elsewhere; what the host names is made inside.
    private func makePlace(for host: String) async throws -> String {
        do {
            try await Disk.run { [target] in
                _ = try LocalDirectory(target).makeDirectory(HostFileName.of(host), permissions: 0o777)
            }
        } catch let fault as LocalFault {
            throw SSHError.onLocalFile(SSHFileProblem(fault))
        }
        // With the slash, what is there must be a directory.
        return target(for: host) + "/"
    }
}
