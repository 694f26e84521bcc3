import BridgeSSH

/// What is known of the wanted output when the arguments could not be parsed.
struct ArgumentHints {
    var json = false
    var quiet = false
    var convention = ExitStatus.Convention.bridge
    var subcommand = Subcommand.run
    /// What was to make the connection.
    var via = "libssh2"
    /// The destination as it was typed; empty if that is not known.
    var destination = ""

    init(
        _ subcommand: Subcommand = .run, destination: String = "", json: Bool = false, quiet: Bool = false,
        convention: ExitStatus.Convention = .bridge
    ) {
        self.subcommand = subcommand
        self.destination = destination
        self.json = json
        self.quiet = quiet
        self.convention = convention
    }

    /// Looks for the options anywhere before a `--`.
    init(_ arguments: [String]) {
        let own = arguments.prefix { $0 != "--" }
        json = own.contains("--json")
        quiet = own.contains { $0 == "-q" || $0 == "--quiet" }
        let followsOption = zip(own, own.dropFirst()).contains { $0 == "--exit-codes" && $1 == "ssh" }
        subcommand = arguments.first.flatMap(Subcommand.init(rawValue:)) ?? .none
        if zip(own, own.dropFirst()).contains(where: { $0 == "--via" && $1 == "ssh" }) || own.contains("--via=ssh") {
            via = "ssh"
        }
        if followsOption || own.contains("--exit-codes=ssh") { convention = .ssh }
    }
}

/// Whose arguments they are.
enum Subcommand: String {
    case run
    case copy
    case doctor
    case check
    case trust
    case config
    case codes
    case explain
    case classify
    case persist
    case ssh
    /// None, or none that there is.
    case none = ""
}
