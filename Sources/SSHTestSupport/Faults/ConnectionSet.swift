import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The open connections of a server, so that they can be closed with it.
final class ConnectionSet: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var accepted = 0
        var closed = false
    }

    private let state = Mutex(State())

    /// The number of connections so far.
    var accepted: Int { state.withLock { $0.accepted } }

    /// Adds the channel of an accepted connection, and returns its number, counted from 1.
    @discardableResult
    func add(_ channel: any Channel) -> Int {
        let number = state.withLock { state in
            state.accepted += 1
            return state.accepted
        }
        addInner(channel)
        return number
    }

    /// Adds a channel that belongs to an accepted connection.
    func addInner(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let late = state.withLock { state in
            if !state.closed { state.channels[id] = channel }
            return state.closed
        }
        if late { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.channels[id] = nil } }
    }

    /// Waits until the channels that are open now are closed.
    func allClosed() async {
        for channel in state.withLock({ Array($0.channels.values) }) { try? await channel.closeFuture.get() }
    }

    /// Closes all open channels and waits for them. Channels that are added later are closed at once.
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

extension Channel {
    /// Closes a listener, and then the connections that it accepted.
    func close(with connections: ConnectionSet) async {
        try? await close()
        await connections.closeAll()
    }

    /// Closes the connection with a reset (SO_LINGER with a time of 0, socket(7)).
    func reset() {
        if let socket = self as? any SocketOptionProvider {
            let closed = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            // This runs on the channel's event loop, so the option is set at once.
            closed.whenComplete { _ in self.close(promise: nil) }
        } else {
            close(promise: nil)
        }
    }
}
