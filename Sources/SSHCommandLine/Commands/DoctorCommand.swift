import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun

/// `bridge-ssh doctor`: the path to a command, step by step.
struct DoctorCommand: ParsableCommand, ConnectingCommand, LongRunningCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract: "Check each step on the way to a command, and report what is found.",
            usage: "bridge-ssh doctor [<options>] [<user>@]<host>[:<port>]",
            discussion: """
                Looks up the name, connects to each address, and continues on one connection as `run` does: identification, \
                algorithms, host key, credentials, channel, command. Reports for each step its time, its result, weak or surprising \
                findings, and what to do about them; stops at the first failure. doctor offers the same credentials as `run` with the \
                same options, and none more often. For a jump host it reports only whether authentication succeeded.

                doctor runs one harmless command on the host, which prints the time and PATH, and reports any other output of the \
                login shell.

                With --via ssh, OpenSSH's ssh makes the connection, and the findings come from its log.

                EXAMPLES
                  bridge-ssh doctor web1
                  bridge-ssh doctor --batch -i ~/.ssh/deploy deploy@web1:2222
                  bridge-ssh doctor -J gate db1
                  bridge-ssh doctor --json web1
                  bridge-ssh doctor --via ssh web1

                EXIT STATUS
                  0        a command runs, whatever the findings
                  193–199  that of run for the same failure; see bridge-ssh run --help
                  255      with --exit-codes ssh, every failure
                """)
    }

    @OptionGroup(title: "Host and user") var port: PortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Output and exit status") var output: DoctorOptions

    @Argument(help: ArgumentHelp("The host.", valueName: "[user@]host[:port]"), completion: .hosts)
    var destination: String

    var maker: ConnectionMaker { via.maker }

    /// Makes the diagnosis, and reports all findings before it returns.
    func perform() async -> SSHExitStatus {
        do {
            let plan = try DoctorPlan(self, launchEnvironment: .current())
            return await SupervisedDiagnosis(plan: plan).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            var hints = ArgumentHints(
                .doctor, destination: destination, json: output.json, convention: output.style.convention)
            hints.via = via.maker.rawValue
            return UsageReport(problem: problem, hints: hints, object: Self.failureObject).publish()
        }
    }

    /// The JSON object of a failure before anything was examined.
    static func failureObject(_ error: SSHError, _ hints: ArgumentHints) -> JSONValue {
        SSHDiagnosis(endpoint: SSHEndpoint(unchecked: "", user: ""), findings: [], error: error)
            .json(hints.convention, destination: hints.destination, via: hints.via)
    }
}

/// Output and exit status.
struct DoctorOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output instead of the report.")
    var json = false

    @Option(
        help: ArgumentHelp("Exit statuses of bridge-ssh's own failures: 193–199, or 255 as ssh.", valueName: "bridge|ssh")
    )
    var exitCodes: SSHExitStatus.Convention?

    @Option(
        help: ArgumentHelp("Time limit for the command on the host, at most 30 (30).", valueName: "time"),
        transform: Seconds.parse)
    var timeout: Seconds?

    @Flag(name: .shortAndLong, help: "Report each stage as it begins; twice: the evidence of a failure too.")
    var verbose: Int

    var style: OutputStyle {
        OutputStyle(json: json, verbosity: verbose, convention: exitCodes ?? .bridge)
    }
}

/// A diagnosis's destination and options.
struct DoctorPlan {
    /// The destination as it was typed.
    let destination: String
    let access: AccessPlan
    let commandOptions: SSHCommandOptions
    let output: OutputStyle
    let retry: RetryPlan
    /// The route for OpenSSH's ssh; nil if libssh2 makes the connection.
    let route: OpenSSHRoute?

    /// - Throws: `UsageProblem`.
    init(_ doctor: DoctorCommand, launchEnvironment: LaunchEnvironment) throws {
        destination = doctor.destination
        let settings = try AccessPlan.settings(doctor, for: doctor.destination, launchEnvironment: launchEnvironment)
        access = try AccessPlan(doctor, settings, launchEnvironment: launchEnvironment)
        var options = SSHCommandOptions()
        options.environment = settings.resolved.commandEnvironment(from: launchEnvironment.environment)
        options.timeout = doctor.output.timeout?.duration
        commandOptions = options
        output = doctor.output.style
        retry = RetryPlan(wait: doctor.waiting.wait)
        route =
            doctor.via.maker == .ssh
            ? OpenSSHRoute(
                access.request, at: access.endpoint, access.configuration, home: launchEnvironment.home, mayAsk: access.mayAsk)
            : nil
    }
}

