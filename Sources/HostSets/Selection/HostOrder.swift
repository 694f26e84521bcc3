/// In which order hosts are taken.
public enum HostOrder: String, Sendable, CaseIterable {
    /// As the expression gives them.
    case given
    /// By name, numbers as numbers.
    case sorted
    /// At random.
    case shuffled = "shuffle"
}
