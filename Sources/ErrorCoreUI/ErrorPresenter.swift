public import ErrorCore
public import Observation

/// Decides which of a handler's errors a view shows, and passes on the answers: the model behind alerts and banners.
///
/// An error stays until it is answered. A more severe one that arrives meanwhile waits, so that no button changes under a finger.
/// An error that is dismissed elsewhere disappears. The SwiftUI modifiers and the UIKit and AppKit presenters use this model.
/// Your own views can use it as well:
/// ```swift
/// @State private var errors = ErrorPresenter(handler)
/// content.task { await errors.follow() }
/// ```
@MainActor @Observable
public final class ErrorPresenter {
    /// The form in which errors are shown.
    public enum Style: Sendable, Hashable {
        /// By a system alert, which closes when a button is tapped. An error whose recovery is running is not shown.
        case alert
        /// By a view that stays. An error whose recovery is running is shown with disabled buttons, if no other error waits.
        case banner
    }

    /// The error that is shown.
    public private(set) var shown: ErrorPresentation? {
        didSet { if shown?.id != oldValue?.id { onChange?(shown) } }
    }

    /// Called when the shown error changes, for presenters that do not use Observation; nil means that nothing is shown.
    @ObservationIgnored public var onChange: (@MainActor (ErrorPresentation?) -> Void)?

    @ObservationIgnored private let handler: ErrorHandler
    @ObservationIgnored private let style: Style
    @ObservationIgnored private var waiting: [ErrorPresentation] = []
    /// Answered errors that the handler is still processing.
    @ObservationIgnored private var answering: Set<ErrorPresentation.ID> = []
    /// Whether an alert is closing and the next has not been shown yet.
    @ObservationIgnored private var isChanging = false
    /// The errors whose alert the system closed without an answer.
    @ObservationIgnored private var hidden: Set<ErrorPresentation.ID> = []

    /// A presenter for a handler's errors. No error is shown before ``follow()`` is called.
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

    /// Answers an error with one of its options. It is synchronous, for places such as a button's action.
    ///
    /// - Parameters:
    ///   - presentation: The error that the button belongs to.
    ///   - option: The option. nil closes the error as the system's OK, Escape or a close button does: by its OK or Cancel
    ///     option, if one is bound.
    /// - Returns: Whether this closes the error. If the action fails, the error is shown again.
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

    /// Call this when the system has closed an alert, before or after its button's action. If no action follows in the same turn
    /// of the main actor, the error is closed.
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
            // Close this alert before showing the next: the system closes it on a tap, and shows no other until then.
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
