/// An Ansible inventory: hosts, their groups, and how they are reached.
public struct FleetInventory: Sendable {
    struct Group: Sendable {
        var name: String
        var hosts: [Int] = []
        var children: [Int] = []
        var parents: [Int] = []
        var depth = 0
        var variables = InventoryVariables()
        /// From `group_vars`.
        var fileVariables = InventoryVariables()
        /// Among groups of equal depth, the group with the highest priority wins.
        var priority = 1
    }

    struct Member: Sendable {
        var name: String
        var groups: [Int] = []
        var variables = InventoryVariables()
        /// From `host_vars`.
        var fileVariables = InventoryVariables()
    }

    private var members: [Member] = []
    private var memberPlaces: [String: Int] = [:]
    /// The number of names that ranges have been expanded to.
    private var written = 0
    private(set) var groups: [Group] = []
    private var groupPlaces: [String: Int] = [:]
    /// Warnings for the user: parts that were skipped because Ansible skips them, too.
    public internal(set) var notices: [String] = []

    static let all = 0
    static let ungrouped = 1

    init() {
        addGroup("all")
        addGroup("ungrouped")
        groups[Self.all].children = [Self.ungrouped]
        groups[Self.ungrouped].parents = [Self.all]
    }

    // MARK: - What it knows

    /// The names of the hosts, in the order in which the inventory lists them.
    public var hosts: [String] { members.map(\.name) }

    /// The names of the groups, with `all` and `ungrouped` first.
    public var groupNames: [String] { groups.map(\.name) }

    func has(_ host: String) -> Bool { memberPlaces[host] != nil }

    /// The hosts of a group and of its subgroups, each once; nil if the group does not exist.
    public func hosts(ofGroup name: String) -> [String]? {
        guard let place = groupPlaces[name] else { return nil }
        var seenGroups = [Bool](repeating: false, count: groups.count)
        var seenHosts = [Bool](repeating: false, count: members.count)
        var pending = [place]
        var next = 0
        var result: [String] = []
        seenGroups[place] = true
        while next < pending.count {
            let group = groups[pending[next]]
            next += 1
            for host in group.hosts where !seenHosts[host] {
                seenHosts[host] = true
                result.append(members[host].name)
            }
            for child in group.children where !seenGroups[child] {
                seenGroups[child] = true
                pending.append(child)
            }
        }
        return result
    }

    /// The hosts of all matching groups, then all matching hosts, with repetitions, as Ansible lists them; and whether a group
    /// matched.
    func matches(of wildcard: Wildcard) -> (names: [String], hasGroup: Bool) {
        let matching = groupNames.filter { wildcard.matches($0) }
        return (matching.flatMap { hosts(ofGroup: $0) ?? [] } + hosts.filter { wildcard.matches($0) }, !matching.isEmpty)
    }

    /// All hosts in the order of the group `all`.
    var allHosts: [String] { hosts(ofGroup: "all") ?? [] }

    /// The direct subgroups of a group.
    func children(ofGroup name: String) -> [String] {
        groupPlaces[name].map { groups[$0].children.map { groups[$0].name } } ?? []
    }

