public import ArgumentParser
public import BridgeSSH

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
    var hostKeyPolicy: SSHHostKeyPolicy?
}

extension TrustOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .list("--known-hosts", unset: { $0.knownHosts = [] }) { $0.knownHosts.append($1) },
        .value("--host-key-policy") { $0.hostKeyPolicy = $1 },
    ]
}

// The policies by their names.
extension SSHHostKeyPolicy: ExpressibleByArgument, ArgumentValue {}
