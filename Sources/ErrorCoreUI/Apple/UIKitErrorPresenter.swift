#if canImport(UIKit) && !os(watchOS)
    public import ErrorCore
    public import UIKit

    /// Shows the errors of a handler as alerts over a view controller.
    /// ```swift
    /// let alerts = UIKitErrorPresenter(errors) { [weak window] in window?.rootViewController }
    /// let following = Task { await alerts.follow() }
    /// ```
    @MainActor
    public final class UIKitErrorPresenter {
        private let presenter: ErrorPresenter
        private let viewController: @MainActor () -> UIViewController?
        private weak var alert: UIAlertController?

        /// A presenter; `viewController` returns the view controller over which to show an alert.
        public init(_ handler: ErrorHandler, over viewController: @escaping @MainActor () -> UIViewController?) {
            presenter = ErrorPresenter(handler)
            self.viewController = viewController
        }

        /// Shows the handler's errors until the task is cancelled.
        public func follow() async {
            presenter.onChange = { [weak self] shown in self?.show(shown) }
            await presenter.follow()
        }

        private func show(_ presentation: ErrorPresentation?) {
            if let alert, alert.presentingViewController != nil {
                // The error was answered elsewhere: show the next one when its alert has closed.
                alert.dismiss(animated: true) { [weak self] in self?.present(presentation) }
            } else {
                present(presentation)
            }
        }

        private func present(_ presentation: ErrorPresentation?) {
            // Another error may have taken its place while an alert was closing.
            guard let presentation, presentation.id == presenter.shown?.id else { return }
            let content = ErrorAlertContent(presentation)
            let alert = UIAlertController(title: content.title, message: content.message, preferredStyle: .alert)
            for button in content.buttons {
                let action = UIAlertAction(title: button.title, style: button.role.actionStyle) { [presenter] _ in
                    presenter.answer(presentation, with: button.option?.id)
                }
                alert.addAction(action)
                if button.isDefault { alert.preferredAction = action }
            }
            self.alert = alert
            var top = viewController()
            while let next = top?.presentedViewController, !next.isBeingDismissed { top = next }
            top?.present(alert, animated: true, completion: nil)
        }
    }

    extension Optional<ErrorRecoveryOption.Role> {
        fileprivate var actionStyle: UIAlertAction.Style {
            switch self {
            case .cancel: .cancel
            case .destructive: .destructive
            case nil: .default
            }
        }
    }
#endif
