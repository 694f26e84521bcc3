internal import ErrorCore

/// A position in a chain of jump hosts.
public struct SSHHopEvidence: Sendable, Hashable, Codable {
    /// The number of the hop, counted from the client: 1 is the first jump host, `count` the destination.
    public var number: Int
    /// The number of hops, including the destination. It is 1 only for a host that was reached directly and asked for a stream to
    /// ``target``.
    public var count: Int
    /// The preceding hops, the nearest first, as `user@host:port`.
    public var via: [String]
    /// The target of the hop's connection, as `host:port`, if connecting to it failed.
    public var target: String?
    /// Whether an earlier hop refused a credential that another attempt would offer again.
    public var earlierHopRefused = false

    /// A position in a chain.
    public init(number: Int, count: Int, via: [String], target: String? = nil) {
        self.number = number
        self.count = count
        self.via = via
        self.target = target
    }

    /// Whether the hop is not the destination.
    public var isJumpHost: Bool { number < count }
}
