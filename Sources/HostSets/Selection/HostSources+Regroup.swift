extension HostSources {
    /// The hosts in terms of groups, the largest first: `@db,@rack[1-2],web7`. Only groups all of whose hosts are there, and that
    /// have no host in common, are used; what remains is folded.
    ///
    /// - Throws: ``HostSetProblem`` if a group cannot be looked up.
    public func regrouped(_ set: HostSet) throws -> String {
        // A host with a user or port of its own is not what its group says.
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
