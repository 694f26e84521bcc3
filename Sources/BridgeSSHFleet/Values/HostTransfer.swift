/// What is to be copied to a host, or from it.
package struct HostTransfer: Sendable, Equatable {
    package enum Direction: String, Sendable {
        /// From here to every host.
        case copy
        /// From every host to a directory of its own here.
        case fetch
    }

    package let direction: Direction
    /// The sources as they were typed.
    package let sources: [String]
    /// Where they go; empty for where the host's server starts.
    package let target: String
}