/// A diagnosis from beginning to end, with signal handling and the report.
struct SupervisedDiagnosis: Sendable {
    let plan: DoctorPlan

    func perform() async -> SSHExitStatus {
        let log = StageLog(style: plan.output)
        return await SignalSupervision.perform {
            await diagnose(log, $0)
        } unfinished: {
            ended(by: CancellationError(), $0)
        } publish: {
            publish($0)
        }
    }

    private func diagnose(_ log: StageLog, _ control: RunControl) async -> SSHDiagnosis {
        let endpoint = plan.access.endpoint
        do {
            let configuration = try await plan.access.completeConfiguration(log)
            var diagnosis = SSHDiagnosis(endpoint: endpoint, findings: [], error: nil)
            do {
                try await withRetry(plan.retry.policy { true }, observer: { report($0, log) }) { _ in
                    diagnosis = try await diagnose(endpoint, configuration, log, control)
                    if let error = diagnosis.error { throw error }
                }
            } catch let error as SSHError where error.code == diagnosis.error?.code {
                // The diagnosis has the error.
            }
            diagnosis.error = diagnosis.error.map(control.named)
            return diagnosis
        } catch {
            return ended(by: error, control)
        }
    }

    private func diagnose(
        _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, _ log: StageLog, _ control: RunControl
    ) async throws -> SSHDiagnosis {
        guard let route = plan.route else {
            return try await SSHClient.diagnose(endpoint, configuration: configuration, options: plan.commandOptions)
        }
        return await OpenSSHDiagnosis(route: route, options: plan.commandOptions, control: control, log: log)
            .perform(configuration)
    }

    private func report(_ event: RetryEvent, _ log: StageLog) {
        guard case .willRetry(let attempt, let delay) = event else { return }
        log.waits("\(ErrorProfile(attempt.error).code); checking again in \(CopyProgressLine.seconds(delay)) s")
    }

    private func ended(by error: any Error, _ control: RunControl) -> SSHDiagnosis {
        let endpoint = plan.access.endpoint
        return SSHDiagnosis(endpoint: endpoint, findings: [], error: control.verdict(on: error, at: endpoint, of: .doctor))
    }

    /// Writes the report to standard output, and the banner of a failure to standard error, as `run` does.
    private func publish(_ diagnosis: SSHDiagnosis) -> SSHExitStatus {
        if plan.output.json {
            let maker: ConnectionMaker = plan.route == nil ? .libssh2 : .ssh
            Console.standardOutput(
                diagnosis.json(plan.output.convention, destination: plan.destination, via: maker.rawValue))
            return diagnosis.exitStatus(plan.output.convention)
        }
        let form = TerminalForm.of(1)
        // If both go to the same place the banner follows at once, so the report omits the failure.
        let report = DoctorReport(form: form, includesFailure: !StandardDescriptors.areOne)
        Console.show(report.text(diagnosis))
        guard let error = diagnosis.error else { return diagnosis.exitStatus(plan.output.convention) }
        let reportHasFailure =
            !StandardDescriptors.areOne && diagnosis.findings.contains { $0.level == .failed && $0["title"] != nil }
        // The report has the failure already. A person who sent it to a file only needs to know that.
        if reportHasFailure, TerminalForm.of(2).isTerminal, plan.output.verbosity < 2 {
            Console.note("stopped: \(error.code.title) (\(error.code)); see the report")
        } else {
            FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1)
        }
        return diagnosis.exitStatus(plan.output.convention)
    }
}

/// A diagnosis as text for people: the steps, the findings under each, and the summary.
struct DoctorReport {
    let form: TerminalForm
    /// Whether the report includes the failure's message.
    let includesFailure: Bool

    func text(_ diagnosis: SSHDiagnosis) -> String {
        let user = diagnosis.user.isEmpty ? "" : diagnosis.user + "@"
        var lines =
            fold(
                "Diagnosis of \(user)\(SSHEndpoint.label(diagnosis.name, diagnosis.host)) port \(diagnosis.port)", hanging: 0,
                first: "") + [""]
        var skipped: [String] = []
        for step in SSHDiagnosisStep.allCases {
            let findings = diagnosis.findings(about: step)
            if findings.allSatisfy({ $0.level == .notReached && $0.details.isEmpty }) {
                skipped.append(contentsOf: findings.isEmpty ? [] : [step.title])
                continue
            }
            lines.append(emphasised(step.title, "1"))
            lines += findings.flatMap { self.lines($0) }
        }
        if !skipped.isEmpty {
            lines += [""] + fold("Not looked at: \(skipped.joined(separator: ", ")).", hanging: 2, first: "")
        }
        return (lines + [""] + fold(conclusion(diagnosis), hanging: 0, first: "")).joined(separator: "\n") + "\n"
    }

