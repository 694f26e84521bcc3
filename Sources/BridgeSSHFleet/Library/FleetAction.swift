public import BridgeSSH
internal import SSHRun

/// The action of a fleet run on every host.
public struct FleetAction: Sendable {
    package let program: FleetJob
    /// The content of the script, if the action is one.
    private let script: [UInt8]?

    package init(_ program: FleetJob) { self.init(program, script: nil) }

    private init(_ program: FleetJob, script: [UInt8]?) {
        self.program = program
        self.script = script
    }

    /// The action's identity in a journal. This takes time, because the digest of an input is derived slowly.
    var subject: RunSubject {
        if let transfer = program.transfer { return transfer.subject }
        guard let command = program.command else { return RunSubject(kind: "check", command: "") }
        if let script { return RunSubject(kind: "script", command: command, script: ("script", script)) }
        let subject = RunSubject(kind: "run", command: command)
        return input.isEmpty ? subject : subject.reading("-", digest: RunSubject.digest(input))
    }

    /// The input of every host's command.
    var input: [UInt8] { if case .bytes(let bytes) = program.input { bytes } else { [] } }

    /// Runs a command.
    ///
    /// - Parameters:
    ///   - command: passed unchanged to the user's login shell (RFC 4254 section 6.5).
    ///   - input: what the command reads on each host.
    public static func command(_ command: String, input: [UInt8] = []) -> FleetAction {
        var job = FleetJob.command(command)
        job.input = .bytes(input)
        return FleetAction(job)
    }

    /// Runs a script, which is sent on standard input.
    ///
    /// - Parameters:
    ///   - content: the script.
    ///   - arguments: the script's arguments; each reaches it unchanged.
    ///   - interpreter: a command line that reads a script from standard input, and takes the arguments after `--`.
    public static func script(
        _ content: [UInt8], arguments: [String] = [], interpreter: String = "sh -s"
    ) -> FleetAction {
        FleetAction(
            .script(content, arguments: arguments, interpreter: interpreter, name: "script"), script: content)
    }

    /// Copies local files and directories to each host. They are examined and opened now, once for all hosts.
    ///
    /// A host is `ok` when it has all of them, `failed` when a file could not be copied, and `unknown` when its connection was
    /// lost while files were written. ``FleetHostResult/copied`` has the numbers, notices and failures.
    ///
    /// - Parameters:
    ///   - sources: local paths.
    ///   - path: the path on each host; empty for the directory in which its server starts. A directory, or one of several
    ///     sources, goes into the path under its own name. The path must then be a directory, or
    ///     `SFTPCopyOptions.createsParents` creates it.
    ///   - options: the run replaces `SFTPCopyOptions.finished` and `SFTPCopyOptions.interrupted`, and a failure never ends
    ///     the copy to a host. `SFTPCopyOptions.bytesPerSecond` applies to all hosts together.
    /// - Throws: `SSHError`: `ssh.local.usage` for a source that cannot be copied.
    public static func copy(
        _ sources: [String], to path: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) throws -> FleetAction {
        do {
            return FleetAction(.transfer(try .copy(sources, to: path, options)))
        } catch let problem as UsageProblem {
            throw problem.verdict(ofSubcommand: nil)
        }
    }

    /// Copies files and directories from each host into a local directory of its own: `DIRECTORY/HOST`.
    ///
    /// Whatever a host names is written inside its own directory.
    ///
    /// - Parameters:
    ///   - paths: paths on each host, with `*`, `?` and `[…]` as wildcards.
    ///   - directory: created if it is missing.
    ///   - options: as for ``copy(_:to:options:)``.
    public static func fetch(
        _ paths: [String], into directory: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) -> FleetAction {
        FleetAction(.transfer(.fetch(paths, into: directory, options)))
    }

    /// Connects to each host, verifies its key and logs in, and runs nothing.
    public static let check = FleetAction(.check)
}
