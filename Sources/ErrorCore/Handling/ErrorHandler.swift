public import Logging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where an app's errors go: each is logged, counted, passed to observers and reporters, recovered from where that is possible
/// without a person, and else shown.
///
/// Make one and inject it; there is no shared one. A view or a terminal follows ``presentations()`` and answers with
/// ``choose(_:in:file:function:line:)`` and ``close(_:)``. Of several errors the most severe is shown, the others wait their
/// turn; equal errors are shown as one, with their number.
public actor ErrorHandler {
    /// Gets every error, after it was logged.
    public typealias Observer = @Sendable (ErrorOccurrence) -> Void

    /// Identifies an observer, to stop it.
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
    /// Each takes what waits, and answers whether it still listens.
    private var followers: [UUID: @Sendable ([ErrorPresentation]) -> Bool] = [:]
    private var queue = PresentationQueue()

    /// A handler.
    ///
    /// - Parameters:
    ///   - logger: Where errors are logged.
    ///   - metrics: Where they are counted.
    ///   - reporters: Where their records go, in this order.
    ///   - recoveries: What is tried before a person is asked, in this order.
    ///   - redactor: What keeps secrets out of logs, metrics and reports.
    ///   - captureState: The state of the app that is written down with each error, such as the screen or the free memory.
    ///   - shouldPresent: Whether to show an error to the user. A cancellation is never shown, even if this is true.
    ///   - clock: The clock that measures recoveries.
    ///   - now: The time of an occurrence.
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

    /// Handles an error. Returns when the recoveries and the reporters are done, not when the person has answered.
    ///
    /// - Parameters:
    ///   - error: Any error.
    ///   - context: Where it happened; the caller's place if left out.
    ///   - actions: What can be done for its recovery options; those without an action are not shown.
    ///   - details: Facts shown with it.
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
        // The person sees it before a slow reporter has it.
        if !occurrence.profile.isCancellation, !occurrence.isRecovered, shouldPresent(occurrence) {
            var presentation = ErrorPresentation(occurrence.profile, actions: actions, details: details)
            presentation.recoveryFailure = recoveryFailure
            queue.add(presentation)
            publish()
        }
        await report(occurrence)
        return occurrence
    }

    /// Logs and counts an error and passes it to the observers, at once and from anywhere: for code that cannot wait. It is
    /// neither reported nor shown.
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
    /// Passes every error from now on to an observer.
    @discardableResult
    public func observe(_ observer: @escaping Observer) -> Observation {
        let observation = Observation()
        observers.add(observation.id, observer)
        return observation
    }

    /// Stops an observer.
    public func stop(_ observation: Observation) {
        observers.remove(observation.id)
    }

    /// The error that is shown now.
    public var current: ErrorPresentation? { queue.current }

    /// All errors that wait for an answer. The error on screen comes first.
    public var waiting: [ErrorPresentation] { queue.waiting }

    /// What is shown, from now on: the present state first, nil when there is nothing. Only the latest state is kept for
    /// a follower that is slow.
    public func presentations() -> AsyncStream<ErrorPresentation?> {
        follow { $0.first }
    }

    /// All errors that wait, from now on, as ``waiting``: the present state first.
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
    /// Closes an error that is shown or waits, without an action, and shows the next.
    public func dismiss(_ presentation: ErrorPresentation.ID) {
        queue.remove(presentation)
        publish()
    }

    /// Closes an error as a system's OK, Escape or a close button does: by its ``ErrorPresentation/closingOption`` if it has
    /// one.
    public func close(_ presentation: ErrorPresentation.ID) async {
        guard let option = queue[presentation]?.closingOption, queue[presentation]?.isRecovering == false else {
            return dismiss(presentation)
        }
        await choose(option.id, in: presentation)
    }

    /// Does what an option of an error that is shown does, and closes the error if it worked. For equal errors that are shown
    /// as one, it is done for each, at the same time.
    ///
    /// If it fails, that is logged and reported, and the error is shown again with what happened
    /// (``ErrorPresentation/recoveryFailure``), for those of equal errors for which it failed; if it was cancelled, the error
    /// stays as it is. Meanwhile the error has ``ErrorPresentation/isRecovering``, and others take its place.
    /// - Returns: Whether the error is closed. Nothing is done for an option that the error does not have, or while another
    ///   option of the same error is at work.
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

    /// - Returns: What failed, by its place among the actions.
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
