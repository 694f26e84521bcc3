/// The opened source of a command's standard input. Handed in.
package struct CommandInput: Sendable {
    /// The next piece; nil at the end, and after a cancellation. Nil if there is nothing to read.
    package let next: (@Sendable () async throws -> [UInt8]?)?
    /// Whether another attempt can read it from its beginning.
    package let isRepeatable: Bool
    /// Whether a person types it.
    package let isTerminal: Bool

    package init(next: (@Sendable () async throws -> [UInt8]?)?, isRepeatable: Bool, isTerminal: Bool) {
        self.next = next
        self.isRepeatable = isRepeatable
        self.isTerminal = isTerminal
    }

    /// Nothing to read.
    package static let none = CommandInput(next: nil, isRepeatable: true, isTerminal: false)
}
