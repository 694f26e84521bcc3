extension HostSet {
    /// The hosts that are not in another set. Users and ports are ignored.
    public func subtracting(_ other: HostSet) -> HostSet {
        let names = Set(other.names)
        return HostSet(unique: hosts.filter { !names.contains($0.name) })
    }

    /// The hosts in another order.
    ///
    /// - Parameter seed: Makes a shuffled order reproducible; nil for a new order each time.
    public func ordered(_ order: HostOrder, seed: UInt64? = nil) -> HostSet {
        switch order {
        case .given: return self
        case .sorted: return HostSet(unique: NameFolder(hosts.map(\.description)).order().map { hosts[$0] })
        case .shuffled:
            var generator = SplitMix64(seed: seed ?? .random(in: .min ... .max))
            return HostSet(unique: hosts.shuffled(using: &generator))
        }
    }

    /// Some of the hosts, chosen at random, in their order in this set; all of them if there are no more than `count`.
    ///
    /// - Parameters:
    ///   - count: The number of hosts.
    ///   - seed: Makes the choice reproducible; nil for a new choice each time.
    public func picked(_ count: Int, seed: UInt64? = nil) -> HostSet {
        guard count < hosts.count else { return self }
        var generator = SplitMix64(seed: seed ?? .random(in: .min ... .max))
        // The choice must not depend on the order of the hosts.
        let sorted = NameFolder(hosts.map(\.description)).order()
        let chosen = Set(sorted.shuffled(using: &generator).prefix(Swift.max(0, count)))
        return HostSet(unique: hosts.indices.filter(chosen.contains).map { hosts[$0] })
    }

    /// Splits the hosts into consecutive parts whose sizes differ by at most one. If there are fewer hosts than `count`, there
    /// are fewer parts, and none is empty.
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

/// The order of hosts.
public enum HostOrder: String, Sendable, CaseIterable {
    /// The order of the expression.
    case given
    /// By name, with numbers compared as numbers.
    case sorted
    /// A random order.
    case shuffled = "shuffle"
}

extension HostSources {
    /// Expresses the hosts in terms of groups, the largest first: `@db,@rack[1-2],web7`. It uses only groups whose hosts are all
    /// in the set and that have no host in common; the remaining hosts are folded.
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

    /// The groups that can be named without a source.
    package func groupNames() throws(HostSetProblem) -> [String] {
        var names = inventory.map { $0.groupNames.filter { $0 != "ungrouped" } } ?? []
        if let groups, let name = groups.defaultName, let source = groups.source(name) { names += try source.groupNames() }
        return names.filter { providers[$0] == nil && !$0.contains(where: { "@,!&^*?[]:".contains($0) || $0.isWhitespace }) }
    }
}
