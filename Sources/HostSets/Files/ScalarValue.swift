/// What a single value of an inventory is for Python, with the text that `str` makes of it.
enum ScalarValue: Equatable {
    case text(String)
    /// A number or a boolean.
    case number(String)
    /// `None`.
    case nothing
    /// What has no text that could reach a host, by its kind: "a list".
    case other(String)
}
