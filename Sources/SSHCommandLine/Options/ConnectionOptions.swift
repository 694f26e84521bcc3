import ArgumentParser
import BridgeSSH
import SSHRun

/// The server's port, with ssh(1)'s letter.
package struct PortOptions: ParsableArguments {
    @Option(
        name: [.customShort("p", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; overrides :port (22).", valueName: "port"),
        transform: PortNumber.parse)
    var port: PortNumber?

    package init() {}
}

extension PortOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [.value("-p", "--port") { $0.port = $1 }]
}

/// The server's port, with scp(1)'s letter: there `-p` preserves times and modes.
package struct CopyPortOptions: ParsableArguments {
    @Option(
        name: [.customShort("P", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; overrides that of a URL (22).", valueName: "port"), transform: PortNumber.parse)
    var port: PortNumber?

    package init() {}

    /// The equivalent options of `run`.
    var asOfRun: PortOptions {
        var options = PortOptions.unset
        options.port = port
        return options
    }
}

/// The options for how to reach a host, without the port.
package struct ConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("l", allowingJoined: true), .long],
        help: ArgumentHelp("The user to log in as; overrides user@ and your own login name.", valueName: "user"))
    var user: String?

    @Option(
        name: [.customShort("J", allowingJoined: true), .customLong("jump")],
        help: ArgumentHelp(
            "Connect through these jump hosts, in this order; each has its own configuration, host key check and credentials.",
            valueName: "[user@]host[:port],…"),
        completion: .jumpHosts)
    var jump: String?

    @Option(
        help: ArgumentHelp(
            "Time limit from the first connect to the running command or the open SFTP channel, with jump hosts and authentication, without your typing (15).",
            valueName: "time"),
        transform: Seconds.parse)
    var connectTimeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "Keepalive interval: ask a silent server this often, and give up after three requests without an answer.",
            valueName: "time"),
        transform: Seconds.parse)
    var keepalive: Seconds?

    @Flag(exclusivity: .chooseLast, help: "Use only IPv4 or only IPv6 addresses.")
    var family: FamilyFlag?

    package init() {}
}

/// `-4` and `-6`.
enum FamilyFlag: String, EnumerableFlag {
    case ipv4
    case ipv6

    static func name(for value: FamilyFlag) -> NameSpecification {
        switch value {
        case .ipv4: [.customShort("4"), .long]
        case .ipv6: [.customShort("6"), .long]
        }
    }

    static func help(for value: FamilyFlag) -> ArgumentHelp? {
        switch value {
        case .ipv4: "Use only IPv4 addresses."
        case .ipv6: "Use only IPv6 addresses."
        }
    }

    var addressFamily: SSHAddressFamily {
        switch self {
        case .ipv4: .ipv4
        case .ipv6: .ipv6
        }
    }
}

extension ConnectionOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("-l", "--user") { $0.user = $1 },
        .value("-J", "--jump") { $0.jump = $1 },
        .value("--connect-timeout") { $0.connectTimeout = $1 },
        .value("--keepalive") { $0.keepalive = $1 },
        .choice("-4", "--ipv4", of: .ipv4) { $0.family = $1 },
        .choice("-6", "--ipv6", of: .ipv6) { $0.family = $1 },
    ]
}

/// The SSH client that makes the connection.
package enum ConnectionMaker: String, ExpressibleByArgument, ArgumentValue, CaseIterable, Sendable {
    /// libssh2, in this process.
    case libssh2
    /// OpenSSH's ssh, whose log bridge-ssh reads.
    case ssh

    /// The maximum length of a command in bytes. On Linux one argument of a program has at most 128 KiB, with its terminator
    /// (execve(2)).
    package var maximumCommandLength: Int {
        switch self {
        case .libssh2: ChannelProgram.maximumBytes
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
    /// - Throws: `UsageProblem` for an option that does not work with `--via ssh`.
    static func check(_ options: SSHCommandOptions, persists: Bool) throws {
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
