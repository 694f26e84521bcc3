import BridgeSSH
import Dispatch
import Synchronization

/// Ends the process at once. This program buffers nothing, so there is nothing to flush.
func leave(with status: SSHExitStatus) -> Never {
    TerminalGuard.restore()
    LocalProcess.endAll()
    SSHClient.hangUpProxyCommands()
    ExitCleanup.removeAll()
    _exit(status.rawValue)
}

/// Ends the process when its work is done.
func finish(with status: SSHExitStatus) -> Never {
    FinalReportClaim.takeOrStay()
    leave(with: status)
}

/// Files that the process has to remove when it exits at once.
enum ExitCleanup {
    private static let known = Mutex<[String: @Sendable () -> Void]>([:])

    /// - Parameter remove: removes the file or directory at `path`.
    static func add(_ path: String, remove: @escaping @Sendable () -> Void) { known.withLock { $0[path] = remove } }

    /// Removes the file or directory at `path`, unless that was done before.
    static func remove(_ path: String) { known.withLock { $0.removeValue(forKey: path) }?() }

    static func removeAll() {
        let all = known.withLock { known in
            defer { known = [:] }
            return known
        }
        for remove in all.values { remove() }
    }
}

/// Decides who reports how the process ended: the work, or the signal that ended it. Only one of them reports.
enum FinalReportClaim {
    private enum Claimant {
        case work
        case signal
    }
    private static let claimant = Mutex<Claimant?>(nil)

    /// Claims the report for a signal.
    ///
    /// - Returns: false if the work, or another signal, has claimed it.
    static func take() -> Bool {
        claimant.withLock { claimant in
            guard claimant == nil else { return false }
            claimant = .signal
            return true
        }
    }

    /// Claims the right to write the report, for the work. If a signal has claimed it this never returns: the process ends at
    /// once.
    static func takeOrStay() {
        let isOurs = claimant.withLock { claimant in
            claimant = claimant ?? .work
            return claimant == .work
        }
        if !isOurs { stay() }
    }

    /// Never returns if a signal has claimed the report. For code that sees a child end by the same signal.
    static func stayIfTaken() {
        if claimant.withLock({ $0 == .signal }) { stay() }
    }

    private static func stay() -> Never {
        while true { DispatchSemaphore(value: 0).wait() }
    }
}
