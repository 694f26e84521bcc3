import ArgumentParser
import BridgeSSH

/// Which host keys are trusted.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A known_hosts file, instead of ssh's usual four. Repeatable; new keys go into the first.", valueName: "file"),
        completion: .file())
    var knownHosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "What to do about an unknown host: strict refuses it, accept-new remembers it, ask asks you. Default: ask on a "
                + "terminal, else strict. A changed key is always refused.",
            valueName: "policy"))
    var hostKeyPolicy: PolicyName?
}

extension TrustOptions: PlainOptions {
    static var unset: Self {
        var options = Self()
        options.knownHosts = []
        options.hostKeyPolicy = nil
        return options
    }

    mutating func take(_ name: String, value: String) -> Bool {
        switch name {
        case "--known-hosts":
            knownHosts.append(value)
            return true
        case "--host-key-policy": return Self.set(&hostKeyPolicy, PolicyName(rawValue: value))
        default: return false
        }
    }
}

/// The policies by name; a type of our own, because the library's knows nothing of arguments.
enum PolicyName: String, ExpressibleByArgument, CaseIterable {
    case strict
    case acceptNew = "accept-new"
    case ask

    var policy: HostKeyPolicy {
        switch self {
        case .strict: .strict
        case .acceptNew: .acceptNew
        case .ask: .ask
        }
    }
}
