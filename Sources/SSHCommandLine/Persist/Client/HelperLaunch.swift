import BridgeSSH
import CLocalSocket
import CProcessGuard

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Starts a helper: this executable once more, in a session of its own, that inherits three descriptors and nothing else.
enum HelperLaunch {
    /// - Parameters:
    ///   - lock: the helper's from now on.
    ///   - record: what the lock file is to say of it.
    ///   - executable: its path; nil if that is not known.
    /// - Returns: the socket for sending it what to connect to; nil if it could not be started.
    static func start(
        _ files: HelperFiles, lock: OwnedDescriptor, _ record: HelperRecord, executable: String? = HelperProtocol.executable
    ) -> FrameSocket? {
        guard let path = executable, record.write(to: lock), let listener = files.listen(), let pair = SocketPair.make() else {
            files.remove()
            return nil
        }
        let problem = withArgumentVector(["bridge-ssh", HelperProtocol.subcommand, record.endpoint.description]) {
            var process: pid_t = 0
            let descriptors = [pair.theirs.number, listener.number, lock.number]
            return bridge_spawn_detached(
                path, $0, bridge_environment(), descriptors, Int32(descriptors.count), &process)
        }
        let socket = FrameSocket(descriptor: pair.ours)
        guard problem == 0 else {
            files.remove()
            return nil
        }
        return socket
    }
}
