import ArgumentParser
import BridgeSSH
import SSHRun

/// The options for how to reach a host, without the port.
struct RouteOptions: ParsableArguments {
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

/// The options for ssh's configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("F", allowingJoined: true), .long],
        help: ArgumentHelp(
            "ssh's configuration file, instead of ~/.ssh/config and /etc/ssh/ssh_config; none reads no file.",
            valueName: "file|none"),
        completion: .file())
    var config: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .customLong("option")],
        help: ArgumentHelp("A setting as in ssh's configuration; overrides its files. Repeatable.", valueName: "key=value"))
    var option: [String] = []

    /// The source of the configuration; nil for the standard files.
    func source(home: String) -> SSHConfigSource? { Self.source(config, home: home) }

    static func source(_ file: String?, home: String) -> SSHConfigSource? {
        file.map { $0 == "none" ? .none : .file(HomePath.expand($0, home: home)) }
    }

    /// The settings, with the setting for `-J` first.
    func settings(jump: String?) -> [String] {
        (jump.map { ["ProxyJump=\($0)"] } ?? []) + option
    }
}

extension ConfigurationOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("-F", "--config") { $0.config = $1 },
        .list("-o", "--option", unset: { $0.option = [] }) { $0.option.append($1) },
    ]
}
