import BridgeSSH
import SSHRun

/// Everything a copy needs to know.
struct CopyPlan {
    /// The connection's part; it has no command. Of a relay, that of the destination.
    let run: RunCommandPlan
    /// Of a relay, that of the sources.
    let sourceRun: RunCommandPlan?
    let direction: CopyReport.Direction
    let sources: [String]
    let destination: String
    let options: SFTPCopyOptions
    let retry: RetryPlan

    /// Whether ssh's configuration disables keepalives (ServerAliveInterval 0).
    var keepsStill: Bool { run.access.forbidsKeepalive }

    /// - Throws: `UsageProblem`.
    init(_ command: CopyCommand, launchEnvironment: LaunchEnvironment) throws {
        let places = try command.places.map { try CopyPlace($0) }
        guard places.count >= 2, let last = places.last else {
            throw UsageProblem(
                field: "destination",
                problem: "it is missing; write: `bridge-ssh copy file … [user@]host:path`, or the other way round")
        }
        try command.copying.check(first: command.places.first)
        let (sourceHost, sources) = try Self.sources(places.dropLast())
        let host: String
        switch (sourceHost, last) {
        case (nil, .remote(let name, let path)): (host, destination, direction) = (name, path, .upload)
        case (let name?, .local(let path)): (host, destination, direction) = (name, path, .download)
        case (_?, .remote(let name, let path)): (host, destination, direction) = (name, path, .relay)
        case (nil, .local):
            throw UsageProblem(
                field: "destination",
                problem: "no side is remote; put the host and a colon before the path, as in [user@]host:path")
        }
        self.sources = sources
        if command.output.json, direction == .download, LocalPath.descriptor(namedBy: destination) == 1 {
            throw UsageProblem(
                field: "--json", problem: "the file itself goes to standard output; leave --json out, or name a file")
        }
        run = try RunCommandPlan(command.options(host), launchEnvironment: launchEnvironment, needsCommand: false)
        sourceRun =
            direction == .relay
            ? try sourceHost.map {
                try RunCommandPlan(command.options($0), launchEnvironment: launchEnvironment, needsCommand: false)
            } : nil
        options = command.copying.options
        // Copying a file twice does no harm.
        retry = RetryPlan(
            retries: command.copying.retries?.value ?? 0, isIdempotent: true, wait: command.copying.waiting.wait)
    }

    /// What `--json` writes of it.
    func report(_ outcome: CopyOutcome) -> CopyReport {
        var report = CopyReport(outcome)
        report.direction = direction
        report.sourceHost = sourceRun?.endpoint.host
        report.endpoint = run.endpoint
        report.named = run.destination
        report.via = run.maker.rawValue
        (report.sources, report.target) = (sources, destination)
        return report
    }

    /// The host of the sources, nil for this one, and their paths.
    private static func sources(_ places: ArraySlice<CopyPlace>) throws -> (host: String?, paths: [String]) {
        var hosts: Set<String?> = []
        let paths = places.map { place in
            switch place {
            case .local(let path):
                hosts.insert(nil)
                return path
            case .remote(let host, let path):
                hosts.insert(host)
                return path
            }
        }
        guard let host = hosts.first, hosts.count == 1 else {
            throw UsageProblem(
                field: "source",
                problem: hosts.contains(nil)
                    ? "some sources are on this host and some are not; copy them one after the other"
                    : "the sources are on several hosts; copy from one at a time")
        }
        return (host, paths)
    }
}

extension CopyCommand {
    /// As those of `run`.
    fileprivate func options(_ host: String) -> RunOptions {
        var run = RunOptions()
        (run.connection, run.prompts) = (connection.asOfRun, prompts)
        (run.files, run.trust, run.credentials) = (files, trust, credentials)
        (run.persist, run.output, run.records) = (persist, output.output, records)
        run.via = via
        run.execution.noInput = true
        run.sudo = sudo
        run.words = ["--", host]
        return run
    }
}
