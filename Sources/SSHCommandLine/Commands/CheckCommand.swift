import ArgumentParser
import BridgeSSH
import ErrorCore
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
                until the first offered certificate expires. Asks nothing. An sshd without PAM accepts the login while \
                /etc/nologin exists, and refuses only commands, which check does not see.

                EXAMPLES
                  bridge-ssh check -i /etc/icinga2/id_ed25519 monitor@web1
                  bridge-ssh check --warning 2s --critical 10s --certificate-days 14 web1

                EXIT STATUS
                  0    OK: the login succeeded
                  1    WARNING: it took too long, or a certificate ends soon
                  2    CRITICAL: the host does not accept the login, or it took far too long
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
        name: .shortAndLong, help: ArgumentHelp("WARNING if the login takes longer.", valueName: "time"),
        transform: Seconds.parse)
    var warning: Seconds?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("CRITICAL if the login takes longer.", valueName: "time"),
        transform: Seconds.parse)
    var critical: Seconds?

    @Option(help: ArgumentHelp("WARNING if a certificate ends in fewer days (7).", valueName: "days"))
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

/// The result of a check, as required by the "Monitoring Plugins Development Guidelines": one line, performance data, and a
/// status.
struct CheckResult: Sendable {
    enum State: Int32, Sendable {
        case ok, warning, critical, unknown

        var name: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }
    }

    struct Limits: Sendable {
        /// In seconds.
        var warning: Double?
        /// In seconds.
        var critical: Double?
        var certificateDays = 7
    }

    private let destination: String
    private let error: SSHError?
    private let timings: SSHStageTimings
    /// In seconds; nil if nothing was tried.
    private let total: Double?
    /// Days until a certificate ends; negative if it has ended.
    private let certificateDays: Double?

    /// - Parameters:
    ///   - error: nil if the login succeeded.
    ///   - total: in seconds; nil if nothing was tried.
    ///   - certificateEnd: in seconds since 1970.
    ///   - now: the same.
    init(
        _ destination: String, _ error: SSHError?, _ timings: SSHStageTimings = SSHStageTimings(), total: Double? = nil,
        certificateEnd: UInt64? = nil, now: Double = Double(time(nil))
    ) {
        self.destination = destination
        self.error = error
        self.timings = timings
        self.total = total
        certificateDays = certificateEnd.map { (Double($0) - now) / 86_400 }
    }

    func state(_ limits: Limits) -> State {
        if let error { return error.exitStatus == .localFailure || error.code == .localCancelled ? .unknown : .critical }
        if let critical = limits.critical, let total, total > critical { return .critical }
        if let warning = limits.warning, let total, total > warning { return .warning }
        if let certificateDays, certificateDays < Double(limits.certificateDays) { return .warning }
        return .ok
    }

    /// `SSH OK - web1: logged in in 0.123 s | time=0.123s;2;10;0 …`, without a line feed.
    func line(_ limits: Limits) -> String {
        // A bar would end the text.
        let text = TerminalText.inert(
            destination.isEmpty ? problemText(limits) : "\(destination): \(problemText(limits))", limit: 2000
        )
        .replacing("|", with: "/")
        return "SSH \(state(limits).name) - \(text)" + (total.map { " | \(performance($0, limits))" } ?? "")
    }

    private func problemText(_ limits: Limits) -> String {
        if let error {
            // A plugin that is called wrongly has no help beside it: its line is all that a monitoring system shows.
            return "[\(error.code.rawValue)] \(error.message)" + (error.code == .localUsage ? " \(error.remedy)" : "")
        }
        let time = "logged in in \(Self.decimal(total ?? 0)) s"
        guard let certificateDays, certificateDays < Double(limits.certificateDays) else { return time }
        return "\(time); a certificate \(certificateDays < 0 ? "has ended" : "ends in \(Int(certificateDays)) days")"
    }

    /// Stages that were not reached took no time, and are left out.
    private func performance(_ total: Double, _ limits: Limits) -> String {
        func limit(_ seconds: Double?) -> String { seconds.map(Self.decimal) ?? "" }
        let stages = [
            ("resolve", timings.seconds.resolve), ("connect", timings.seconds.connect), ("banner", timings.seconds.banner),
            ("key_exchange", timings.seconds.keyExchange), ("authentication", timings.seconds.authentication),
        ]
        var parts = ["time=\(Self.decimal(total))s;\(limit(limits.warning));\(limit(limits.critical));0"]
        parts += stages.filter { $0.1 > 0 }.map { "\($0.0)=\(Self.decimal($0.1))s;;;0" }
        if let certificateDays { parts.append("certificate_days=\(Self.decimal(certificateDays));\(limits.certificateDays):") }
        return parts.joined(separator: " ")
    }

    private static func decimal(_ value: Double) -> String {
        let count = Int((min(max(-1e9, value), 1e9) * 1000).rounded())
        let rest = String(abs(count) % 1000)
        return "\(count < 0 ? "-" : "")\(abs(count) / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    func publish(_ limits: Limits = Limits()) -> SSHExitStatus {
        Console.standardOutput(line(limits) + "\n")
        return SSHExitStatus(rawValue: state(limits).rawValue)
    }
}
