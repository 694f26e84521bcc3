import BridgeSSH

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
    OpenSSHPlace.removeAll()
    _exit(status.rawValue)
}

/// Ends the process when its work is done.
func finish(with status: ExitStatus) -> Never {
    LastWord.takeOrStay()
    leave(with: status)
}
