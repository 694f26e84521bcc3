import BridgeSSH
import Dispatch
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The signal handling before a command has its own, and for commands without any: reading the configuration and the programs
/// that it runs may take any time.
enum EarlyEnd {
    /// How long the message about it may take if nothing reads it.
    private static let patience = DispatchTimeInterval.milliseconds(900)

    /// - Parameter arguments: the command line, which sets the form of the report.
    static func watch(_ arguments: [String]) {
        SignalWatch.start { number in
            guard number != SIGWINCH else { return }
            let status = ExitStatus(rawValue: 128 + number)
            // A second signal, or one during the final message.
            guard LastWord.take() else { leave(with: status) }
            DispatchQueue(label: "patience").asyncAfter(deadline: .now() + patience) { leave(with: status) }
            DispatchQueue(label: "last-words").async {
                let problem = UsageProblem(cancelledBy: SignalWatch.name(of: number))
                let hints = ArgumentHints(arguments)
                leave(with: UsageReport(problem: problem, hints: hints, object: hints.subcommand.failureObject).say())
            }
        }
    }
}
