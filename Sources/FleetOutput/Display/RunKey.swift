/// What a person requests with a key during a run.
package enum RunKey: Sendable, Equatable {
    /// Enter: list the running hosts, and how long each has been running.
    case list
    /// `+`: run twice as many hosts at once.
    case more
    /// `-`: run half as many.
    case fewer
    /// `?`: show the keys.
    case help

    /// Nil for a key without a meaning.
    package init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): self = .list
        case UInt8(ascii: "+"), UInt8(ascii: "="): self = .more
        case UInt8(ascii: "-"): self = .fewer
        case UInt8(ascii: "?"): self = .help
        default: return nil
        }
    }

    /// The text that `?` shows.
    package static let helpText = """
        Enter  what runs, and since when
        +  -   twice, half as many hosts at once
        ?      these keys
        ^C     begin no more hosts; again: end the running commands; again: leave

        """
}
