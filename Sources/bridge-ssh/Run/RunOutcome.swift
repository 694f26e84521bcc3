import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How a run ended, before it is reported.
struct RunOutcome: Sendable {
    enum End: Sendable {
        /// The command ended by itself; the error is the verdict on anything but exit status 0.
        case ended(Termination, SSHError?)
        /// The run failed.
        case failed(SSHError)
        /// Our standard output has no reader any more.
        case outputClosed
        /// Cancelled before a command ran, by a signal or without.
        case cancelled(signal: String?)
        /// An error that no code here should throw.
        case unforeseen(String)
    }

    var end: End
    /// What `--json` collected.
    var standardOutput: [UInt8] = []
    var standardError: [UInt8] = []
    /// Of the last attempt.
    var timings = StageTimings()
    /// Of all attempts, the waits between them included.
    var durationSeconds = 0.0
    var attempts = 1
}

extension RunOutcome.End {
    /// The outcome for a thrown error.
    ///
    /// - Parameter signal: the one that ends the run, if one does.
    init(_ error: any Error, signal: String?) {
        switch error {
        case let error as SSHError: self = .failed(error)
        case let problem as UsageProblem: self = .failed(problem.verdict)
        case OutputWriter.Failure.closed: self = .outputClosed
        case OutputWriter.Failure.abandoned, is CancellationError: self = .cancelled(signal: signal)
        default: self = .unforeseen("\(error)")
        }
    }

    /// With the name of the signal that ended the run, where one did.
    func named(by control: RunControl) -> Self {
        switch self {
        case .failed(let error): .failed(control.named(error))
        case .cancelled(nil): .cancelled(signal: control.signal)
        default: self
        }
    }
}
