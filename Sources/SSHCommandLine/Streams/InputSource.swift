/// What the command reads.
enum InputSource: Equatable {
    /// Our standard input.
    case inherited
    /// Nothing: its input ends at once.
    case none
    /// A text of ours.
    case text(String)
    /// A file.
    case file(String)
}
