import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `bridge-ssh fleet` is a program of its own, installed beside this one: what it brings would make every run start slower.
enum FleetProgram {
    static let subcommand = "fleet"
    private static let name = "bridge-ssh-fleet"

    /// Replaces this process by the fleet's program, with the arguments after the subcommand.
    ///
    /// - Throws: `UsageProblem` if it cannot be started.
    static func become(_ arguments: [String]) throws -> Never {
        let path = besideThisProgram()
        // Signals stay blocked across the call, as the program's own set-up leaves them too.
        _ = withArgumentVector([name] + arguments.dropFirst()) { execv(path, $0) }
        throw UsageProblem(
            field: subcommand,
            problem: "\(path) cannot be started: \(String(cString: strerror(errno))); install it beside bridge-ssh, as "
                + "scripts/install does")
    }

    private static func besideThisProgram() -> String {
        guard let link = HelperProtocol.executable, let resolved = realpath(link, nil) else { return name }
        defer { free(resolved) }
        let own = String(cString: resolved)
        return own[...(own.lastIndex(of: "/") ?? own.startIndex)] + name
    }
}
