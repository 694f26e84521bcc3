// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of AppKit that ErrorCoreUI uses: see SwiftUI.swift here.

@MainActor open class NSResponder {
    public init() {}
}

@MainActor open class NSWindow: NSResponder {
    open func endSheet(_ sheetWindow: NSWindow) {}
}

@MainActor open class NSApplication: NSResponder {
    public struct ModalResponse: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let alertFirstButtonReturn = ModalResponse(rawValue: 1000)
    }
    public static let shared = NSApplication()
    open var mainWindow: NSWindow? { nil }
}

@MainActor open class NSButton: NSResponder {
    open var hasDestructiveAction = false
    open var keyEquivalent = ""
}

@MainActor open class NSAlert {
    public enum Style: UInt, Sendable { case warning, informational, critical }
    public init() {}
    open var messageText = ""
    open var informativeText = ""
    open var alertStyle = Style.warning
    open var window: NSWindow { NSWindow() }
    open func addButton(withTitle title: String) -> NSButton { NSButton() }
    open func runModal() -> NSApplication.ModalResponse { .alertFirstButtonReturn }
    open func beginSheetModal(for sheetWindow: NSWindow) async -> NSApplication.ModalResponse { .alertFirstButtonReturn }
}
