import BridgeSSH
import CProcessGuard
import ErrorCore
import SSHRun

/// `bridge-ssh ssh`, and this program under the name `ssh`: runs the real ssh with its caller's arguments, streams, terminal
/// and environment, and explains a failure.
///
/// Every call of rsync, git and Ansible may go through it. So until ssh fails it only starts ssh and passes on its log, without
/// a thread, an event loop, or the set-up of the other subcommands.
package enum StandIn {
    /// ssh's arguments, and the options of `bridge-ssh ssh` before them.
    struct Call {
        /// The index of ssh's first argument in this process's arguments.
        var first: Int
        var retries: Int?
    }

    /// Acts as ssh if this process was called as ssh; returns otherwise.
    package static func runIfCalled() {
        let vector = ArgumentVector.words
        let words = vector.map { String(cString: $0) }
        if words.first?.split(separator: "/").last == "ssh" {
            run(Call(first: 1), words, vector)
        } else if words.count > 1, words[1] == "ssh", let call = ownOptions(of: words) {
            run(call, words, vector)
        }
    }

    /// Reads `--retries N`, up to a `--` or the first other word; nil for options that the argument parser handles, such as
    /// --help.
    static func ownOptions(of words: [String]) -> Call? {
        var call = Call(first: 2)
        while call.first < words.count {
            let word = words[call.first]
            if word == "--retries", call.first + 1 < words.count, let count = RetryCount(argument: words[call.first + 1]) {
                call.retries = count.value
                call.first += 2
            } else if word.hasPrefix("--retries="), let count = RetryCount(argument: String(word.dropFirst(10))) {
                call.retries = count.value
                call.first += 1
            } else if word == "--" {
                call.first += 1
                return call
            } else {
                // ssh has no options with two dashes.
                return word.hasPrefix("--") ? nil : call
            }
        }
        return call.retries == nil && words.count > 2 ? nil : call
    }

    private static func run(_ call: Call, _ words: [String], _ whole: [UnsafeMutablePointer<CChar>]) -> Never {
        let own = Array(words.dropFirst(call.first))
        let arguments = SSHArguments(own)
        // Under the name ssh, ssh answers.
        if arguments.hasMisplacedRetries, call.first > 1 { leave(saying: misplacedRetries, own) }
        // True if a script in PATH, which another bridge-ssh took for ssh, runs this process.
        let isCarried = arguments.logFile.map { $0.path.hasPrefix("/proc/\(getppid())/fd/") } == true
        guard let ssh = RealSSH.find(skipsScripts: isCarried) else { leave(saying: missing, own) }
        let name = RealSSH.name(calledAs: words.first ?? "ssh")
        let vector = Array(whole.dropFirst(call.first))
        guard !isCarried, !arguments.needsNoVerdict, !arguments.setsLogVerbose,
            let session = StandInSession(ssh, arguments, own, vector, name)
        else { become(ssh, name, vector) }
        var settings = StandInSettings()
        settings.retries = call.retries ?? settings.retries
        session.perform(settings)
    }

    /// Replaces this process with ssh.
    static func become(_ ssh: RealSSH, _ name: String, _ vector: [UnsafeMutablePointer<CChar>]) -> Never {
        _ = execve(ssh.path, [strdup(name)] + vector + [nil], bridge_environment())
        leave(saying: "\(ssh.path) cannot be run: \(String(cString: strerror(errno)))", vector.map { String(cString: $0) })
    }

    private static let misplacedRetries =
        "--retries must come before ssh's own options: bridge-ssh ssh --retries N -- …; or set BRIDGE_SSH_RETRIES=N"

    private static let missing =
        "neither PATH nor BRIDGE_SSH_OPENSSH has an ssh other than this program; install OpenSSH, or set BRIDGE_SSH_OPENSSH to its path"

    /// Exits with 255, which callers read as a failure of ssh, because ssh cannot be run.
    static func leave(saying problem: String, _ words: [String]) -> Never {
        let settings = StandInSettings()
        let error = UsageProblem(field: "ssh", problem: problem).verdict(of: .none)
        let arguments = SSHArguments(words)
        var report = StandInReport(
            destination: arguments.destination ?? "", command: arguments.command.joined(separator: " "), exitStatus: 255,
            ending: .ssh,
            error: error)
        if settings.ownStatuses { report.exitStatus = Int(error.exitStatus(.bridge).rawValue) }
        signal(SIGPIPE, SIG_IGN)
        report.say(settings, level: .info)
        if let file = settings.file { _ = report.append(to: file) }
        _exit(Int32(report.exitStatus ?? 255))
    }
}

/// A stand-in's settings, which come from the environment because the command line belongs to ssh.
struct StandInSettings {
    /// The form of a failure on standard error.
    enum FailureForm: String {
        case banner, line, off
    }

    /// Nil if the variable is not set: then a banner at a terminal, else a line, and nothing if ssh itself is quiet.
    var failureForm: FailureForm?
    /// The file for each call's JSON object.
    var file: String?
    /// 193–199 in place of ssh's own 255.
    var ownStatuses = false
    var retries = 0
    /// Messages about invalid values, which are ignored.
    private(set) var problems: [String] = []

    init(environment variable: (String) -> String? = { LaunchEnvironment.variable($0) }) {
        if let value = variable("BRIDGE_SSH_VERDICT") {
            failureForm = FailureForm(rawValue: value)
            if failureForm == nil {
                problems.append("BRIDGE_SSH_VERDICT must be banner, line or off, not \"\(value.oneLine(60))\"")
            }
        }
        file = variable("BRIDGE_SSH_VERDICT_FILE")
        if let value = variable("BRIDGE_SSH_STATUS") {
            ownStatuses = value == "codes"
            if value != "codes", value != "ssh" {
                problems.append("BRIDGE_SSH_STATUS must be codes or ssh, not \"\(value.oneLine(60))\"")
            }
        }
        if let value = variable("BRIDGE_SSH_RETRIES") {
            retries = RetryCount(argument: value)?.value ?? 0
            if RetryCount(argument: value) == nil {
                problems.append("BRIDGE_SSH_RETRIES must be a number from 0 to 1000, not \"\(value.oneLine(60))\"")
            }
        }
    }
}
