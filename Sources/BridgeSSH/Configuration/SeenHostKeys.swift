internal import Synchronization

/// The host keys that servers presented to the connections of one run. Several hosts of a run may be one server under many names.
/// One connection answers all of them that only need its key, or that would be refused for it.
///
/// OpenSSH 9.8 and later refuse an address for a while if it often connects without logging in (PerSourcePenalties).
package typealias SeenHostKeys = SharedAnswers<HostKeyRequest, PresentedKey>

/// The facts that decide which key is presented.
package struct HostKeyRequest: Hashable, Sendable {
    let server: String
    let way: [String]
    /// The host key algorithms, in the order in which they are offered.
    let algorithms: [String]
}

/// Answers to the questions of one run. The first connection that asks answers all others with the same question.
package final class SharedAnswers<Request: Hashable & Sendable, Answer: Sendable>: Sendable {
    private enum State {
        /// A connection is asking, and others wait for its answer.
        case asked([CheckedContinuation<Answer?, Never>])
        case seen(Answer)
        /// No answer came, so each connection asks for itself.
        case failed
    }

    private let states = Mutex<[Request: State]>([:])

    package init() {}

    /// The answer; nil if none is known yet.
    func seen(_ request: Request) -> Answer? {
        states.withLock { if case .seen(let answer)? = $0[request] { answer } else { nil } }
    }

    /// The answer. Waits while another connection asks for it.
    ///
    /// - Returns: nil if the caller has to connect. It must then call ``settle(_:_:)``, even after a failure.
    package func wait(for request: Request) async -> Answer? {
        await withCheckedContinuation { continuation in
            let answer: Answer?? = states.withLock { states in
                switch states[request] {
                case nil: states[request] = .asked([])
                case .failed: break
                case .seen(let answer): return .some(answer)
                case .asked(let waiters):
                    states[request] = .asked(waiters + [continuation])
                    return nil
                }
                return .some(nil)
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Answers those who wait.
    ///
    /// - Parameter answer: nil if none came.
    package func settle(_ request: Request, _ answer: Answer?) {
        let waiters = states.withLock { states -> [CheckedContinuation<Answer?, Never>] in
            let before = states[request]
            if let answer { states[request] = .seen(answer) } else if case .asked? = before { states[request] = .failed }
            if case .asked(let waiters)? = before { return waiters } else { return [] }
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }
}

/// A server's host key, after the server has proved to hold it.
package struct PresentedKey: Sendable {
    let key: SSHHostKey
    /// The host key algorithms that this client offered.
    let offered: [String]
    /// The host key algorithms that the server lists.
    let listed: [String]
    /// The server's software.
    let software: String
}
