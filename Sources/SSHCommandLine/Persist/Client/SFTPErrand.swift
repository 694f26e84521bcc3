import BridgeSSH
import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The SFTP server of the helper's host, over a pair of sockets.
final class SFTPErrand: HelperErrand {
    private struct State {
        /// Our end; nil once it was taken.
        var ours: Int32?
        var theirs: OwnedDescriptor?
    }

    private let plan: RunPlan
    private let state = Mutex(State())
    /// Gets a value when the SFTP server runs; ends when it will not.
    let running: AsyncStream<Void>
    private let begins: AsyncStream<Void>.Continuation

    init(_ plan: RunPlan) {
        self.plan = plan
        (running, begins) = AsyncStream.makeStream(of: Void.self)
    }

    deinit { keep(nil) }

    func complete(_ request: inout RunRequest) -> [Int32] {
        request.command = "sftp"
        request.isSubsystem = true
        request.hasInput = true
        request.inputIsRepeatable = true
        // A copy does not wait for a server that is gone.
        request.watchesServer = !plan.access.forbidsKeepalive
        let pair = SocketPair.make()
        keep(pair)
        return [pair?.theirs.number].compactMap { $0 }
    }

    /// The helper has its end; without ours, we learn from the socket that it is gone.
    func sent() { state.withLock { $0.theirs = nil } }

    func began(_ command: RemoteCommand) { begins.yield() }

    /// Another helper may be asked.
    func ended() async {}

    /// No helper will begin any more.
    func gaveUp() { begins.finish() }

    /// The command of a relay is the SFTP server; what a copy does begins later.
    func isShown(_ stage: SSHStage) -> Bool { stage != .command }

    var lost: SSHError {
        SSHFailureClassifier.classify(SSHEvidence(local: .helperEnded, stage: .sftp, endpoint: plan.endpoint))
    }

    /// Our end of the sockets, which is the caller's from now on.
    func takeSocket() -> Int32? {
        state.withLock { state in
            defer { state.ours = nil }
            return state.ours
        }
    }

    private func keep(_ pair: (ours: Int32, theirs: OwnedDescriptor)?) {
        let old = state.withLock { state in
            defer { state = State(ours: pair?.ours, theirs: pair?.theirs) }
            return state.ours
        }
        if let old { close(old) }
    }
}
