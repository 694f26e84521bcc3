import Synchronization

/// A changing set of responders. The most recently connected one is asked first, then the parent.
///
/// The chain holds neither its responders nor its parent. A responder stays connected as long as its ``Connection`` is held. A
/// view or a window keeps the connection, and disconnects when it goes away.
public final class ErrorResponderChain: ErrorResponder {
    /// Keeps a responder connected while it exists, or until ``disconnect()``.
    public final class Connection: Sendable {
        fileprivate let answer: @Sendable (any Error, ErrorContext) async -> ErrorDisposition?
        private let isConnected = Mutex(true)

        fileprivate init(_ answer: @escaping @Sendable (any Error, ErrorContext) async -> ErrorDisposition?) {
            self.answer = answer
        }

        /// Ends the connection. Further calls do nothing.
        public func disconnect() {
            isConnected.withLock { $0 = false }
        }

        fileprivate var isOpen: Bool { isConnected.withLock { $0 } }
    }

    private struct State: Sendable {
        weak var parent: (any ErrorResponder)?
        var connections: [WeakReference<Connection>] = []
    }

    private let state: Mutex<State>

    /// A chain without responders.
    ///
    /// - Parameter parent: The responder to ask if none of these has a decision; held weakly.
    public init(parent: (any ErrorResponder)? = nil) {
        state = Mutex(State(parent: parent))
    }

    /// The responder to ask if none of these has a decision; held weakly.
    public var parentResponder: (any ErrorResponder)? {
        get { state.withLock { $0.parent } }
        set { state.withLock { $0.parent = newValue } }
    }

    /// Connects a responder, which is asked before those connected earlier. The chain's parent is asked next, not its own.
    public func connect(_ responder: any ErrorResponder) -> Connection {
        connect { [weak responder] error, context in await responder?.response(to: error, context: context) }
    }

    /// Connects a function, which is asked before the responders connected earlier; nil passes the error on.
    public func connect(_ answer: @escaping @Sendable (any Error, ErrorContext) async -> ErrorDisposition?) -> Connection {
        let connection = Connection(answer)
        state.withLock { state in
            state.connections.removeAll { $0.object?.isOpen != true }
            state.connections.append(WeakReference(connection))
        }
        return connection
    }

    /// How many responders are connected.
    public var connectionCount: Int {
        state.withLock { $0.connections.count { $0.object?.isOpen == true } }
    }

    /// The decision of the most recently connected responder that has one.
    public func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        let connections = state.withLock { $0.connections.compactMap(\.object) }
        for connection in connections.reversed() where connection.isOpen {
            if let response = await connection.answer(error, context) { return response }
        }
        return nil
    }
}

/// A weak reference. From Swift 6.3 on, a `weak let` would do.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var object: Object?
    }

    private let reference: Mutex<Reference>

    init(_ object: Object?) {
        reference = Mutex(Reference(object: object))
    }

    var object: Object? { reference.withLock { $0.object } }
}
