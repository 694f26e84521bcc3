public import ErrorCore
public import Observation

/// Which of a handler's errors a view shows, and what becomes of the answers: the model behind alerts and banners.
///
/// An error stays until it is answered: a worse one that arrives meanwhile waits, so no button is swapped under a finger. An
/// error that is dismissed elsewhere goes. The SwiftUI modifiers and the UIKit and AppKit presenters use it; an app with views
/// of its own does as they do:
/// ```swift
/// @State private var errors = ErrorPresenter(handler)
/// content.task { await errors.follow() }
/// ```
@MainActor @Observable
public final class ErrorPresenter {
    /// How errors are shown.
    public enum Style: Sendable, Hashable {
        /// By a system's alert, which closes at the tap of a button: an error that is being recovered from is not shown.
        case alert
        /// By a view that stays: an error that is being recovered from is shown, its buttons disabled, if no other waits.
        case banner
    }

    /// The error that is shown.
    public private(set) var shown: ErrorPresentation? {
        didSet { if shown?.id != oldValue?.id { onChange?(shown) } }
    }

    /// Is called when another error is to be shown, or none: for presenters that do not observe.
    @ObservationIgnored public var onChange: (@MainActor (ErrorPresentation?) -> Void)?

    @ObservationIgnored private let handler: ErrorHandler
    @ObservationIgnored private let style: Style
    @ObservationIgnored private var waiting: [ErrorPresentation] = []
    /// Answered errors that the handler is still processing.
    @ObservationIgnored private var answering: Set<ErrorPresentation.ID> = []
    /// Whether one alert is being closed and the next has yet to be shown.
    @ObservationIgnored private var isChanging = false
    /// The errors whose alert the system closed without an answer.
    @ObservationIgnored private var hidden: Set<ErrorPresentation.ID> = []

    /// A presenter for the errors of a handler. Nothing is shown before it follows (``follow()``).
    public init(_ handler: ErrorHandler, style: Style = .alert) {
        self.handler = handler
        self.style = style
    }

    /// Shows the handler's errors until the task is cancelled.
    public func follow() async {
        for await waiting in await handler.waitingErrors() {
            self.waiting = waiting
            update()
        }
    }

    /// Answers an error with one of its options, from a synchronous place such as the action of a button.
    ///
    /// - Parameters:
    ///   - presentation: The error that the button belongs to.
    ///   - option: The option; nil closes the error, as the system's OK, Escape or a close button does: by its OK or Cancel if
    ///     one
    ///     is bound.
    /// - Returns: Whether that closes the error. If it fails, the error is shown again.
    @discardableResult
    public func answer(_ presentation: ErrorPresentation, with option: ErrorRecoveryOption.ID?) -> Task<Bool, Never> {
        guard answering.insert(presentation.id).inserted else { return Task { false } }
        hidden.remove(presentation.id)
        update()
        return Task { [self] in
            var isClosed = true
            if let option {
                isClosed = await handler.choose(option, in: presentation.id)
            } else {
                await handler.close(presentation.id)
            }
            waiting = await handler.waiting
            answering.remove(presentation.id)
            update()
            return isClosed
        }
    }

    /// To be called when the system has closed an alert, before or after the action of its button. If no action follows in the
    /// same turn of the main actor, the error is closed.
    public func alertDidClose(_ presentation: ErrorPresentation) {
        guard !answering.contains(presentation.id), waiting.contains(where: { $0.id == presentation.id }) else { return }
        hidden.insert(presentation.id)
        update()
        Task { [self] in
            if hidden.contains(presentation.id) { answer(presentation, with: nil) }
        }
    }

    private func update() {
        guard !isChanging else { return }
        func isAnswered(_ error: ErrorPresentation) -> Bool {
            error.isRecovering || answering.contains(error.id) || hidden.contains(error.id)
        }
        if let id = shown?.id, let same = waiting.first(where: { $0.id == id }), !isAnswered(same) {
            shown = same
            return
        }
        let next = waiting.first { !isAnswered($0) }
        if style == .banner {
            shown = next ?? waiting.first { $0.isRecovering && !hidden.contains($0.id) }
        } else if shown == nil || next == nil {
            shown = next
        } else {
            // An alert is closed before the next is shown: the system closes it at the tap, and takes none before it has.
            shown = nil
            isChanging = true
            Task { [self] in
                await Task.yield()
                isChanging = false
                update()
            }
        }
    }
}
