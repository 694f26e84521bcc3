import BridgeSSH
import CProcessGuard
import ErrorCore
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `bridge-ssh ssh`, and this program under the name `ssh`: the real ssh does the work, with its caller's arguments, streams,
/// terminal and environment, and we say what went wrong after a failure.
///
/// It is on the way of every call of rsync, git and Ansible. So until ssh has failed it does nothing but start ssh and pass on its
/// log: no thread, no event loop, none of what the other subcommands set up.
package enum StandIn {
    /// ssh's arguments, and what `bridge-ssh ssh` takes before them.
    struct Call {
        /// Where ssh's own begin in this process's.
        var first: Int
        var retries: Int?
    }

    /// Becomes ssh if this process was called as ssh; returns where it was not.
    package static func runIfCalled() {
        let words = CommandLine.arguments
        if words.first?.split(separator: "/").last == "ssh" {
            run(Call(first: 1), words)
        } else if words.count > 1, words[1] == "ssh", let call = ownOptions(of: words) {
            run(call, words)
        }
    }

    /// `--retries N`, up to a `--` or the first word that is not ours; nil for a request that the others answer, such as --help.
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
                // An option with two dashes is none of ssh's.
                return word.hasPrefix("--") ? nil : call
            }
        }
        return call.retries == nil && words.count > 2 ? nil : call
    }

    private static func run(_ call: Call, _ words: [String]) -> Never {
        let own = Array(words.dropFirst(call.first))
        let arguments = SSHArguments(own)
        // A script in PATH that one of ours took for ssh, and that runs us.
        let isCarried = arguments.logFile.map { $0.path.hasPrefix("/proc/\(getppid())/fd/") } == true
        guard let ssh = RealSSH.find(skipsScripts: isCarried) else { leave(saying: missing, own) }
        let name = RealSSH.name(calledAs: words.first ?? "ssh")
        let vector = (call.first..<max(call.first, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
        guard !isCarried, !arguments.needsNoVerdict, !arguments.setsLogVerbose,
            let session = StandInSession(ssh, arguments, own, vector, name)
        else { become(ssh, name, vector) }
        var settings = StandInSettings()
        settings.retries = call.retries ?? settings.retries
        session.perform(settings)
    }

    /// Takes ssh's place for good, under the same process number.
    static func become(_ ssh: RealSSH, _ name: String, _ vector: [UnsafeMutablePointer<CChar>]) -> Never {
        _ = execve(ssh.path, [strdup(name)] + vector + [nil], bridge_environment())
        leave(saying: "\(ssh.path) cannot be run: \(String(cString: strerror(errno)))", [])
    }

    private static let missing =
        "there is no ssh in PATH beside this program; install OpenSSH, or name it in BRIDGE_SSH_OPENSSH"

    /// Without an ssh: 255, which callers take for a failure of ssh's own.
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
