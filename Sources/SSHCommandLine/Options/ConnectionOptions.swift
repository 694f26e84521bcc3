import ArgumentParser
import BridgeSSH
import SSHRun

/// How to reach a host. The port has its own group because ssh(1) and scp(1) use different letters for it.
@dynamicMemberLookup
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("p", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; overrides :port (22).", valueName: "port"),
        transform: PortNumber.parse)
    var port: PortNumber?

    @OptionGroup var route: RouteOptions

    subscript<Value>(dynamicMember member: WritableKeyPath<RouteOptions, Value>) -> Value {
        get { route[keyPath: member] }
        set { route[keyPath: member] = newValue }
    }
}

/// ``ConnectionOptions`` with `-P` for the port, as in scp(1), where `-p` preserves times and modes.
struct CopyConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("P", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; overrides that of a URL (22).", valueName: "port"), transform: PortNumber.parse)
    var port: PortNumber?

    @OptionGroup var route: RouteOptions

    /// The equivalent options with `-p` for the port.
    var asOfRun: ConnectionOptions {
        var options = ConnectionOptions.unset
        (options.port, options.route) = (port, route)
        return options
    }
}

extension ConnectionOptions: PlainOptions {
    static let table = [.value("-p", "--port") { $0.port = $1 }] + PlainOption<Self>.group(\.route) { $0.route = $1 }
}

/// The SSH client that makes the connection.
package enum ConnectionMaker: String, ExpressibleByArgument, ArgumentValue, CaseIterable, Sendable {
    /// libssh2, in this process.
    case libssh2
    /// OpenSSH's ssh, whose log bridge-ssh reads.
    case ssh

    /// The maximum length of a command in bytes. On Linux one argument of a program has at most 128 KiB, with its terminator
    /// (execve(2)).
    package var longestCommand: Int {
        switch self {
        case .libssh2: ChannelProgram.mostBytes
        case .ssh: (128 << 10) - 1
        }
    }
}

/// The option that selects the SSH client.
package struct ViaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The SSH client: libssh2, which is part of this program, or the ssh of OpenSSH, which also supports security keys, "
                + "GSSAPI, host certificates and newer algorithms (libssh2).",
            valueName: "libssh2|ssh"))
    var via: ConnectionMaker?

    package init() {}

    package var maker: ConnectionMaker { via ?? .libssh2 }
}

extension ViaOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [.value("--via") { $0.via = $1 }]
}

extension ViaOptions {
    /// - Parameters:
    ///   - wantsTerminal: whether an option or ssh's configuration requests a terminal.
    ///   - isRoot: whether the command runs through sudo.
    /// - Throws: `UsageProblem` for an option that does not work with `--via ssh`.
    static func check(_ options: SSHCommandOptions, wantsTerminal: Bool, persists: Bool, isRoot: Bool) throws {
        if isRoot {
            throw UsageProblem(
                field: "--sudo",
                problem:
                    "--via ssh cannot answer sudo's prompt; leave --via ssh out, or write `sudo -n` before the command if sudo needs "
                    + "no password")
        }
        if wantsTerminal {
            throw UsageProblem(
                field: "--tty",
                problem: "--via ssh gives the command no terminal; `bridge-ssh ssh -t HOST COMMAND` does, and `-T` leaves it out")
        }
        if persists {
            throw UsageProblem(
                field: "--persist",
                problem:
                    "ssh keeps connections itself: leave --persist out and use ControlMaster, whose connections --via ssh uses; or "
                    + "leave --via ssh out")
        }
        if options.drain != nil {
            throw UsageProblem(
                field: "--drain",
                problem: "ssh reports the exit status only when the output has ended; leave out --drain or --via ssh")
        }
    }
}
