/// The deadlines of a connection, in seconds. Those of a command are in ``CommandOptions``.
public struct Timeouts: Sendable, Hashable {
    /// For resolving the name; more than 0. Default 15.
    public var resolve: Double = 15
    /// From the first connect to the open channel, all jump hosts and authentication included, a person's typing excluded;
    /// more than 0. Default 15.
    public var connect: Double = 15

    /// The defaults.
    public init() {}
}
