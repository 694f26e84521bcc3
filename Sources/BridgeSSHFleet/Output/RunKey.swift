/// What a person asks for with a key while a run goes on.
package enum RunKey: Sendable, Equatable {
    /// Enter: what runs, and since when.
    case list
    /// `+`: twice as many hosts at once.
    case more
    /// `-`: half as many.
    case fewer
    /// `?`: the keys.
    case help

    /// Nil for a key that means nothing.
    package init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): self = .list
        case UInt8(ascii: "+"), UInt8(ascii: "="): self = .more
        case UInt8(ascii: "-"): self = .fewer
        case UInt8(ascii: "?"): self = .help
        default: return nil
        }
    }

    /// What `?` shows.
    package static let helpText = """
        Enter  what runs, and since when
        +  -   twice, half as many hosts at once
        ?      these keys
        ^C     begin no more hosts; again: end the running commands; again: leave

        """
}
