import NIOCore
import Synchronization

/// The open connections of a server, so that they can be closed with it.
final class ConnectionSet: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var accepted = 0
        var closed = false
    }

    private let state = Mutex(State())

    /// How many there have been.
    var accepted: Int { state.withLock { $0.accepted } }

    /// Keeps a channel that a client opened to the server, and returns its number, from 1.
    @discardableResult
    func add(_ channel: any Channel) -> Int {
        let number = state.withLock { state in
            state.accepted += 1
            return state.accepted
        }
        addInner(channel)
        return number
    }

    /// Keeps a channel that goes with one of those.
    func addInner(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let late = state.withLock { state in
            if !state.closed { state.channels[id] = channel }
            return state.closed
        }
        if late { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.channels[id] = nil } }
    }

    /// Waits until those that are open now are closed.
    func allClosed() async {
        for channel in state.withLock({ Array($0.channels.values) }) { try? await channel.closeFuture.get() }
    }

    /// Closes those that are open, and those yet to come, and waits for them.
    func closeAll() async {
        let open = state.withLock { state in
            state.closed = true
            return Array(state.channels.values)
        }
        for channel in open {
            channel.close(promise: nil)
            try? await channel.closeFuture.get()
        }
    }
}
