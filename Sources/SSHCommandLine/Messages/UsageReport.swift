package import BridgeSSH
import ErrorCore
import SSHRun

/// Reports wrong usage: the banner, and the JSON object if one was requested.
struct UsageReport {
    /// A subcommand's JSON object for a failure before it starts.
    typealias Object = (SSHError, ArgumentHints) -> JSONValue

    let problem: UsageProblem
    let hints: ArgumentHints
    let object: Object

    /// - Parameter object: the subcommand's object; the default is that of `run`.
    init(problem: UsageProblem, hints: ArgumentHints, object: @escaping Object = UsageReport.runObject) {
        self.problem = problem
        self.hints = hints
        self.object = object
    }

    static func runObject(_ error: SSHError, _ hints: ArgumentHints) -> JSONValue {
        var report = RunReport(host: "", port: 22, user: "", command: "", destination: hints.destination)
        report.via = hints.via
        report.take(error)
        return report.json
    }

    /// Claims the final report, and writes it.
    func publish() -> SSHExitStatus {
        FinalReportClaim.takeOrStay()
        return say()
    }

    func say() -> SSHExitStatus {
        let verdict = problem.verdict(of: hints.subcommand)
        if hints.json {
            Console.standardOutput(object(verdict, hints))
        } else if !hints.quiet {
            FailureBanner.show(verdict, showsEvidence: false)
        }
        return verdict.exitStatus(hints.convention)
    }
}

extension UsageProblem {
    /// - Parameter subcommand: the subcommand whose help the remedy names.
    func verdict(of subcommand: Subcommand) -> SSHError { verdict(ofSubcommand: subcommand.rawValue) }
}

extension SSHKnownHostsProblem {
    /// The failure of reading or writing the file; otherwise wrong usage, for example a name that no line can hold.
    package func verdict(at endpoint: SSHEndpoint? = nil) -> SSHError {
        let event: SSHEvidence.Event
        switch code {
        case .unreadable: event = .knownHostsUnreadable(path: path, systemError: errno)
        case .unwritable where !isWithoutFile: event = .knownHostsUnwritable(path: path, systemError: errno)
        default: return UsageProblem(field: "known_hosts", problem: "\(message) \(remedy)").verdict(of: .trust)
        }
        return SSHFailureClassifier.classify(SSHEvidence(local: event, stage: .hostKey, endpoint: endpoint))
    }
}

extension RunControl {
    /// The verdict on the error that ended a subcommand early.
    func verdict(on error: any Error, at endpoint: SSHEndpoint, of subcommand: Subcommand) -> SSHError {
        switch error {
        case let error as SSHError: return named(error)
        case let problem as UsageProblem: return problem.verdict(of: subcommand)
        case let problem as SSHKnownHostsProblem: return problem.verdict(at: endpoint)
        default:
            let event: SSHEvidence.Event =
                error is CancellationError ? .cancelled(signal: signal) : .internalFailure(problem: "\(error)")
            return SSHFailureClassifier.classify(SSHEvidence(local: event, endpoint: endpoint))
        }
    }
}

/// The requested form of the output, found in arguments that could not be parsed.
package struct ArgumentHints {
    var json = false
    var quiet = false
    var convention = SSHExitStatus.Convention.bridge
    var subcommand = Subcommand.run
    /// The requested value of `--via`.
    var via = "libssh2"
    /// The destination as it was typed; empty if that is not known.
    var destination = ""

    init(
        _ subcommand: Subcommand = .run, destination: String = "", json: Bool = false, quiet: Bool = false,
        convention: SSHExitStatus.Convention = .bridge
    ) {
        self.subcommand = subcommand
        self.destination = destination
        self.json = json
        self.quiet = quiet
        self.convention = convention
    }

    /// Looks for the options anywhere before a `--`.
    init(_ arguments: [String]) {
        let own = arguments.prefix { $0 != "--" }
        json = own.contains("--json")
        quiet = own.contains { $0 == "-q" || $0 == "--quiet" }
        subcommand = arguments.first.flatMap(Subcommand.init(rawValue:)) ?? .none
        if Self.values(of: "--via", in: arguments).contains("ssh") { via = "ssh" }
        if Self.values(of: "--exit-codes", in: arguments).contains("ssh") { convention = .ssh }
    }

    /// The values of an option, with a space or an equals sign before each, anywhere before a `--`.
    package static func values(of option: String, in arguments: [String]) -> [Substring] {
        let own = arguments.prefix { $0 != "--" }
        return zip(own, own.dropFirst()).filter { $0.0 == option }.map { $0.1[...] }
            + own.filter { $0.hasPrefix(option + "=") }.map { $0.dropFirst(option.count + 1) }
    }
}

/// The subcommand that arguments belong to.
enum Subcommand: String {
    case run
    case copy
    case doctor
    case check
    case trust
    case config
    case codes
    case explain
    case classify
    case persist
    case ssh
    /// No subcommand, or an unknown one.
    case none = ""
}

/// Finds names that are similar to a mistyped one.
enum SimilarNames {
    /// The three most similar names, best first: they contain the last word of the input, or differ by a few letters.
    static func of(_ typed: String, among names: [String]) -> [String] {
        let word = String(typed.lowercased().split(separator: ".").last ?? "")
        let near = names.map { name in
            let last = String(name.split(separator: ".").last ?? "")
            let holds = word.count >= 3 && name.contains(word)
            return (
                name: name, distance: min(EditDistance.between(typed.lowercased(), name), EditDistance.between(word, last)),
                holds: holds
            )
        }.filter { $0.holds || $0.distance <= max(2, word.count / 4) }
        let sorted = near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return sorted.prefix(3).map(\.name)
    }
}
