/// A jump host with an authenticated session, as one connection uses it.
final class AuthenticatedHop: Sendable {
    let session: Session
    let recorder: EvidenceRecorder
    /// Gives a shared session back; nil where the session belongs to the one connection.
    private let giveBack: (@Sendable () async -> Void)?

    init(session: Session, recorder: EvidenceRecorder, giveBack: (@Sendable () async -> Void)? = nil) {
        self.session = session
        self.recorder = recorder
        self.giveBack = giveBack
    }

    /// Whether other connections may use the session too.
    var isShared: Bool { giveBack != nil }

    /// The same session for another connection: its errors carry that connection's chain, times and notices.
    ///
    /// - Parameters:
    ///   - hops: that connection's hops up to this one.
    ///   - giveBack: called when that connection is closed.
    func lent(
        along hops: ArraySlice<Hop>, _ timeline: Timeline, giveBack: @escaping @Sendable () async -> Void
    ) -> AuthenticatedHop {
        let hop = hops.last ?? recorder.hop
        var path = recorder.path
        if case .hop(let previous) = path { path = .hop(previous.lent(along: hops.dropLast(), timeline) {}) }
        timeline.secrets.add(recorder.timeline.secrets)
        // The two timelines may be one, which is locked while it is changed.
        let facts = recorder.timeline.facts(of: recorder.hop)
        timeline.note(hop) { $0 = facts }
        return AuthenticatedHop(
            session: session, recorder: EvidenceRecorder(hop: hop, timeline: timeline, path: path), giveBack: giveBack)
    }

    func close() async {
        if let giveBack { return await giveBack() }
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
