import ArgumentParser

/// How a host is reached. Of all its options, the port's is not written alike in ssh(1) and scp(1).
@dynamicMemberLookup
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("p", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; before :port and 22.", valueName: "port"),
        transform: PortNumber.parse)
    var port: PortNumber?

    @OptionGroup var route: RouteOptions

    subscript<Value>(dynamicMember member: WritableKeyPath<RouteOptions, Value>) -> Value {
        get { route[keyPath: member] }
        set { route[keyPath: member] = newValue }
    }
}

/// ``ConnectionOptions`` with the port at `-P`, as for scp(1), where `-p` keeps times and modes.
struct CopyConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("P", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; before that of a URL and 22.", valueName: "port"), transform: PortNumber.parse)
    var port: PortNumber?

    @OptionGroup var route: RouteOptions

    /// The same with `-p`.
    var asOfRun: ConnectionOptions {
        var options = ConnectionOptions.unset
        (options.port, options.route) = (port, route)
        return options
    }
}

extension ConnectionOptions: PlainOptions {
    static let table = [.value("-p", "--port") { $0.port = $1 }] + PlainOption<Self>.group(\.route) { $0.route = $1 }
}