    /// How a host is reached; nil if the inventory does not contain it.
    ///
    /// - Throws: ``HostSetProblem`` if a value is encrypted, a template or malformed.
    public func variables(of host: String) throws -> HostVariables? {
        guard let place = memberPlaces[host] else { return nil }
        let member = members[place]
        // Skip groups without variables; most have none.
        let order = ancestors(of: member.groups).filter {
            $0 != Self.all && !(groups[$0].variables.isEmpty && groups[$0].fileVariables.isEmpty)
        }.map { groups[$0] }.sorted { left, right in
            if left.depth != right.depth { return left.depth < right.depth }
            let (one, other) = (left.priority, right.priority)
            return one != other ? one < other : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        var variables = groups[Self.all].variables
        for group in order { variables.merge(group.variables) }
        variables.merge(groups[Self.all].fileVariables)
        for group in order { variables.merge(group.fileVariables) }
        variables.merge(member.variables)
        variables.merge(member.fileVariables)
        return try HostVariables(variables, host: host)
    }

    private func ancestors(of start: [Int]) -> [Int] {
        var seen = Set(start)
        var pending = start
        while let group = pending.popLast() {
            for parent in groups[group].parents where seen.insert(parent).inserted { pending.append(parent) }
        }
        return Array(seen)
    }

    // MARK: - Building

    /// The group with a name; created if it is missing.
    @discardableResult
    mutating func addGroup(_ name: String) -> Int {
        if let place = groupPlaces[name] { return place }
        groupPlaces[name] = groups.count
        groups.append(Group(name: name))
        return groups.count - 1
    }

    /// Reserves capacity for this many more hosts.
    mutating func reserve(_ count: Int) {
        memberPlaces.reserveCapacity(min(members.count + count, Int(NumberRange.maximumCount)))
    }

    func place(ofHost name: String) -> Int? { memberPlaces[name] }

    func group(_ name: String) -> Int? { groupPlaces[name] }

    /// Limits the names from all ranges together. The limit on hosts does not bound them, because many groups may repeat the same
    /// hosts, and expanding each short line could take a second.
    mutating func count(_ pattern: HostPattern, _ location: HostSetProblem.Location) throws(HostSetProblem) {
        written += pattern.names.count
        guard written > 10 * Int(NumberRange.maximumCount) else { return }
        throw HostSetProblem(
            .tooMany,
            "The ranges of the inventory have more than \(NumberRange.grouped(10 * NumberRange.maximumCount)) names in all.",
            location: location)
    }

    /// Adds a host to a group; the host is created if it is missing.
    @discardableResult
    mutating func addHost(_ name: String, to group: Int, port: String? = nil, _ location: HostSetProblem.Location)
        throws(HostSetProblem) -> Int
    {
        let place: Int
        if let known = memberPlaces[name] {
            place = known
        } else {
            if name.isEmpty { throw HostSetProblem(.malformed, "A host's name is empty.", location: location) }
            if name.utf8.count > HostName.maximumLength { throw .nameTooLong(name, location) }
            if members.count >= NumberRange.maximumCount {
                throw HostSetProblem(
                    .tooMany, "The inventory has more than \(NumberRange.grouped(NumberRange.maximumCount)) hosts.",
                    location: location)
            }
            place = members.count
            memberPlaces[name] = place
            members.append(Member(name: name))
            if let port { members[place].variables.set("ansible_port", InventoryValue(content: .text(port), location: location)) }
        }
        if !members[place].groups.contains(group) {
            members[place].groups.append(group)
            groups[group].hosts.append(place)
        }
        return place
    }

    /// Sets a variable of a host, or of the group with the same name if there is one, as Ansible does.
    mutating func set(_ name: String, _ value: InventoryValue, ofHost place: Int) throws(HostSetProblem) {
        if let group = groupPlaces[members[place].name] {
            try set(name, value, ofGroup: group)
        } else {
            members[place].variables.set(name, value)
        }
    }

    mutating func set(_ name: String, _ value: InventoryValue, ofGroup place: Int) throws(HostSetProblem) {
        if name == InventoryVariables.priority {
            groups[place].priority = try value.priority(of: groups[place].name)
        } else {
            groups[place].variables.set(name, value)
        }
    }

    mutating func setFileVariables(ofHost name: String, _ variables: InventoryVariables) {
        if let place = memberPlaces[name] { members[place].fileVariables.merge(variables) }
    }

    mutating func setFileVariables(ofGroup name: String, _ variables: InventoryVariables) {
        if let place = groupPlaces[name] { groups[place].fileVariables.merge(variables) }
    }

    /// Makes a group a child of another.
    mutating func addChild(_ child: Int, to parent: Int, _ location: HostSetProblem.Location?) throws(HostSetProblem) {
        // Search the shorter of the two lists.
        let isKnown =
            groups[child].parents.count < groups[parent].children.count
            ? groups[child].parents.contains(parent) : groups[parent].children.contains(child)
        if isKnown { return }
        if child == parent || isAncestor(child, of: parent) {
            throw HostSetProblem(
                .malformed,
                "The group \(HostSetProblem.shown(groups[child].name)) would contain itself: it is to be a child of "
                    + "\(HostSetProblem.shown(groups[parent].name)).", location: location)
        }
        groups[parent].children.append(child)
        groups[child].parents.append(parent)
    }

    private func isAncestor(_ group: Int, of other: Int) -> Bool {
        // Fast path: usually the child has no children yet, or the parent has no parents.
        if groups[group].children.isEmpty || groups[other].parents.isEmpty { return false }
        var isSeen = [Bool](repeating: false, count: groups.count)
        var pending = groups[other].parents
        while let next = pending.popLast() {
            if next == group { return true }
            if isSeen[next] { continue }
            isSeen[next] = true
            pending += groups[next].parents
        }
        return false
    }

    /// Finds each group's greatest distance from `all`, by which Ansible orders variables.
    private mutating func findDepths() {
        var missing = groups.map(\.parents.count)
        var pending = groups.indices.filter { missing[$0] == 0 }
        for group in groups.indices { groups[group].depth = 0 }
        while let group = pending.popLast() {
            for child in groups[group].children {
                groups[child].depth = max(groups[child].depth, groups[group].depth + 1)
                missing[child] -= 1
                if missing[child] == 0 { pending.append(child) }
            }
        }
    }

    /// Completes the inventory: every group is below `all`, and every host without another group is in `ungrouped`.
    mutating func reconcile() throws(HostSetProblem) {
        for group in groups.indices where group != Self.all && groups[group].parents.isEmpty {
            try addChild(group, to: Self.all, nil)
        }
        let isUngroupedBelowAnother = groups[Self.ungrouped].parents.contains { $0 != Self.all }
        var isChanged = false
        for place in members.indices {
            let own = members[place].groups
            if own.contains(Self.ungrouped) {
                if isUngroupedBelowAnother || own.contains(where: { $0 != Self.ungrouped && $0 != Self.all }) {
                    members[place].groups.removeAll { $0 == Self.ungrouped }
                    isChanged = true
                }
            } else if own.isEmpty || own == [Self.all] {
                if let group = groupPlaces[members[place].name] {
                    // Ansible looks up the name among the groups first.
                    try addChild(group, to: Self.ungrouped, nil)
                } else {
                    members[place].groups.append(Self.ungrouped)
                    groups[Self.ungrouped].hosts.append(place)
                }
            }
        }
        if isChanged { groups[Self.ungrouped].hosts.removeAll { !members[$0].groups.contains(Self.ungrouped) } }
        findDepths()
    }
}
