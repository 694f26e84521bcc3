extension HostSet {
    /// The hosts that are not in another set, whatever their users and ports.
    public func subtracting(_ other: HostSet) -> HostSet {
        let names = Set(other.names)
        return HostSet(unique: hosts.filter { !names.contains($0.name) })
    }

    /// The hosts in an order.
    ///
    /// - Parameter seed: Makes a shuffled order the same each time; nil for a new one.
    public func ordered(_ order: HostOrder, seed: UInt64? = nil) -> HostSet {
        switch order {
        case .given: return self
        case .sorted: return HostSet(unique: NameFolder(hosts.map(\.description)).order().map { hosts[$0] })
        case .shuffled:
            var generator = SelectionGenerator(seed: seed)
            return HostSet(unique: hosts.shuffled(using: &generator))
        }
    }

    /// Some of the hosts, chosen at random, in the order that they have here; all of them if there are not more.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - seed: Makes the choice the same each time; nil for a new one.
    public func picked(_ count: Int, seed: UInt64? = nil) -> HostSet {
        guard count < hosts.count else { return self }
        var generator = SelectionGenerator(seed: seed)
        // The choice does not depend on the order in which the hosts are given.
        let sorted = NameFolder(hosts.map(\.description)).order()
        let chosen = Set(sorted.shuffled(using: &generator).prefix(Swift.max(0, count)))
        return HostSet(unique: hosts.indices.filter(chosen.contains).map { hosts[$0] })
    }

    /// The hosts in so many parts, one after the other, whose sizes differ by one at most. There are fewer parts if there are fewer
    /// hosts, and no empty one.
    public func split(into count: Int) -> [HostSet] {
        guard count > 0 else { return hosts.isEmpty ? [] : [self] }
        let parts = Swift.min(count, hosts.count)
        var result: [HostSet] = []
        var start = 0
        for part in 0..<parts {
            let size = hosts.count / parts + (part < hosts.count % parts ? 1 : 0)
            result.append(HostSet(unique: Array(hosts[start..<start + size])))
            start += size
        }
        return result
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SelectionGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64?) { state = seed ?? UInt64.random(in: .min ... .max) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
