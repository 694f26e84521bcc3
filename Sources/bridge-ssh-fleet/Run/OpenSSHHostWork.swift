internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// Has OpenSSH's ssh connect to a host, and run the program there.
struct OpenSSHHostWork: HostWork {
    let job: FleetJob
    let reaches: HostAccessTable
    /// Those of options.
    let variables: [(name: String, value: String)]

    func perform(_ attempt: HostAttempt) async -> AttemptReport {
        var report = AttemptReport(.cancelled(signal: nil))
        let timeline = Timeline(observer: nil)
        do {
            let (route, options, credentials) = try reaches.route(attempt.host)
            report.endpoint = route.endpoint
            // ssh sends the command as soon as it is logged in: that it may be sent has to be durable before.
            if job.command != nil { try await attempt.arm() }
            let call = OpenSSHHostCall(
                route, command: job.command, variables: variables, options, credentials, attempt.control, timeline: timeline)
            report.end = await call.perform(attempt.sinks, input: job.input.reader()) { await attempt.loggedIn() }
        } catch {
            report.end = attempt.control.end(of: error)
        }
        report.ranNothing = job.command == nil
        report.timings = timeline.timings
        return report
    }
}
