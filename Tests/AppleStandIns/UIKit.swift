// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of UIKit that ErrorCoreUI uses: see SwiftUI.swift here.

@MainActor open class UIResponder {
    public init() {}
}

@MainActor open class UIViewController: UIResponder {
    open var presentedViewController: UIViewController? { nil }
    open var presentingViewController: UIViewController? { nil }
    open var isBeingDismissed: Bool { false }
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor open class UIAlertAction {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }
    public convenience init(title: String?, style: UIAlertAction.Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil) {
        self.init()
    }
    public init() {}
}

@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable { case actionSheet, alert }
    public convenience init(title: String?, message: String?, preferredStyle: UIAlertController.Style) { self.init() }
    open func addAction(_ action: UIAlertAction) {}
    open var preferredAction: UIAlertAction?
}
