public import Logging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where an app's errors go: each is logged, counted, told to observers and reporters, and put before the person if it
/// should be.
///
/// Make one and inject it; there is no shared one. A view or a terminal follows ``presentations()`` and answers with
/// ``choose(_:in:file:function:line:)`` and ``dismiss(_:)``. Of several errors the most severe is shown, the others wait their turn.
public actor ErrorHandler {
    /// Is told of every error, after it was logged.
    public typealias Observer = @Sendable (ErrorReport) -> Void

    /// What stops an observer.
    public struct Observation: Sendable, Hashable {
        fileprivate let id = UUID()
    }

    private let logger: Logger
    private let metrics: ErrorMetrics
    private let reporters: [any ErrorReporter]
    private let redactor: Redactor
    private let shouldPresent: @Sendable (ErrorReport) -> Bool
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private var observers: [(observation: Observation, observer: Observer)] = []
    private var followers: [UUID: AsyncStream<ErrorPresentation?>.Continuation] = [:]
    private var queue = PresentationQueue()
    private var recovering: UUID?

    /// A handler.
    ///
    /// - Parameters:
    ///   - logger: Where errors are logged.
    ///   - metrics: Where they are counted.
    ///   - reporters: Where their records go, in this order.
    ///   - redactor: What keeps secrets out of all of them.
    ///   - shouldPresent: Whether a person should see an error. A cancellation is never shown, whatever this says.
    ///   - clock: What recoveries are measured by.
    ///   - now: The time of a report.
    public init(
        logger: Logger = Logger(label: "errors"), metrics: ErrorMetrics = ErrorMetrics(), reporters: [any ErrorReporter] = [],
        redactor: Redactor = .standard, shouldPresent: @escaping @Sendable (ErrorReport) -> Bool = { _ in true },
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.logger = logger
        self.metrics = metrics
        self.reporters = reporters
        self.redactor = redactor
        self.shouldPresent = shouldPresent
        self.clock = clock
        self.now = now
    }

    /// Handles an error. Returns when the reporters have it, not when the person has answered.
    ///
    /// - Parameters:
    ///   - error: Any error.
    ///   - context: Where it happened; the caller's place if left out.
    ///   - actions: What can be done for its recovery options; those without an action are not shown.
    ///   - details: Facts shown with it.
    /// - Returns: The report.
    @discardableResult
    public func handle(
        _ error: any Error, context: ErrorContext? = nil, actions: RecoveryActions = RecoveryActions(),
        details: [ErrorPresentation.Detail] = [], file: String = #fileID, function: String = #function, line: Int = #line
    ) async -> ErrorReport {
        let report = await record(error, context: context ?? ErrorContext(file: file, function: function, line: line)) { report in
            guard !report.summary.isCancellation, shouldPresent(report) else { return }
            queue.add(ErrorPresentation(report.summary, actions: actions, details: details), pinned: recovering)
            showCurrent()
        }
        return report
    }

    private func record(
        _ error: any Error, context: ErrorContext, present: (ErrorReport) -> Void
    ) async -> ErrorReport {
        let report = ErrorReport(error, context: context, date: now(), redactor: redactor)
        let level = report.summary.isCancellation ? .debug : report.record.severity.logLevel
        logger.log(
            level: level, "\(report.record.message)", metadata: report.record.logMetadata, file: context.file,
            function: context.function, line: UInt(max(0, context.line)))
        metrics.count(report.record)
        for (_, observer) in observers { observer(report) }
        // The person sees it before a slow reporter has it.
        present(report)
        for reporter in reporters { await reporter.report(report.record) }
        return report
    }
}

extension ErrorHandler {
    /// Tells an observer of every error from now on.
    @discardableResult
    public func observe(_ observer: @escaping Observer) -> Observation {
        let observation = Observation()
        observers.append((observation, observer))
        return observation
    }

    /// Tells an observer no more.
    public func stop(_ observation: Observation) {
        observers.removeAll { $0.observation == observation }
    }

    /// The error that is shown now.
    public var current: ErrorPresentation? { queue.current }

    /// What is shown, from now on: the present state first, nil when there is nothing. Only the latest state is kept for
    /// a follower that is slow.
    public func presentations() -> AsyncStream<ErrorPresentation?> {
        let (stream, continuation) = AsyncStream.makeStream(of: ErrorPresentation?.self, bufferingPolicy: .bufferingNewest(1))
        followers[UUID()] = continuation
        continuation.yield(queue.current)
        return stream
    }

    /// Closes an error that is shown or waits, and shows the next.
    public func dismiss(_ presentation: ErrorPresentation.ID) {
        queue.remove(presentation)
        showCurrent()
    }

    /// Does what an option of an error that is shown does, and closes the error if it worked.
    ///
    /// If it fails, that is logged and reported, and the error is shown again with what happened
    /// (``ErrorPresentation/recoveryFailure``); if it was cancelled, the error stays as it is.
    /// - Returns: Whether the error is closed. Nothing is done for an option that the error does not have, or while another
    ///   option is at work.
    @discardableResult
    public func choose(
        _ option: ErrorRecoveryOption.ID, in presentation: ErrorPresentation.ID, file: String = #fileID,
        function: String = #function, line: Int = #line
    ) async -> Bool {
        guard recovering == nil, let shown = queue[presentation],
            let action = shown.options.first(where: { $0.id == option })?.action
        else { return false }
        recovering = presentation
        defer { recovering = nil }
        do {
            try await measure(shown.code, option, action)
            dismiss(presentation)
            return true
        } catch {
            let context = ErrorContext(action: "recover: \(option.rawValue)", file: file, function: function, line: line)
            _ = await record(error, context: context) { report in
                guard !report.summary.isCancellation else { return }
                queue.update(presentation) { $0.recoveryFailure = report.summary.message }
                showCurrent()
            }
            return false
        }
    }

    private func measure(
        _ code: String, _ option: ErrorRecoveryOption.ID, _ action: ErrorRecoveryOption.Action
    ) async throws {
        var failure: (any Error)?
        let duration = await clock.measure(isolation: self) {
            do { try await action() } catch { failure = error }
        }
        metrics.recordRecovery(code: code, option: option, succeeded: failure == nil, took: duration)
        if let failure { throw failure }
    }

    private func showCurrent() {
        for (id, follower) in followers {
            if case .terminated = follower.yield(queue.current) { followers[id] = nil }
        }
    }
}
