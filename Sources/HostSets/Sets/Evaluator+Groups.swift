/// Resolves groups of ClusterShell, of the inventory and of other sources.
extension Evaluator {
    /// Adds the hosts of a group: `web`, `SOURCE:web`, `*`, `SOURCE:*`, `@SOURCE`. Returns what matched nothing.
    mutating func addGroup(
        _ name: String, _ text: EvaluatedText, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) -> HostSetProblem? {
        if name.isEmpty { throw HostSetProblem(.syntax, "A group's name is missing after the @.") }
        if name.hasPrefix("@") { return try addGroupNames(ofSource: String(name.dropFirst()), text, to: &hosts) }
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let source = parts.count == 2 ? parts[0] : nil
        let group = parts[parts.count - 1]
        if let provider = sources.providers[parts[0]], text.source == nil || source != nil {
            return try add(from: provider, named: parts[0], argument: parts.count == 2 ? group : nil, to: &hosts)
        }
        var found: HostAccumulator?
        if group == "*" {
            if let name = source ?? text.source {
                found = try allHosts(ofSource: name, joinsGroups: true)
            } else {
                found = try knownHosts()
            }
        } else if let inventory = sources.inventory, source == Self.inventorySource || (source == nil && text.source == nil),
            let members = inventory.hosts(ofGroup: group)
        {
            var list = HostAccumulator()
            try add(members, as: FleetHost(name: ""), to: &list)
            found = list
        } else if let sourceName = source ?? text.source ?? sources.groups?.defaultName, sourceName != Self.inventorySource {
            found = try self.hosts(of: GroupName(source: sourceName, group: group))
        }
        guard let found else { throw unknownGroup(group, source: source ?? text.source) }
        for host in found.hosts { try hosts.add(host) }
        return found.isEmpty ? Self.emptyGroup("@" + name) : nil
    }

    static let inventorySource = "inventory"

    mutating func add(
        from provider: HostSources.Provider, named source: String, argument: String?, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) -> HostSetProblem? {
        let names: [String]
        do {
            names = try provider(argument)
        } catch let problem as HostSetProblem {
            throw problem
        } catch {
            throw HostSetProblem(.programFailed, "The hosts of @\(HostSetProblem.shown(source)) cannot be found: \(error).")
        }
        for name in names { try hosts.add(FleetHost.parse(name)) }
        guard names.isEmpty else { return nil }
        let shown = HostSetProblem.shown(argument.map { "@\(source):\($0)" } ?? "@\(source)")
        return HostSetProblem(.nothingMatches, "\(shown) names no hosts.")
    }

    /// Adds the names of a source's groups, as `nodeset` does for `@@SOURCE`.
    mutating func addGroupNames(
        ofSource name: String, _ text: EvaluatedText, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) -> HostSetProblem? {
        let source = try groupSource(name.isEmpty ? text.source ?? sources.groups?.defaultName ?? "" : name)
        guard source.hasList else {
            throw HostSetProblem(
                .unsupported, "The source \(HostSetProblem.shown(source.name)) cannot say which groups there are.",
                remedy: "Its section in groups.conf needs \"list\".")
        }
        let names = try source.groupNames()
        for name in names { try hosts.add(FleetHost.parse(name)) }
        return names.isEmpty ? HostSetProblem(.nothingMatches, "The source \(HostSetProblem.shown(name)) has no groups.") : nil
    }

    func groupSource(_ name: String) throws(HostSetProblem) -> GroupSource {
        if let source = sources.groups?.source(name) { return source }
        let known = sources.groups?.names ?? []
        let own = sources.providers.keys.sorted() + (sources.inventory == nil ? [] : [Self.inventorySource])
        let all = known + own
        let problem = HostSetProblem(
            .unknownGroup, "There is no source of groups \(HostSetProblem.shown(name)).",
            nearest: NearestNames.of(name, among: all), remedy: "There are \(all.joined(separator: ", ")).")
        throw all.isEmpty ? problem.withoutSources() : problem
    }

