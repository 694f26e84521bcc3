import ArgumentParser

/// Options of ssh(1) that ask for what happens here anyway, or for what makes no difference: accepted, so that a line that was
/// written for ssh works.
struct HarmlessOptions: ParsableArguments {
    @Flag(help: .hidden) var given: [HarmlessFlag] = []
}

/// The flags.
enum HarmlessFlag: String, EnumerableFlag {
    /// No forwarding of the agent.
    case noAgentForwarding = "-a"
    /// Compression.
    case compression = "-C"
    /// No forwarding of GSSAPI credentials.
    case noDelegation = "-k"
    /// No forwarding of X11.
    case noX11 = "-x"

    static func name(for value: HarmlessFlag) -> NameSpecification {
        value.rawValue.last.map { .customShort($0) } ?? .long
    }

    static func help(for value: HarmlessFlag) -> ArgumentHelp? { .hidden }
}
