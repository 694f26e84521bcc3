/// Resolves wildcards and regular expressions against the known names.
extension Evaluator {
    mutating func addMatches(
        ofWildcard pattern: FleetHost, _ text: EvaluatedText, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) -> HostSetProblem? {
        var isMatched = false
        if text.usesInventory, let inventory = sources.inventory {
            let (names, hasGroup) = inventory.matches(of: Wildcard(pattern.name))
            try add(names, as: pattern, to: &hosts)
            isMatched = hasGroup || !names.isEmpty
        }
        let wildcard = Wildcard(pattern.name)
        for host in try candidates(source: text.source) where wildcard.matches(host.name) {
            isMatched = true
            try hosts.add(FleetHost(name: host.name, user: pattern.user ?? host.user, port: pattern.port ?? host.port))
        }
        if isMatched { return nil }
        let hasSources = sources.inventory != nil || sources.groups != nil || sources.list != nil
        let problem = HostSetProblem(
            .nothingMatches, "Nothing matches \(HostSetProblem.shown(pattern.name)).",
            nearest: nearest(toWildcard: pattern.name))
        if hasSources { return problem }
        return problem.remedied(
            library: "Wildcards are matched against known names: HostSources has an inventory, groups and a list.",
            commandLine: "Wildcards are matched against known names: --inventory, --groups or --hosts-file.")
    }

    func nearest(toWildcard pattern: String) -> [String] {
        let stem = pattern.filter { $0 != "*" && $0 != "?" }
        return NearestNames.of(
            stem, among: (sources.inventory?.groupNames ?? []) + (sources.inventory?.hosts ?? []) + listedNames)
    }

    mutating func addMatches(
        ofExpression bytes: ArraySlice<UInt8>, _ text: EvaluatedText, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) {
        let pattern = String(decoding: bytes.dropFirst(), as: UTF8.self)
        let expression: RegularExpression
        do throws(RegularExpressionProblem) {
            expression = try RegularExpression(pattern)
        } catch {
            let before = String(String.UnicodeScalarView(pattern.unicodeScalars.prefix(error.offset)))
            throw text.place(HostSetProblem(.syntax, error.message), at: bytes.startIndex + 1 + before.utf8.count)
        }
        guard let inventory = sources.inventory else { return }
        let none = FleetHost(name: "")
        let groups = inventory.groupNames.filter { expression.matches($0) }
        for group in groups { try add(inventory.hosts(ofGroup: group) ?? [], as: none, to: &hosts) }
        let names = inventory.hosts.filter { expression.matches($0) }
        try add(names, as: none, to: &hosts)
        if groups.isEmpty, names.isEmpty {
            nothing.append(HostSetProblem(.nothingMatches, "Nothing matches ~\(HostSetProblem.shown(pattern))."))
        }
    }

    /// The names that wildcards are matched against, besides the inventory: the hosts of the list and of a source of groups.
    private mutating func candidates(source: String?) throws(HostSetProblem) -> [FleetHost] {
        let listed = sources.list?.hosts ?? []
        guard let name = source ?? nameOfKnownSource else { return listed }
        let grouped = try allHosts(ofSource: name, joinsGroups: false).hosts
        if listed.isEmpty { return grouped }
        var hosts = HostAccumulator()
        for host in listed + grouped { try hosts.add(host) }
        return hosts.hosts
    }

    /// All names that the sources know.
    mutating func knownHosts() throws(HostSetProblem) -> HostAccumulator {
        var hosts = HostAccumulator()
        if let inventory = sources.inventory { try add(inventory.allHosts, as: FleetHost(name: ""), to: &hosts) }
        for host in sources.list?.hosts ?? [] { try hosts.add(host) }
        if let name = nameOfKnownSource {
            for host in try allHosts(ofSource: name, joinsGroups: true).hosts { try hosts.add(host) }
        }
        return hosts
    }

    /// The source of groups whose hosts count as known even if the source is not named.
    private var nameOfKnownSource: String? { sources.knowsHostsOfGroups ? sources.groups?.defaultName : nil }
}