    /// The hosts of a ClusterShell group; nil if the group does not exist.
    mutating func hosts(of name: GroupName) throws(HostSetProblem) -> HostAccumulator? {
        if let known = lookedUp[name] { return known }
        if let start = path.firstIndex(of: name) {
            let circle = (path[start...] + [name]).map(\.description).joined(separator: " → ")
            throw HostSetProblem(.malformed, "The group \(name) contains itself: \(HostSetProblem.shown(circle)).")
        }
        if path.count >= Self.maximumDepth {
            throw HostSetProblem(.malformed, "Groups are nested more than \(Self.maximumDepth) deep at \(name).")
        }
        let source = try groupSource(name.source)
        guard let content = try source.content(of: name.group) else { return nil }
        path.append(name)
        defer { path.removeLast() }
        let hosts = try evaluate(content, source: name.source)
        lookedUp[name] = hosts
        return hosts
    }

    mutating func evaluate(_ content: GroupContent, source: String) throws(HostSetProblem) -> HostAccumulator {
        let outer = (nothing, hasMatched)
        let hosts = try evaluate(EvaluatedText(content.text, usesInventory: false, source: source, location: content.location))
        // An empty operand inside a group is not reported.
        (nothing, hasMatched) = outer
        return hosts
    }

    /// All hosts of a source of groups.
    ///
    /// - Parameter joinsGroups: Whether the texts of the groups are read as one expression, as `nodeset` reads them for `@*`.
    ///   For wildcards, `nodeset` reads each text by itself.
    mutating func allHosts(ofSource name: String, joinsGroups: Bool) throws(HostSetProblem) -> HostAccumulator {
        if name == Self.inventorySource, let inventory = sources.inventory {
            var hosts = HostAccumulator()
            try add(inventory.allHosts, as: FleetHost(name: ""), to: &hosts)
            return hosts
        }
        let key = GroupName(source: name, group: joinsGroups ? "*" : "?")
        if let known = lookedUp[key] { return known }
        if path.contains(where: { $0.source == name && ($0.group == "*" || $0.group == "?") }) {
            throw HostSetProblem(.malformed, "All hosts of \(HostSetProblem.shown(name)) are asked for while they are looked up.")
        }
        let source = try groupSource(name)
        path.append(key)
        defer { path.removeLast() }
        var words: [String] = []
        if let content = try source.contentOfAll() {
            words = content.words
        } else {
            let names = try source.groupNames()
            for place in NameFolder(names).order() { words += try source.content(of: names[place])?.words ?? [] }
            if joinsGroups, words.contains(where: { $0.utf8.contains { "!&^".utf8.contains($0) } }) {
                notices.append(
                    "The source \(HostSetProblem.shown(name)) has no group all, and operators in its groups change what @* is, as "
                        + "with nodeset.")
            }
        }
        var hosts = HostAccumulator()
        for text in joinsGroups ? [words.joined(separator: ",")] : words {
            for host in try evaluate(GroupContent(text: text), source: name).hosts { try hosts.add(host) }
        }
        lookedUp[key] = hosts
        return hosts
    }

    func unknownGroup(_ group: String, source: String?) -> HostSetProblem {
        let name = source ?? sources.groups?.defaultName
        let known =
            (source == nil ? sources.inventory?.groupNames ?? [] : [])
            + (name.flatMap { try? sources.groups?.source($0)?.groupNames() } ?? [])
            + (source == nil ? Array(sources.providers.keys) : [])
        let hasGroups = sources.inventory != nil || sources.groups != nil
        let problem = HostSetProblem(
            .unknownGroup, "There is no group \(HostSetProblem.shown(source.map { "\($0):\(group)" } ?? group)).",
            nearest: NearestNames.of(group, among: known).map { "@" + (source.map { "\($0):" } ?? "") + $0 })
        return hasGroups ? problem : problem.withoutSources()
    }
}
