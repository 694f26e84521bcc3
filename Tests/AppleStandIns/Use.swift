// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// How an app uses ErrorCoreUI: type-checked by scripts/check-ui together with the stand-ins.
import ErrorCore
import ErrorCoreUI
import SwiftUI

#if canImport(UIKit)
    import UIKit
#endif
#if canImport(AppKit)
    import AppKit
#endif

struct DocumentView: View {
    let errors: ErrorHandler
    @Environment(\.respondToError) private var respondToError

    var body: some View {
        Button("Save") {
            Task {
                do { throw AppError.agentBusy } catch { await respondToError(error, action: "save") }
            }
        }
        .respondToError { error, _ in AppError(error) == .agentBusy ? .retry : nil }
        .errorAlert(errors)
        .errorBanner(errors, coloring: .category)
    }
}

/// The lower-level modifier and views, over a state of the app's own.
struct OwnStateView: View {
    @State private var shown: ErrorPresentation?
    let binding: Binding<ErrorPresentation?>

    var body: some View {
        VStack {
            if let shown {
                ErrorFullScreenView(shown) { _ in }
                ErrorBannerView(shown, close: {}) { _ in }
            }
        }
        .errorAlert(binding) { option, presentation in _ = (option?.id, presentation.id) }
    }
}

#if canImport(UIKit)
    final class DocumentViewController: UIViewController, ErrorResponder {
        weak var parentResponder: (any ErrorResponder)?
        func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? { .cancel }
        func start(_ errors: ErrorHandler) -> Task<Void, Never> {
            let alerts = UIKitErrorPresenter(errors) { [weak self] in self }
            return Task { await alerts.follow() }
        }
    }
#endif
#if canImport(AppKit)
    final class DocumentWindow: NSWindow, ErrorResponder {
        weak var parentResponder: (any ErrorResponder)?
        func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? { .cancel }
        func start(_ errors: ErrorHandler) -> Task<Void, Never> {
            let alerts = AppKitErrorPresenter(errors) { [weak self] in self }
            return Task { await alerts.follow() }
        }
    }
#endif
