import BridgeSSH
import ErrorCore
import Logging
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What every line of a run's records says, so that those of several runs in one file can be distinguished: the process, the run, and
/// the host once it is known.
final class RunIdentity: Sendable {
    private let values: Mutex<ErrorMetadata>

    init() {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        let run = String(repeating: "0", count: 16 - digits.count) + digits
        values = Mutex(["pid": "\(getpid())", "run_id": run])
    }

    /// The plan is made.
    ///
    /// - Parameter destination: the destination as it was typed.
    func concerns(_ endpoint: SSHEndpoint, named destination: String) {
        values.withLock { $0.merge(["ssh_destination": destination, "ssh_host": endpoint.host]) }
    }

    var metadata: ErrorMetadata { values.withLock { $0 } }

    var facts: Logger.Metadata { metadata.entries.mapValues { .string($0) } }
}
