import ArgumentParser
import BridgeSSH

/// How a host is reached, but for its port.
struct RouteOptions: ParsableArguments {
    @Option(
        name: [.customShort("l", allowingJoined: true), .long],
        help: ArgumentHelp("The user to log in as; before user@ and your own login name.", valueName: "user"))
    var user: String?

    @Option(
        name: [.customShort("J", allowingJoined: true), .customLong("jump")],
        help: ArgumentHelp(
            "Go through these hosts, in this order; each has its own configuration, host key check and credentials.",
            valueName: "[user@]host[:port],…"),
        completion: .jumpHosts)
    var jump: String?

    @Option(
        help: ArgumentHelp(
            "Time from the first connect to the running command or the open SFTP channel, jump hosts and authentication included, your typing excluded (15).",
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

extension RouteOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("-l", "--user") { $0.user = $1 },
        .value("-J", "--jump") { $0.jump = $1 },
        .value("--connect-timeout") { $0.connectTimeout = $1 },
        .value("--keepalive") { $0.keepalive = $1 },
        .choice("-4", "--ipv4", of: .ipv4) { $0.family = $1 },
        .choice("-6", "--ipv6", of: .ipv6) { $0.family = $1 },
    ]
}