    private func lines(_ finding: SSHFinding) -> [String] {
        let mark = finding.level.mark(form.glyphs)
        let isFailure = finding.level == .failed && finding["title"] != nil
        var text = finding.text
        if isFailure, case .text(let title)? = finding["title"], case .text(let code)? = finding["code"] {
            text = includesFailure ? "\(title) (\(code))\n\(text)" : "The diagnosis stops here."
        }
        if let seconds = finding.durationSeconds { text += " [\(Self.time(seconds))]" }
        let hanging = 2 + TerminalText.columns(mark) + 1
        var lines = fold(text, hanging: hanging, first: "  \(mark) ")
        if let head = lines.first {
            lines[0] = "  " + emphasised(mark, finding.level.sgr) + head.dropFirst(2 + mark.count)
        }
        guard !finding.remedy.isEmpty, !isFailure || includesFailure else { return lines }
        let arrow = form.glyphs == .unicode ? "→" : "->"
        let margin = String(repeating: " ", count: hanging)
        return lines + fold(finding.remedy, hanging: hanging + arrow.count + 1, first: "\(margin)\(arrow) ")
    }

    private func conclusion(_ diagnosis: SSHDiagnosis) -> String {
        if diagnosis.error != nil {
            let place = diagnosis.findings.last { $0.level == .failed }?.step.title
            return "Stopped\(place.map { " at: \($0)" } ?? "")."
        }
        let remarks = diagnosis.findings.count { $0.level == .notice || $0.level == .weak }
        switch remarks {
        case 0: return "No problems found."
        case 1: return "Commands run, with one remark."
        default: return "Commands run, with \(remarks) remarks."
        }
    }

    // MARK: Form

    /// Folds a text to the width of the form, with `first` before the first line and blanks before the others.
    private func fold(_ text: String, hanging: Int, first: String) -> [String] {
        let space = max(20, form.width) - hanging
        let margin = String(repeating: " ", count: hanging)
        let escaped = TerminalText.escape(text)
        let shown = form.glyphs == .ascii ? TerminalText.ascii(escaped) : escaped
        return TerminalText.fold(shown, width: max(1, space)).enumerated().map { index, line in
            (index == 0 ? first : line.isEmpty ? "" : margin) + line
        }
    }

    private func emphasised(_ text: String, _ sgr: String) -> String {
        form.color ? "\u{1B}[\(sgr)m\(text)\u{1B}[0m" : text
    }

    /// `0.3 ms`, `12 ms`, `1.5 s`.
    static func time(_ seconds: Double) -> String {
        let milliseconds = seconds * 1000
        switch milliseconds {
        case ..<9.95: return "\((milliseconds * 10).rounded() / 10) ms"
        case ..<999.5: return "\(Int(milliseconds.rounded())) ms"
        default: return "\((min(seconds, 1e9) * 10).rounded() / 10) s"
        }
    }
}

extension SSHDiagnosisStep {
    /// The step's name in a heading.
    var title: String {
        switch self {
        case .route: "Route"
        case .resolve: "Name"
        case .connect: "TCP"
        case .identification: "Identification"
        case .algorithms: "Algorithms"
        case .hostKey: "Host key"
        case .methods: "Methods"
        case .credentials: "Credentials"
        case .channel: "Channel"
        case .exec: "Command"
        case .clock: "Clock"
        case .noise: "Shell output"
        case .path: "PATH"
        }
    }
}

extension SSHFinding.Level {
    fileprivate func mark(_ glyphs: TerminalBanner.Glyphs) -> String {
        switch (self, glyphs) {
        case (.ok, .unicode): "✔"
        case (.info, .unicode): "·"
        case (.notice, .unicode): "•"
        case (.weak, .unicode): "▲"
        case (.failed, .unicode): "✖"
        case (.notReached, .unicode): "–"
        case (.ok, .ascii): "ok:"
        case (.info, .ascii): "info:"
        case (.notice, .ascii): "notice:"
        case (.weak, .ascii): "weak:"
        case (.failed, .ascii): "failed:"
        case (.notReached, .ascii): "--:"
        }
    }

    /// Select Graphic Rendition (ECMA-48).
    fileprivate var sgr: String {
        switch self {
        case .ok: "32"
        case .info: "2"
        case .notice: "34"
        case .weak: "1;33"
        case .failed: "1;31"
        case .notReached: "2"
        }
    }
}
