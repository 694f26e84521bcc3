import ArgumentParser
import BridgeSSH
import SSHRun

/// What makes the connection.
package enum ConnectionMaker: String, ExpressibleByArgument, ArgumentValue, CaseIterable, Sendable {
    /// This program itself.
    case libssh2
    /// OpenSSH's ssh, whose log we read.
    case ssh

    /// How long a command can be that it sends, in bytes. Linux lets a program have an argument of 128 KiB, its end included
    /// (execve(2)).
    package var longestCommand: Int {
        switch self {
        case .libssh2: ChannelProgram.mostBytes
        case .ssh: (128 << 10) - 1
        }
    }
}

/// Who makes the connection.
package struct ViaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What makes the connection: libssh2, which is in this program, or the ssh of OpenSSH, which also goes where libssh2 "
                + "cannot: security keys, GSSAPI, host certificates, newer algorithms (libssh2).",
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
    ///   - wantsTerminal: whether the command is to have one, by an option or ssh's configuration.
    ///   - isRoot: whether something is to be done through sudo.
    /// - Throws: `UsageProblem` for an option that ssh has nothing for.
    static func check(_ options: SSHCommandOptions, wantsTerminal: Bool, persists: Bool, isRoot: Bool) throws {
        if isRoot {
            throw UsageProblem(
                field: "--sudo",
                problem:
                    "--via ssh does not answer sudo; leave --via ssh out, or write `sudo -n` before the command where sudo asks "
                    + "for nothing")
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
                    "ssh keeps connections by itself: leave --persist out, and use ControlMaster, whose connections --via ssh "
                    + "takes; or leave --via ssh out")
        }
        if options.drain != nil {
            throw UsageProblem(
                field: "--drain",
                problem: "ssh does not tell the exit status before the output has ended; leave out --drain or --via ssh")
        }
    }
}
