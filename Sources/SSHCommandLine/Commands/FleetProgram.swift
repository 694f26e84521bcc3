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

    /// The arguments of the fleet's program for those of this one; nil where it is not concerned.
    static func arguments(for own: [String]) -> [String]? {
        switch own.first {
        case subcommand?: return Array(own.dropFirst())
        case "help"? where own.count > 1 && own[1] == subcommand: return ["help"] + own.dropFirst(2)
        // It knows all subcommands, its own included.
        case "---completion"? where own.count > 1 && own[1] == subcommand: return own
        case let first? where first.hasPrefix("--generate-completion-script") && isInstalled: return own
        default: return nil
        }
    }

    private static var isInstalled: Bool { besideThisProgram().map { access($0, X_OK) == 0 } ?? false }

    /// Replaces this process by the fleet's program.
    ///
    /// - Throws: `UsageProblem` if it cannot be started.
    static func become(_ arguments: [String]) throws -> Never {
        guard let path = besideThisProgram() else {
            throw UsageProblem(
                field: subcommand,
                problem: "it is not known where this program is, and \(name) is looked for beside it: start it by its whole path")
        }
        // Signals stay blocked across the call, as the program's own set-up leaves them too.
        _ = withArgumentVector([name] + arguments) { execv(path, $0) }
        throw UsageProblem(
            field: subcommand,
            problem: "\(path) cannot be started: \(String(cString: strerror(errno))); install it beside bridge-ssh, as "
                + "scripts/install does")
    }

    /// Never a name in the working directory, which may be anybody's.
    private static func besideThisProgram() -> String? {
        guard let link = HelperProtocol.executable, let resolved = realpath(link, nil) else { return nil }
        defer { free(resolved) }
        let own = String(cString: resolved)
        return own[...(own.lastIndex(of: "/") ?? own.startIndex)] + name
    }
}
