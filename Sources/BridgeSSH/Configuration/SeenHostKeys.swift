internal import Synchronization

/// The host keys that servers presented to the connections of one run. Several hosts of a run may be one server under many names.
/// One connection answers all of them that only need its key, or that would be refused for it.
///
/// OpenSSH 9.8 and later refuse an address for a while if it often connects without logging in (PerSourcePenalties).
package final class SeenHostKeys: Sendable {
    /// What decides which key is presented.
    struct Request: Hashable, Sendable {
        let server: String
        let way: [String]
        /// The host key algorithms, in the order in which they are offered.
        let algorithms: [String]
    }

    private enum State {
        /// A connection is asking, and others wait for its answer.
        case asked([CheckedContinuation<PresentedKey?, Never>])
        case seen(PresentedKey)
        /// No answer came, so each connection asks for itself.
        case failed
    }

    private let states = Mutex<[Request: State]>([:])

    package init() {}

    /// The presented key; nil if none is known yet.
    func seen(_ request: Request) -> PresentedKey? {
        states.withLock { if case .seen(let key)? = $0[request] { key } else { nil } }
    }

    /// The presented key. Waits while another connection asks for it.
    ///
    /// - Returns: nil if the caller has to connect. It must call ``settle(_:_:)`` then, whatever comes of it.
    func wait(for request: Request) async -> PresentedKey? {
        await withCheckedContinuation { continuation in
            let answer: PresentedKey?? = states.withLock { states in
                switch states[request] {
                case nil: states[request] = .asked([])
                case .failed: break
                case .seen(let key): return .some(key)
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
    /// - Parameter key: nil if the server presented none.
    func settle(_ request: Request, _ key: PresentedKey?) {
        let waiters = states.withLock { states -> [CheckedContinuation<PresentedKey?, Never>] in
            let before = states[request]
            if let key { states[request] = .seen(key) } else if case .asked? = before { states[request] = .failed }
            if case .asked(let waiters)? = before { return waiters } else { return [] }
        }
        for waiter in waiters { waiter.resume(returning: key) }
    }
}

/// A server's host key, after the server has proved to hold it.
struct PresentedKey: Sendable {
    let key: SSHHostKey
    /// The host key algorithms that this client offered.
    let offered: [String]
    /// The host key algorithms that the server lists.
    let listed: [String]
    /// The server's software.
    let software: String
}
