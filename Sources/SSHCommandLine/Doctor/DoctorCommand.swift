import ArgumentParser
import BridgeSSH
import SSHRun

/// `bridge-ssh doctor`: the path to a command, step by step.
struct DoctorCommand: ParsableCommand, ConnectingCommand, PerformedCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract: "Check each step on the way to a command, and report what is found.",
            usage: "bridge-ssh doctor [<options>] [<user>@]<host>[:<port>]",
            discussion: """
                Looks up the name, connects to each address, and on one connection goes on as `run` does: identification, \
                algorithms, host key, credentials, channel, command. Says of each step how long it took, what was found, what is \
                weak or surprising, and what to do about it; ends at the first failure. No credential is offered that `run` would \
                not offer with the same options, and none more often. Of a jump host it says whether authentication succeeded; the \
                other steps are the destination's.

                One harmless command is run on the host: it prints the time and PATH, and shows what the login shell writes besides.

                EXAMPLES
                  bridge-ssh doctor web1
                  bridge-ssh doctor --batch -i ~/.ssh/deploy deploy@web1:2222
                  bridge-ssh doctor -J gate db1
                  bridge-ssh doctor --json web1

                EXIT STATUS
                  0        a command runs, whatever else was found
                  193–199  that of run for the same failure; see bridge-ssh run --help
                  255      with --exit-codes ssh, every failure
                """)
    }

    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Output and exit status") var output: DoctorOptions

    @Argument(help: ArgumentHelp("The host.", valueName: "[user@]host[:port]"), completion: .hosts)
    var destination: String

    /// Makes the diagnosis; all findings have been reported when this returns.
    func perform() async -> ExitStatus {
        do {
            let plan = try DoctorPlan(self, launchEnvironment: .current())
            return await SupervisedDiagnosis(plan: plan).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            let hints = ArgumentHints(
                .doctor, destination: destination, json: output.json, convention: output.style.convention)
            return UsageReport(problem: problem, hints: hints, object: Self.failureObject).publish()
        }
    }

    /// The JSON object of a failure before anything was examined.
    static func failureObject(_ error: SSHError, _ hints: ArgumentHints) -> JSONValue {
        SSHDiagnosis(endpoint: SSHEndpoint(unchecked: "", user: ""), findings: [], error: error)
            .json(hints.convention, destination: hints.destination)
    }
}

/// Output and exit status.
struct DoctorOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output instead of the report.")
    var json = false

    @Option(
        help: ArgumentHelp("Exit statuses of failures that are not a command's: 193–199, or 255 as ssh.", valueName: "bridge|ssh")
    )
    var exitCodes: ExitStatus.Convention?

    @Option(
        help: ArgumentHelp("Time that the command on the host may take, at most 30 (30).", valueName: "time"),
        transform: Seconds.parse)
    var timeout: Seconds?

    @Flag(name: .shortAndLong, help: "Report each stage as it begins; twice: the evidence of a failure too.")
    var verbose: Int

    var style: OutputStyle {
        OutputStyle(json: json, verbosity: verbose, convention: exitCodes ?? .bridge)
    }
}

/// Everything a diagnosis needs to know.
struct DoctorPlan {
    /// The destination as it was typed.
    let destination: String
    let access: AccessPlan
    let commandOptions: SSHCommandOptions
    let output: OutputStyle
    let retry: RetryPlan

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
    }
}
