import Synchronization

/// Responders that come and go, the last connected asked first, then the parent.
///
/// It holds neither its responders nor its parent: a responder stays as long as its ``Connection`` is held, so a view or
/// a window connects by keeping the connection, and is gone with it.
public final class ErrorResponderChain: ErrorResponder {
    /// Keeps a responder connected while it is held, or until ``disconnect()``.
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
    /// - Parameter parent: The responder that is asked when none of them answers; held weakly.
    public init(parent: (any ErrorResponder)? = nil) {
        state = Mutex(State(parent: parent))
    }

    /// The responder that is asked when none of these answers; held weakly.
    public var parentResponder: (any ErrorResponder)? {
        get { state.withLock { $0.parent } }
        set { state.withLock { $0.parent = newValue } }
    }

    /// Connects a responder, which is asked before those connected so far. Its own parents are not asked: the chain's are.
    public func connect(_ responder: any ErrorResponder) -> Connection {
        connect { [weak responder] error, context in await responder?.response(to: error, context: context) }
    }

    /// Connects a function, which is asked before those connected so far; nil passes the error on.
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

    /// The answer of the last connected that has one.
    public func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        let connections = state.withLock { $0.connections.compactMap(\.object) }
        for connection in connections.reversed() where connection.isOpen {
            if let response = await connection.answer(error, context) { return response }
        }
        return nil
    }
}

/// An object that is not kept. A `weak let` would do from Swift 6.3 on.
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
