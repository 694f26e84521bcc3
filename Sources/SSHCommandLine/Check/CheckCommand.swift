import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh check`: a login, as monitoring asks for it.
struct CheckCommand: ParsableCommand, ConnectingCommand, LongRunningCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Check that a host accepts a login, as a plugin for Nagios, Icinga and other monitoring.",
            usage: "bridge-ssh check [<options>] [<user>@]<host>[:<port>]",
            discussion: """
                Connects, verifies the host key, logs in, and runs nothing. Writes one line on standard output: the state, the code of \
                the failure, its message, and performance data: the time of the login and of the stages that were reached, and the days \
                until the first of the certificates ends that would be offered. Asks nothing. An sshd without PAM accepts the login while \
                /etc/nologin exists, and refuses only commands, which check does not see.

                EXAMPLES
                  bridge-ssh check -i /etc/icinga2/id_ed25519 monitor@web1
                  bridge-ssh check --warning 2s --critical 10s --certificate-days 14 web1

                EXIT STATUS
                  0    OK: the login succeeded
                  1    WARNING: it markTaken too long, or a certificate ends soon
                  2    CRITICAL: the host does not accept the login, or it markTaken far too long
                  3    UNKNOWN: nothing can be said: wrong usage, or a cause on this machine
                """)
    }

    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions

    @Option(
        name: .shortAndLong, help: ArgumentHelp("WARNING where the login takes longer.", valueName: "time"),
        transform: Seconds.parse)
    var warning: Seconds?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("CRITICAL where the login takes longer.", valueName: "time"),
        transform: Seconds.parse)
    var critical: Seconds?

    @Option(help: ArgumentHelp("WARNING where a certificate ends in fewer days (7).", valueName: "days"))
    var certificateDays = 7

    @Argument(help: ArgumentHelp("The host.", valueName: "[user@]host[:port]"), completion: .hosts)
    var destination: String

    /// A monitoring system runs the check, so it never asks.
    var prompts: PromptOptions {
        var prompts = PromptOptions.unset
        prompts.batch = true
        return prompts
    }

    var limits: CheckResult.Limits {
        .init(warning: warning?.duration.seconds, critical: critical?.duration.seconds, certificateDays: certificateDays)
    }

    func perform() async -> SSHExitStatus {
        do {
            let environment = LaunchEnvironment.current()
            let settings = try AccessPlan.settings(self, for: destination, launchEnvironment: environment)
            let access = try AccessPlan(self, settings, launchEnvironment: environment)
            return await SupervisedCheck(destination: destination, access: access, limits: limits).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            return CheckResult(destination, problem.verdict(of: .check)).publish(limits)
        }
    }
}

/// A login from beginning to end, with signal handling and the line.
struct SupervisedCheck: Sendable {
    let destination: String
    let access: AccessPlan
    let limits: CheckResult.Limits

    func perform() async -> SSHExitStatus {
        let timeline = Timeline(observer: nil)
        let start = ContinuousClock.now
        return await SignalSupervision.perform { control in
            do {
                let configuration = try await access.completeConfiguration(SilentLog())
                let connection = try await SSHClient.connect(
                    to: access.endpoint, configuration: configuration, timeline: timeline)
                timeline.end()
                let total = start.duration(to: .now).boundedSeconds
                await connection.close()
                return CheckResult(
                    destination, nil, timeline.timings, total: total, certificateEnd: configuration.credentials.certificateEnd)
            } catch {
                return ended(by: error, control, timeline, start)
            }
        } unfinished: { control in
            ended(by: CancellationError(), control, timeline, start)
        } publish: { result in
            result.publish(limits)
        }
    }

    private func ended(
        by error: any Error, _ control: RunControl, _ timeline: Timeline, _ start: ContinuousClock.Instant
    ) -> CheckResult {
        CheckResult(
            destination, control.verdict(on: error, at: access.endpoint, of: .check), timeline.timings,
            total: start.duration(to: .now).boundedSeconds)
    }
}
