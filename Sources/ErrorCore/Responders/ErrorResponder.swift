public import Logging
import Synchronization

/// An object that handles errors, and passes to its parent those that it does not handle.
///
/// Hold the parent weakly: it usually owns the responder. The requirements are asynchronous, so a class on the main actor can
/// conform directly:
/// ```swift
/// @MainActor final class EditorModel: ErrorResponder {
///     weak var parentResponder: (any ErrorResponder)?
///     func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? {
///         AppError(error) == .agentBusy ? .retry : nil
///     }
/// }
/// ```
public protocol ErrorResponder: AnyObject, Sendable {
    /// The next responder to ask; nil for the last.
    var parentResponder: (any ErrorResponder)? { get async }
    /// The decision about an error; nil passes the error to the parent.
    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition?
}

extension ErrorResponder {
    /// The decision of this responder, or of the first one above it that has one.
    ///
    /// If there is none, the error is logged and the decision is ``ErrorDisposition/cancel``.
    @discardableResult
    public func respond(
        to error: any Error, context: ErrorContext? = nil, logger: Logger = Logger(label: "errors"),
        file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorDisposition {
        let context = context ?? ErrorContext(file: file, function: function, line: line)
        if let response = await firstResponse(to: error, context: context) { return response }
        UnansweredError.log(error, context: context, logger: logger)
        return .cancel
    }

    /// Runs an operation, and asks for a decision about each error that it throws.
    ///
    /// - Returns: The operation's result; nil if it failed and the decision was to proceed or to cancel.
    /// - Throws: The operation's error, if the decision was to abort.
    public func responding<Result>(
        isolation: isolated (any Actor)? = #isolation, file: String = #fileID, function: String = #function, line: Int = #line,
        to operation: () async throws -> Result
    ) async throws -> Result? {
        while true {
            do {
                return try await operation()
            } catch {
                switch await respond(to: error, file: file, function: function, line: line) {
                case .retry: if Task.isCancelled { return nil }
                case .proceed, .cancel: return nil
                case .abort: throw error
                }
            }
        }
    }

    /// The decision of this responder, or of the first one above it that has one.
    func firstResponse(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        var asked: Set<ObjectIdentifier> = []
        var next: (any ErrorResponder)? = self
        // A cycle of parents is a bug in the app; the loop stops when it closes.
        while let responder = next, asked.insert(ObjectIdentifier(responder)).inserted {
            if let response = await responder.response(to: error, context: context) { return response }
            next = await responder.parentResponder
        }
        return nil
    }
}

enum UnansweredError {
    static func log(_ error: any Error, context: ErrorContext, logger: Logger) {
        let record = ErrorOccurrence(error, context: context).record
        logger.log(
            level: record.severity.logLevel, "No responder answered for an error: \(record.message)",
            metadata: record.logMetadata, file: context.file, function: context.function, line: UInt(max(0, context.line)))
    }
}

/// A responder's decision about an error.
public enum ErrorDisposition: String, Sendable, Hashable, CaseIterable {
    /// Continue as if the error had not happened.
    case proceed
    /// Repeat the operation.
    case retry
    /// Cancel the current operation.
    case cancel
    /// Cancel the current operation and everything that belongs to it.
    case abort
}

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

/// Asks the responders in scope about an error. A view gets it from its environment: `await respondToError(error)`.
public struct RespondToError: Sendable {
    /// Decides about an error; nil passes it on.
    public typealias Answer = @Sendable (any Error, ErrorContext) async -> ErrorDisposition?

    /// The nearest answer first.
    private var answers: [Answer] = []

    /// Asks this responder and its parents, or none if nil. The responder is held weakly.
    public init(_ responder: (any ErrorResponder)? = nil) {
        if let responder { self = asking(first: responder) }
    }

    /// Asks a function before the present responders.
    public func asking(first answer: @escaping Answer) -> RespondToError {
        var result = self
        result.answers.insert(answer, at: 0)
        return result
    }

    /// Asks a responder and its parents before the present ones. The responder is held weakly.
    public func asking(first responder: any ErrorResponder) -> RespondToError {
        func weakly(_ responder: some ErrorResponder) -> RespondToError {
            let reference = WeakReference(responder)
            return asking { error, context in await reference.object?.firstResponse(to: error, context: context) }
        }
        return weakly(responder)
    }

    /// The decision about an error. If there is none, the error is logged and the decision is ``ErrorDisposition/cancel``.
    @discardableResult
    public func callAsFunction(
        _ error: any Error, action: String? = nil, file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorDisposition {
        let context = ErrorContext(action: action, file: file, function: function, line: line)
        for answer in answers {
            if let response = await answer(error, context) { return response }
        }
        UnansweredError.log(error, context: context, logger: Logger(label: "errors"))
        return .cancel
    }
}
