internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun

/// Lets OpenSSH's ssh connect to a host and run the program there.
struct OpenSSHHostRunner: HostRunner {
    let job: FleetJob
    let accessTable: HostAccessTable
    /// The environment variables from the options.
    let variables: [(name: String, value: String)]
    private let unknownKeys = UnknownHostKeys()

    init(job: FleetJob, accessTable: HostAccessTable, variables: [(name: String, value: String)]) {
        (self.job, self.accessTable, self.variables) = (job, accessTable, variables)
    }

    func perform(_ attempt: HostAttempt) async -> AttemptReport {
        var report = AttemptReport(.cancelled(signal: nil))
        let secrets = KnownSecrets()
        job.sudo?.known.map { secrets.add($0) }
        let timeline = Timeline(observer: nil, secrets: secrets)
        do {
            let (route, options, credentials) = try accessTable.route(attempt.host)
            report.endpoint = route.endpoint
            // ssh sends the command right after the login, so the journal must record it durably before.
            if job.command != nil { try await attempt.arm() }
            func carry(
                _ command: String?, _ sinks: (any OutputSink, any OutputSink), _ input: @escaping SudoConversation.Input
            ) async -> RunOutcome.End {
                let call = OpenSSHHostCall(
                    route, command: command, variables: variables, options, credentials, attempt.control, timeline: timeline,
                    unknownKeys: unknownKeys)
                return await call.perform(sinks, input: input) { await attempt.loggedIn() }
            }
            if let command = job.command, let password = job.sudo {
                let sudo = SudoConversation(
                    HostSudoPermit(attempt: attempt), password: password, secrets, input: job.input.reader(), to: attempt.sinks.1)
                report.end = try await sudo.perform(at: route.endpoint) { sudo in
                    await carry(sudo.command(command), (attempt.sinks.0, sudo), { try await sudo.nextInput() })
                }
            } else {
                report.end = await carry(job.command, attempt.sinks, job.input.reader())
            }
        } catch {
            report.end = attempt.control.end(of: error)
        }
        report.isLoginOnly = job.command == nil
        report.timings = timeline.timings
        return report
    }
}
