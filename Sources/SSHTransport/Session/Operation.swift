/// A libssh2 call that is repeated, with the same arguments, until it says something other than EAGAIN.
///
/// Confined to its session. Cancelling the caller never ends the call itself half-way, because libssh2 keeps the state of a
/// call in the session: an abandoned call is finished without anybody waiting, and `discard` disposes of what it made.
final class Operation {
    let id: UInt64
    let function: StaticString
    /// The channel whose memory the call uses: it must not be freed before the call has ended.
    let channel: ChannelID?
    /// The channel that it works on, or opens.
    let owner: ChannelID?
    /// Whether libssh2 has been called: it must be called to the end then.
    var hasBegun = false
    let call: () -> Int
    /// The stage that begins when the call has succeeded, if one does.
    let nextStage: () -> Stage?
    private let discard: () -> Void
    private var continuation: CheckedContinuation<Result<Int, Fault>, Never>?
    /// Called with the result in place of a waiting caller, unless the call is abandoned before.
    var completion: ((Result<Int, Fault>) -> Void)?
    private(set) var isAbandoned = false
    private var result: Result<Int, Fault>?

    init(
        id: UInt64, function: StaticString, channel: ChannelID?, opening: ChannelID?, call: @escaping () -> Int,
        nextStage: @escaping () -> Stage?, discard: @escaping () -> Void
    ) {
        self.id = id
        self.function = function
        self.channel = channel
        owner = opening ?? channel
        self.call = call
        self.nextStage = nextStage
        self.discard = discard
    }

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

    /// Lets the caller go.
    func abandon(with fault: Fault = .cancelled) {
        isAbandoned = true
        completion = nil
        result = result ?? .failure(fault)
        continuation?.resume(returning: .failure(fault))
        continuation = nil
    }
}
