import BridgeSSH
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ends the process at once. This program buffers nothing, so there is nothing to flush.
func leave(with status: ExitStatus) -> Never {
    TerminalGuard.restore()
    LocalProcess.endAll()
    SSHClient.hangUpProxyCommands()
    LeftBehind.removeAll()
    _exit(status.rawValue)
}

/// Ends the process when its work is done.
func finish(with status: ExitStatus) -> Never {
    LastWord.takeOrStay()
    leave(with: status)
}

/// What a process that leaves at once has to take away.
enum LeftBehind {
    private static let known = Mutex<[String: @Sendable () -> Void]>([:])

    /// - Parameter remove: takes away what is at `path`.
    static func add(_ path: String, remove: @escaping @Sendable () -> Void) { known.withLock { $0[path] = remove } }

    /// Takes it away, unless that was done before.
    static func remove(_ path: String) { known.withLock { $0.removeValue(forKey: path) }?() }

    static func removeAll() {
        let all = known.withLock { known in
            defer { known = [:] }
            return known
        }
        for remove in all.values { remove() }
    }
}
