import BridgeSSH
import CProcessGuard
import SSHRun

/// Facts about this machine that ssh's configuration may need.
enum LocalMachine {
    /// The context of a run.
    ///
    /// - Parameters:
    ///   - home: the home directory.
    ///   - user: the login name.
    static func context(home: String, user: String) -> SSHConfigContext {
        var context = SSHConfigContext(home: home, localUser: user, userID: getuid(), localHostName: SSHConfigContext.hostName)
        context.variable = { name in getenv(name).map { String(cString: $0) } }
        context.homeOfUser = { LocalAccount.home(of: $0) }
        context.port = { port(of: $0) }
        context.lookUp = { SSHConfigContext.systemLookUp($0) }
        context.localAddresses = { SSHConfigContext.interfaceAddresses() }
        context.shell = LaunchEnvironment.variable("SHELL") ?? "/bin/sh"
        context.environment = environment.map { "\($0.name)=\($0.value)" }
        context.execute = { ShellCommand.run($0, shell: LaunchEnvironment.variable("SHELL") ?? "/bin/sh") }
        return context
    }

    /// The environment variables, in their original order.
    static var environment: [(name: String, value: String)] {
        guard var next = bridge_environment() else { return [] }
        var variables: [(name: String, value: String)] = []
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
            }
            next += 1
        }
        return variables
    }

    private static func port(of service: String) -> Int? {
        AddressLookup.first(of: nil, service: service, family: AF_INET) {
            $0.ai_addr?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: $0.pointee.sin_port)) }
        }
    }
}

extension LaunchEnvironment {
    /// The environment of this process.
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

/// A user's entry in the user database.
struct LocalAccount {
    let name: String
    let home: String

    /// The user of this process. Nil if the user has no entry, as in some containers.
    static func current() -> LocalAccount? { find { getpwuid_r(getuid(), $0, $1, $2, $3) } }

    /// The home directory of a user by name.
    static func home(of name: String) -> String? { find { getpwnam_r(name, $0, $1, $2, $3) }?.home }

    private typealias Entry = UnsafeMutablePointer<passwd>

    private static func find(
        _ look: (Entry, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Entry?>) -> Int32
    ) -> LocalAccount? {
        var entry = passwd()
        var found: Entry?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
            guard let memory = buffer.baseAddress, look(&entry, memory, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name, let home = entry.pw_dir
            else { return nil }
            return LocalAccount(name: String(cString: name), home: String(cString: home))
        }
    }
}

extension LaunchEnvironment {
    /// The value of an environment variable; nil if it is unset or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
