/// What a session's bytes go through.
enum Path: Sendable {
    /// A TCP connection.
    case network
    /// A ProxyCommand.
    case proxy(ProxyProcess)
    /// A channel of the session of the hop before.
    case hop(AuthenticatedHop)

    /// Ends what was needed for the session, which is closed already: the hops before it, the nearest to it first.
    func close() async {
        switch self {
        case .network: break
        case .proxy(let process): await process.end()
        case .hop(let jumpHost): await jumpHost.close()
        }
    }
}
