import ErrorCore

/// Makes text from a host safe to show on a terminal.
package enum VisibleText {
    /// A name within one of bridge-ssh's own lines.
    package static func name(_ name: String) -> String { TerminalText.inert(name, limit: 1024) }

    /// Folded names, without a length limit.
    package static func names(_ names: String) -> String { TerminalText.inert(names, limit: .max) }
}
