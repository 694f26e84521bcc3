/// A libssh2 call that is repeated, with the same arguments, until it returns something other than EAGAIN.
///
/// Confined to its session. Cancelling the caller never ends the call itself half-way, because libssh2 keeps the state of a call
/// in the session: an abandoned call is finished without a waiting caller, and `discard` disposes of its result.
///
/// Nor does it end half-way where its caller need not wait any longer, because what it asks for has shown itself by other means: the
/// server's answer is still to come, and another call must not meet it.
final class PendingCall {
    let id: UInt64
    /// The channel whose memory the call uses: it must not be freed before the call has ended.
    let channel: ChannelID?
    /// The channel that it works on, or opens.
    let owner: ChannelID?
    /// Whether libssh2 has been called: it must be called to the end then.
    private(set) var hasBegun: Bool
    /// The stage that begins when the call has succeeded, if one does.
    let nextStage: () -> SSHStage?
    private let settles: () -> Bool
    private let call: () -> LibraryResult
    private let discard: () -> Void
    private var continuation: CheckedContinuation<Result<Int, Fault>, Never>?
    /// Called with the result in place of a waiting caller, unless the call is abandoned before.
    private var completion: ((Result<Int, Fault>) -> Void)?
    private(set) var isAbandoned = false
    private var result: Result<Int, Fault>?

    init(
        id: UInt64, channel: ChannelID?, opening: ChannelID?, hasBegun: Bool, nextStage: @escaping () -> SSHStage?,
        isSettled: @escaping () -> Bool, discard: @escaping () -> Void, completion: ((Result<Int, Fault>) -> Void)?,
        _ call: @escaping () -> LibraryResult
    ) {
        self.id = id
        self.channel = channel
        owner = opening ?? channel
        self.hasBegun = hasBegun
        self.nextStage = nextStage
        settles = isSettled
        self.discard = discard
        self.completion = completion
        self.call = call
    }

    /// Calls libssh2, once more or for the first time.
    func make() -> LibraryResult {
        hasBegun = true
        return call()
    }

    /// Whether its caller is to go on now, although the call has not ended.
    var isSettled: Bool { !isAbandoned && settles() }

    func await(_ continuation: CheckedContinuation<Result<Int, Fault>, Never>, _: isolated Session) {
        // The call may have ended between the caller's decision to wait and its suspension.
        if let result { return continuation.resume(returning: result) }
        self.continuation = continuation
    }

    /// Hands the result to the caller, if it is still waiting.
    func finish(_ result: Result<Int, Fault>) {
        if isAbandoned, case .success = result { discard() }
        self.result = result
        continuation?.resume(returning: result)
        continuation = nil
        completion?(result)
        completion = nil
    }

    /// Detaches the caller.
    func abandon(with fault: Fault = .cancelled) {
        isAbandoned = true
        completion = nil
        result = result ?? .failure(fault)
        continuation?.resume(returning: .failure(fault))
        continuation = nil
    }
}
