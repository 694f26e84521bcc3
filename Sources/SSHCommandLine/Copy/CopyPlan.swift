import BridgeSSH
import SSHRun

/// A copy's sources, destination and options, and how its hosts are reached.
struct CopyPlan {
    /// The plan for reaching the host; it has no command. For a copy between two hosts, the destination.
    let run: RunCommandPlan
    /// The plan for reaching the host of the sources, in a copy between two hosts.
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
        var options = command.copying.options
        options.concurrency = min(options.concurrency, DescriptorLimit.copiesAtOnce)
        self.options = options
        // Copying a file twice does no harm.
        retry = RetryPlan(
            retries: command.copying.retries?.value ?? 0, isIdempotent: true, wait: command.waiting.wait)
    }

    /// The object that `--json` writes.
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

    /// The host of the sources, nil for this machine, and their paths.
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
                    ? "some sources are on this host and some are remote; copy them one after the other"
                    : "the sources are on several hosts; copy from one at a time")
        }
        return (host, paths)
    }
}

extension CopyCommand {
    /// The equivalent options of `run`.
    fileprivate func options(_ host: String) -> RunOptions {
        var run = RunOptions()
        (run.port, run.connection, run.prompts) = (port.asOfRun, connection, prompts)
        (run.files, run.trust, run.credentials, run.keys) = (files, trust, credentials, keys)
        (run.persist, run.output, run.records, run.failures) = (persist, output.output, records, failures)
        run.via = via
        run.execution.noInput = true
        run.sudo = sudo
        run.words = ["--", host]
        return run
    }
}

/// One side of a copy, as scp(1) writes it: a local path, `[user@]host:path`, or a URL.
enum CopyPlace: Equatable {
    case local(String)
    /// The host with its user and port as `run` takes them. An empty path is the server's start directory, the home directory.
    case remote(host: String, path: String)

    /// Parses a place. A colon before the first slash makes it remote; `./a:b` is local.
    ///
    /// - Throws: `UsageProblem`.
    init(_ text: String) throws {
        for scheme in ["sftp://", "scp://"] where text.lowercased().hasPrefix(scheme) {
            self = try Self.url(text.dropFirst(scheme.count), text)
            return
        }
        guard let colon = Self.separator(in: text) else {
            guard !text.isEmpty else { throw UsageProblem(field: "path", problem: "it is empty; write . for this directory") }
            self = .local(text)
            return
        }
        self = .remote(host: String(text[..<colon]), path: try RemotePath.typed(text[text.index(after: colon)...]))
    }

    /// The colon after the host. Colons inside the brackets of an IPv6 address do not count.
    private static func separator(in text: String) -> String.Index? {
        var isBracketed = false
        for index in text.indices {
            switch text[index] {
            case "[" where index == text.startIndex || text[text.index(before: index)] == "@": isBracketed = true
            case "]": isBracketed = false
            case "/": return nil
            case ":" where !isBracketed: return index == text.startIndex ? nil : index
            default: break
            }
        }
        return nil
    }

    /// As with scp(1), the path of a URL starts in the home directory; a second slash makes it absolute.
    private static func url(_ rest: Substring, _ text: String) throws -> CopyPlace {
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = String(rest[..<slash])
        guard !host.isEmpty else { throw UsageProblem(field: "URL", problem: "\(PathText.shown(text)) names no host") }
        // A file name cannot contain a NUL.
        guard let path = PercentEncoding.bytes(of: rest[slash...].dropFirst()), !path.contains(0) else {
            throw UsageProblem(field: "URL", problem: "invalid percent-encoding in its path; write % as %25")
        }
        // The parser of destinations decodes and checks a percent-encoded host, and refuses a password.
        let user = host.lastIndex(of: "@").map { host[..<$0] } ?? ""
        let isURL = host.contains("%") || user.contains(":")
        return .remote(host: isURL ? "ssh://\(host)" : host, path: try RemotePath.typed(PathText.text(path)[...]))
    }
}

/// A remote path as a person types it.
package enum RemotePath {
    /// The path as SFTP takes it; empty for the server's start directory, the home directory.
    ///
    /// - Throws: `UsageProblem` for another user's home directory: no shell on the server expands the tilde.
    package static func typed(_ text: Substring) throws -> String {
        guard text.hasPrefix("~") else { return String(text) }
        if text == "~" { return "" }
        guard text.hasPrefix("~/") else {
            throw UsageProblem(
                field: "path",
                problem: "\(PathText.shown(String(text))) names another user's home directory; write its absolute path")
        }
        return String(text.dropFirst(2).drop { $0 == "/" })
    }
}
