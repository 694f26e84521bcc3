import ArgumentParser
import BridgeSSH

/// How the host is reached.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("p", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; before :port and 22.", valueName: "port"),
        transform: PortNumber.parse)
    var port: PortNumber?

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
            "Time from the first connect to the running command, jump hosts and authentication included, your typing excluded (15).",
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

    @Flag(name: .long, help: "Ask nothing: no prompt for passwords, passphrases or host keys.")
    var batch = false
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

    var addressFamily: AddressFamily {
        switch self {
        case .ipv4: .ipv4
        case .ipv6: .ipv6
        }
    }
}

extension ConnectionOptions: PlainOptions {
    static var unset: Self {
        var options = Self()
        options.port = nil
        options.user = nil
        options.jump = nil
        options.connectTimeout = nil
        options.keepalive = nil
        options.family = nil
        options.batch = false
        return options
    }

    mutating func take(flag: String) -> Bool {
        switch flag {
        case "-4", "--ipv4": family = .ipv4
        case "-6", "--ipv6": family = .ipv6
        case "--batch": batch = true
        default: return false
        }
        return true
    }

    mutating func take(_ name: String, value: String) -> Bool {
        switch name {
        case "-p", "--port": Self.set(&port, PortNumber(argument: value))
        case "-l", "--user": Self.set(&user, value)
        case "-J", "--jump": Self.set(&jump, value)
        case "--connect-timeout": Self.set(&connectTimeout, Seconds(argument: value))
        case "--keepalive": Self.set(&keepalive, Seconds(argument: value))
        default: false
        }
    }
}
