extension HostSet {
    /// The hosts that are not in another set. Users and ports are ignored.
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

    /// The hosts in so many parts, one after the other, whose sizes differ by one at most. There are fewer parts if there are
    /// fewer hosts, and no empty one.
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

/// In which order hosts are taken.
public enum HostOrder: String, Sendable, CaseIterable {
    /// As the expression gives them.
    case given
    /// By name, numbers as numbers.
    case sorted
    /// At random.
    case shuffled = "shuffle"
}

extension HostSources {
    /// The hosts in terms of groups, the largest first: `@db,@rack[1-2],web7`. Only groups all of whose hosts are there, and
    /// that have no host in common, are used; what remains is folded.
    ///
    /// - Throws: ``HostSetProblem`` if a group cannot be looked up.
    public func regrouped(_ set: HostSet) throws -> String {
        // A host with its own user or port differs from the group's entry.
        var rest = Set(set.hosts.filter { $0.user == nil && $0.port == nil }.map(\.name))
        var candidates: [(name: String, hosts: [String])] = []
        var seen = Set<String>()
        for name in try groupNames() where seen.insert(name).inserted {
            var evaluator = Evaluator(self)
            let hosts = try evaluator.hosts(ofGroupNamed: name)
            if !hosts.isEmpty, hosts.allSatisfy(rest.contains) { candidates.append((name, hosts)) }
        }
        candidates.sort {
            $0.hosts.count != $1.hosts.count
                ? $0.hosts.count > $1.hosts.count : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        var groups: [String] = []
        for candidate in candidates where candidate.hosts.allSatisfy(rest.contains) {
            groups.append("@" + candidate.name)
            rest.subtract(candidate.hosts)
        }
        let remaining = HostSet(unique: set.hosts.filter { $0.user != nil || $0.port != nil || rest.contains($0.name) })
        return [NameFolder(groups).folded(), remaining.folded].filter { !$0.isEmpty }.joined(separator: ",")
    }

    /// Groups that can be named without a source.
    package func groupNames() throws(HostSetProblem) -> [String] {
        var names = inventory.map { $0.groupNames.filter { $0 != "ungrouped" } } ?? []
        if let groups, let name = groups.defaultName, let source = groups.source(name) { names += try source.groupNames() }
        return names.filter { providers[$0] == nil && !$0.contains(where: { "@,!&^*?[]:".contains($0) || $0.isWhitespace }) }
    }
}
