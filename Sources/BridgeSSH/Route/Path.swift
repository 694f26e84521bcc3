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

/// A jump host with an authenticated session.
final class AuthenticatedHop: Sendable {
    let session: Session
    let recorder: EvidenceRecorder

    init(session: Session, recorder: EvidenceRecorder) {
        self.session = session
        self.recorder = recorder
    }

    func close() async {
        await session.close()
        await recorder.path.close()
    }

    /// Whether this host, or one before it, refused what another attempt would offer again.
    var hasRefused: Bool {
        get async {
            if await session.authentication.wouldOfferRefusedAgain { return true }
            guard case .hop(let previous) = recorder.path else { return false }
            return await previous.hasRefused
        }
    }
}
