public import Logging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Handles an app's errors. Each error is logged, counted, and passed to observers and reporters. Automatic recoveries are
/// tried; if none succeeds, the error is shown.
///
/// Create a handler and inject it; there is no shared instance. A view or a terminal follows ``presentations()`` and answers with
/// ``choose(_:in:file:function:line:)`` and ``close(_:)``. The most severe error is shown first; the others wait. Equal errors
/// are shown as one, with a count.
public actor ErrorHandler {
    /// Receives every error after it was logged.
    public typealias Observer = @Sendable (ErrorOccurrence) -> Void

    /// Identifies an observer, so that it can be stopped.
    public struct Observation: Sendable, Hashable {
        fileprivate let id = UUID()
    }

    private nonisolated let logger: Logger
    private nonisolated let metrics: ErrorMetrics
    private nonisolated let redactor: Redactor
    private nonisolated let captureState: (@Sendable () -> ErrorMetadata)?
    private nonisolated let now: @Sendable () -> Date
    private nonisolated let observers = ErrorObservers()
    private let reporters: [any ErrorReporter]
    private let recoveries: [AutomaticRecovery]
    private let shouldPresent: @Sendable (ErrorOccurrence) -> Bool
    private let clock: any Clock<Duration>
    /// Each receives the waiting errors, and returns false once it no longer listens.
    private var followers: [UUID: @Sendable ([ErrorPresentation]) -> Bool] = [:]
    private var queue = PresentationQueue()

    /// A handler.
    ///
    /// - Parameters:
    ///   - logger: Receives a log line for each error.
    ///   - metrics: Counts the errors.
    ///   - reporters: Receive the records, in this order.
    ///   - recoveries: Tried in this order before a person is asked.
    ///   - redactor: Keeps secrets out of logs, metrics and reports.
    ///   - captureState: App state to record with each error, such as the current screen or the free memory.
    ///   - shouldPresent: Whether to show an error to the user. A cancellation is never shown, even if this is true.
    ///   - clock: Measures how long recoveries take.
    ///   - now: Supplies the time of an occurrence.
    public init(
        logger: Logger = Logger(label: "errors"), metrics: ErrorMetrics = ErrorMetrics(), reporters: [any ErrorReporter] = [],
        recoveries: [AutomaticRecovery] = [], redactor: Redactor = .standard,
        captureState: (@Sendable () -> ErrorMetadata)? = nil,
        shouldPresent: @escaping @Sendable (ErrorOccurrence) -> Bool = { _ in true },
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.logger = logger
        self.metrics = metrics
        self.reporters = reporters
        self.recoveries = recoveries
        self.redactor = redactor
        self.captureState = captureState
        self.shouldPresent = shouldPresent
        self.clock = clock
        self.now = now
    }

    /// Handles an error. Returns when recoveries and reporters have finished; it does not wait for the person's answer.
    ///
    /// - Parameters:
    ///   - error: Any error.
    ///   - context: Where it happened; the caller's location by default.
    ///   - actions: The actions for its recovery options. Options without an action are not shown.
    ///   - details: Facts to show with it.
    ///   - file: The caller's file.
    ///   - function: The caller's function.
    ///   - line: The caller's line.
    /// - Returns: The occurrence.
    @discardableResult
    public func handle(
        _ error: any Error, context: ErrorContext? = nil, actions: RecoveryActions = RecoveryActions(),
        details: [ErrorPresentation.Detail] = [], file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorOccurrence {
        var occurrence = log(error, context: context ?? ErrorContext(file: file, function: function, line: line))
        var recoveryFailure: String?
        if !occurrence.profile.isCancellation, !recoveries.isEmpty {
            (occurrence.isRecovered, recoveryFailure) = await recoverAutomatically(occurrence, actions)
        }
        // Show the error before the reporters run: one of them may be slow.
        if !occurrence.profile.isCancellation, !occurrence.isRecovered, shouldPresent(occurrence) {
            var presentation = ErrorPresentation(occurrence.profile, actions: actions, details: details)
            presentation.recoveryFailure = recoveryFailure
            queue.add(presentation)
            publish()
        }
        await report(occurrence)
        return occurrence
    }

    /// Logs and counts an error and passes it to the observers, synchronously, for code that cannot wait. The error is neither
    /// reported nor shown.
    @discardableResult
    public nonisolated func log(
        _ error: any Error, context: ErrorContext? = nil, file: String = #fileID, function: String = #function, line: Int = #line
    ) -> ErrorOccurrence {
        var context = context ?? ErrorContext(file: file, function: function, line: line)
        if let captureState { context.values.merge(captureState(), keepingBothUnder: "state_") }
        let occurrence = ErrorOccurrence(error, context: context, date: now(), redactor: redactor)
        let level = occurrence.profile.isCancellation ? .debug : occurrence.record.severity.logLevel
        logger.log(
            level: level, "\(occurrence.record.message)", metadata: occurrence.record.logMetadata, file: context.file,
            function: context.function, line: UInt(max(0, context.line)))
        metrics.count(occurrence.record)
        observers.notify(occurrence)
        return occurrence
    }

    private func report(_ occurrence: ErrorOccurrence) async {
        for reporter in reporters { await reporter.report(occurrence.record, of: occurrence.error) }
    }
}

// MARK: Observing

extension ErrorHandler {
    /// Passes every later error to an observer.
    @discardableResult
    public func observe(_ observer: @escaping Observer) -> Observation {
        let observation = Observation()
        observers.add(observation.id, observer)
        return observation
    }

    /// Removes an observer.
    public func stop(_ observation: Observation) {
        observers.remove(observation.id)
    }

    /// The error that is shown at present.
    public var current: ErrorPresentation? { queue.current }

    /// All errors that wait for an answer, the shown one first.
    public var waiting: [ErrorPresentation] { queue.waiting }

    /// The shown error, as a stream: first the current state, then each change; nil means that nothing is shown. A slow follower
    /// gets only the latest state.
    public func presentations() -> AsyncStream<ErrorPresentation?> {
        follow { $0.first }
    }

    /// The ``waiting`` errors, as a stream: first the current state, then each change.
    public func waitingErrors() -> AsyncStream<[ErrorPresentation]> {
        follow { $0 }
    }

    private func follow<State: Sendable>(_ state: @escaping @Sendable ([ErrorPresentation]) -> State) -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        followers[UUID()] = { waiting in
            if case .terminated = continuation.yield(state(waiting)) { false } else { true }
        }
        continuation.yield(state(queue.waiting))
        return stream
    }

    private func publish() {
        let waiting = queue.waiting
        followers = followers.filter { $0.value(waiting) }
    }
}

