import BridgeSSH
import SSHRun

/// Everything a copy needs to know.
struct CopyPlan {
    /// The default: a copy waits only for the server's answers, which would be for ever without a server.
    static let keepalive = KeepaliveOptions(interval: .seconds(15), countMax: 3)

    /// The connection's part; it has no command.
    let run: RunCommandPlan
    let isUpload: Bool
    let sources: [String]
    let destination: String
    let options: SFTPCopyOptions
    /// Whether ssh's configuration disables keepalives (ServerAliveInterval 0).
    var keepsStill: Bool { run.access.forbidsKeepalive }

    /// - Throws: `UsageProblem`.
    init(_ command: CopyCommand, launchEnvironment: LaunchEnvironment) throws {
        let places = try command.places.map { try CopyPlace($0) }
        guard places.count >= 2, let last = places.last else {
            throw UsageProblem(
                field: "destination",
                problem: "it is missing; write: bridge-ssh copy file … [user@]host:path, or the other way round")
        }
        let host: String
        switch last {
        case .remote(let name, let path):
            host = name
            destination = path
            isUpload = true
            sources = try places.dropLast().map { place in
                if case .local(let path) = place { return path }
                throw UsageProblem(
                    field: "source", problem: "both sides are remote; copy to here first, then from here to the other host")
            }
        case .local(let path):
            destination = path
            isUpload = false
            var hosts: Set<String> = []
            sources = try places.dropLast().map { place in
                guard case .remote(let name, let path) = place else {
                    throw UsageProblem(
                        field: "destination",
                        problem: "no side is remote; put the host and a colon before the path, as in [user@]host:path")
                }
                hosts.insert(name)
                return path
            }
            guard let name = hosts.first, hosts.count == 1 else {
                throw UsageProblem(field: "source", problem: "the sources are on several hosts; copy from one at a time")
            }
            host = name
        }
        var run = RunOptions()
        run.connection = command.connection.connection
        (run.files, run.trust, run.credentials) = (command.files, command.trust, command.credentials)
        (run.output, run.records) = (command.output.output, command.records)
        run.execution.noInput = true
        run.words = ["--", host]
        self.run = try RunCommandPlan(run, launchEnvironment: launchEnvironment, needsCommand: false)
        options = command.copying.options
    }
}
