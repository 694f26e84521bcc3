import BridgeSSH
import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What signals do before a command has a way of its own to end, and to commands that have none: reading the configuration and the
/// programs that it runs may take any time.
enum EarlyEnd {
    /// How long the words about it may take where nothing reads them.
    private static let patience = DispatchTimeInterval.milliseconds(900)

    /// - Parameter arguments: those of the command line, which say in what form the end is reported.
    static func watch(_ arguments: [String]) {
        SignalWatch.start { number in
            guard number != SIGWINCH else { return }
            let status = ExitStatus(rawValue: 128 + number)
            // A second signal, or one while the last words are said.
            guard LastWord.take() else { leave(with: status) }
            DispatchQueue(label: "patience").asyncAfter(deadline: .now() + patience) { leave(with: status) }
            DispatchQueue(label: "last-words").async {
                let problem = UsageProblem(cancelledBy: SignalWatch.name(of: number))
                leave(with: UsageReport(problem: problem, hints: ArgumentHints(arguments)).say())
            }
        }
    }
}
