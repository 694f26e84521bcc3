internal import ErrorCore

/// A position in a chain of jump hosts.
public struct SSHHopEvidence: Sendable, Hashable, Codable {
    /// Which hop, counted from here: 1 is the first jump host, `count` the destination.
    public var number: Int
    /// How many hops there are, the destination included; 1 only where a host that was reached directly was asked for a stream
    /// to
    /// ``target``.
    public var count: Int
    /// The hops before it, the nearest first, as `user@host:port`.
    public var via: [String]
    /// What the hop was asked to connect to, as `host:port`, where that is what failed.
    public var target: String?
    /// Whether an earlier hop refused a credential that another attempt would offer there again.
    public var earlierHopRefused = false

    /// A position in a chain.
    public init(number: Int, count: Int, via: [String], target: String? = nil) {
        self.number = number
        self.count = count
        self.via = via
        self.target = target
    }

    /// Whether it is not the destination.
    public var isJumpHost: Bool { number < count }
}
