#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    public import ErrorCore

    /// Shows the errors of a handler as sheets on a window, or as modal alerts without one.
    /// ```swift
    /// let alerts = AppKitErrorPresenter(errors) { NSApplication.shared.mainWindow }
    /// let following = Task { await alerts.follow() }
    /// ```
    @MainActor
    public final class AppKitErrorPresenter {
        private let presenter: ErrorPresenter
        private let window: @MainActor () -> NSWindow?
        private var sheet: (window: NSWindow, alert: NSAlert)?

        /// A presenter; `window` returns the window on which to show an alert.
        public init(_ handler: ErrorHandler, on window: @escaping @MainActor () -> NSWindow?) {
            presenter = ErrorPresenter(handler)
            self.window = window
        }

        /// Shows the handler's errors until the task is cancelled.
        public func follow() async {
            presenter.onChange = { [weak self] shown in self?.show(shown) }
            await presenter.follow()
        }

        private func show(_ presentation: ErrorPresentation?) {
            // The error was answered elsewhere: close its sheet.
            if let sheet { sheet.window.endSheet(sheet.alert.window) }
            guard let presentation else { return }
            let content = ErrorAlertContent(presentation)
            let alert = NSAlert()
            alert.messageText = content.title
            alert.informativeText = content.message
            alert.alertStyle = presentation.severity.alertStyle
            for button in content.buttons {
                let added = alert.addButton(withTitle: button.title)
                added.hasDestructiveAction = button.role == .destructive
                // AppKit makes the first button the default, but the model decides.
                added.keyEquivalent = button.isDefault ? "\r" : button.role == .cancel ? "\u{1B}" : ""
            }
            guard let window = window() else { return answer(presentation, by: alert.runModal(), of: content) }
            sheet = (window, alert)
            Task {
                let response = await alert.beginSheetModal(for: window)
                if sheet?.alert === alert { sheet = nil }
                answer(presentation, by: response, of: content)
            }
        }

        private func answer(
            _ presentation: ErrorPresentation, by response: NSApplication.ModalResponse, of content: ErrorAlertContent
        ) {
            let index = response.rawValue - NSApplication.ModalResponse.alertFirstButtonReturn.rawValue
            let option = content.buttons.indices.contains(index) ? content.buttons[index].option : nil
            presenter.answer(presentation, with: option?.id)
        }
    }

    extension ErrorSeverity {
        fileprivate var alertStyle: NSAlert.Style {
            switch self {
            case .info: .informational
            case .warning, .error: .warning
            case .critical: .critical
            }
        }
    }
#endif
