import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension LaunchEnvironment {
    /// This process's.
    static func current() -> LaunchEnvironment {
        let account = LocalAccount.current()
        let home = variable("HOME") ?? account?.home ?? "/"
        return LaunchEnvironment(
            home: home, loginName: account?.name ?? "", agentSocket: variable("SSH_AUTH_SOCK"), terminalType: variable("TERM"),
            canAsk: QuestionerChoice.ofThisProcess != .unavailable,
            machine: LocalMachine.context(home: home, user: account?.name ?? ""), environment: LocalMachine.environment,
            isInputTerminal: isatty(0) == 1)
    }
}

/// The user database's entry for the user of this process.
struct LocalAccount {
    let name: String
    let home: String

    /// Nil if the user has no entry, as in some containers.
    static func current() -> LocalAccount? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
            guard let memory = buffer.baseAddress, getpwuid_r(getuid(), &entry, memory, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name, let home = entry.pw_dir
            else { return nil }
            return LocalAccount(name: String(cString: name), home: String(cString: home))
        }
    }
}