// MARK: Answering

extension ErrorHandler {
    /// Closes a shown or waiting error without an action, and shows the next.
    public func dismiss(_ presentation: ErrorPresentation.ID) {
        queue.remove(presentation)
        publish()
    }

    /// Closes an error as the system's OK, Escape or a close button does: by its ``ErrorPresentation/closingOption``, if it has
    /// one.
    public func close(_ presentation: ErrorPresentation.ID) async {
        guard let option = queue[presentation]?.closingOption, queue[presentation]?.isRecovering == false else {
            return dismiss(presentation)
        }
        await choose(option.id, in: presentation)
    }

    /// Performs the action of one of an error's options, and closes the error if the action succeeds. Equal errors that are shown
    /// as one have an action each; these run concurrently.
    ///
    /// A failed action is logged and reported. The error is then shown again with ``ErrorPresentation/recoveryFailure``, for
    /// those of the equal errors whose action failed. A cancelled action changes nothing. While the action runs,
    /// ``ErrorPresentation/isRecovering`` is true and other errors may be shown.
    /// - Returns: Whether the error is closed. False if the error does not have the option, or while another of its options is
    ///   running.
    @discardableResult
    public func choose(
        _ option: ErrorRecoveryOption.ID, in presentation: ErrorPresentation.ID, file: String = #fileID,
        function: String = #function, line: Int = #line
    ) async -> Bool {
        guard let code = queue[presentation]?.code, let actions = queue.begin(option, in: presentation) else { return false }
        publish()
        let failures = await run(actions, code: code, option: option)
        if failures.isEmpty {
            dismiss(presentation)
            return true
        }
        let context = ErrorContext(action: "recover: \(option.rawValue)", file: file, function: function, line: line)
        var message: String?
        var occurrences: [ErrorOccurrence] = []
        for (_, error) in failures {
            let occurrence = log(error, context: context)
            if !occurrence.profile.isCancellation { message = message ?? occurrence.profile.message }
            occurrences.append(occurrence)
        }
        queue.end(option, in: presentation, failed: failures.map(\.place), failure: message)
        publish()
        for occurrence in occurrences { await report(occurrence) }
        return false
    }

    /// - Returns: The failures, by index into the actions.
    private func run(
        _ actions: [ErrorRecoveryOption.Action], code: String, option: ErrorRecoveryOption.ID
    ) async -> [(place: Int, error: any Error)] {
        var failures: [(place: Int, error: any Error)] = []
        let duration = await clock.measure(isolation: self) {
            failures = await withTaskGroup(of: (place: Int, error: any Error)?.self) { group in
                for (place, action) in actions.enumerated() {
                    group.addTask {
                        do { try await action() } catch { return (place, error) }
                        return nil
                    }
                }
                var failures: [(place: Int, error: any Error)] = []
                for await case let failure? in group { failures.append(failure) }
                return failures.sorted { $0.place < $1.place }
            }
        }
        metrics.recordRecovery(code: code, option: option, succeeded: failures.isEmpty, took: duration)
        return failures
    }

    private func recoverAutomatically(
        _ occurrence: ErrorOccurrence, _ actions: RecoveryActions
    ) async -> (isRecovered: Bool, failure: String?) {
        var outcome: (isRecovered: Bool, failure: (any Error)?) = (false, nil)
        let duration = await clock.measure(isolation: self) {
            outcome = await AutomaticRecovery.recover(occurrence, with: recoveries, actions: actions)
        }
        if outcome.isRecovered || outcome.failure != nil {
            metrics.recordRecovery(
                code: occurrence.profile.code, option: "automatic", succeeded: outcome.isRecovered, took: duration)
        }
        guard let failure = outcome.failure else { return (outcome.isRecovered, nil) }
        let place = occurrence.context
        let context = ErrorContext(
            action: "recover automatically", file: place.file, function: place.function, line: place.line)
        let failed = log(failure, context: context)
        await report(failed)
        return (outcome.isRecovered, failed.profile.isCancellation ? nil : failed.profile.message)
    }
}
