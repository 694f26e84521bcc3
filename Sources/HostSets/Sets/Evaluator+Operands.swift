/// Resolves one operand: a pattern with ranges, a name, or positions of a list.
extension Evaluator {
    mutating func add(_ range: Range<Int>, of text: EvaluatedText, to hosts: inout HostAccumulator) throws(HostSetProblem) {
        let before = (nothing.count, hosts.count)
        do throws(HostSetProblem) {
            try addUnplaced(text.bytes[range], of: text, to: &hosts)
        } catch {
            throw text.place(error, at: range.lowerBound)
        }
        if nothing.count == before.0 { hasMatched = true }
        if nothing.count > before.0 { nothing[nothing.count - 1] = text.place(nothing[nothing.count - 1], at: range.lowerBound) }
    }

    mutating func addUnplaced(
        _ bytes: ArraySlice<UInt8>, of text: EvaluatedText, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) {
        if text.usesInventory, bytes.first == UInt8(ascii: "~") {
            return try addMatches(ofExpression: bytes, text, to: &hosts)
        }
        if let (base, positions) = try HostSubscript.read(bytes, hasInventory: sources.inventory != nil, problem: text.problem) {
            return try add(positions, of: base, text, to: &hosts)
        }
        // An address in brackets, perhaps with a user before it, is one name.
        if Self.isBracketedAddress(bytes) {
            return try addName(String(decoding: bytes, as: UTF8.self), text, to: &hosts)
        }
        let pattern: NamePattern
        do throws(RangeProblem) {
            pattern = try NamePattern(bytes)
        } catch {
            throw text.problem(error, at: bytes.startIndex)
        }
        if let notice = pattern.notice { notices.append(notice) }
        let isGroup = bytes.first == UInt8(ascii: "@")
        // A single wildcard of several may match nothing, as long as one of them matches.
        var unmatched: HostSetProblem?
        var isMatched = false
        var unknown: [String] = []
        if pattern.count > 64 { hosts.reserve(Int(clamping: pattern.count)) }
        try pattern.forEachName { (name: String) throws(HostSetProblem) in
            let outcome =
                isGroup ? try addGroup(String(name.dropFirst()), text, to: &hosts) : try addName(name, text, to: &hosts, &unknown)
            if let outcome { unmatched = unmatched ?? outcome } else { isMatched = true }
        }
        if !unknown.isEmpty { throw unknownProblem(unknown) }
        if let unmatched, !isMatched { nothing.append(unmatched) }
    }

    /// Adds the hosts at positions of a list. The list is a group or a wildcard's matches, as Ansible lists them with
    /// repetitions, or the result of another pattern.
    mutating func add(
        _ positions: HostSubscript, of base: ArraySlice<UInt8>, _ text: EvaluatedText, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) {
        let name = String(decoding: base, as: UTF8.self)
        var list: [FleetHost]
        if text.usesInventory, let inventory = sources.inventory, let members = inventory.hosts(ofGroup: name) {
            list = members.map { FleetHost(name: $0) }
        } else if text.usesInventory, let inventory = sources.inventory, Wildcard.isWildcard(name), !name.contains("["),
            sources.list == nil, sources.groups == nil || !sources.knowsHostsOfGroups
        {
            list = inventory.matches(of: Wildcard(name)).names.map { FleetHost(name: $0) }
        } else {
            var all = HostAccumulator()
            try addUnplaced(base, of: text, to: &all)
            list = all.hosts
        }
        let chosen = positions.of(list)
        for host in chosen {
            try HostName.check(host.name)
            try hosts.add(host)
        }
        if chosen.isEmpty {
            nothing.append(
                HostSetProblem(
                    .nothingMatches, "No host stands at the positions of \(HostSetProblem.shown(name)), which has \(list.count).")
            )
        }
    }

    static func isBracketedAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = (bytes.lastIndex(of: UInt8(ascii: "@")) ?? bytes.startIndex - 1) + 1
        guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "["),
            let close = bytes[start...].firstIndex(of: UInt8(ascii: "]"))
        else { return false }
        return bytes[start..<close].contains(UInt8(ascii: ":"))
    }

    mutating func addName(_ name: String, _ text: EvaluatedText, to hosts: inout HostAccumulator) throws(HostSetProblem) {
        var unknown: [String] = []
        if let outcome = try addName(name, text, to: &hosts, &unknown) { nothing.append(outcome) }
        if !unknown.isEmpty { throw unknownProblem(unknown) }
    }

    /// Adds the host or hosts of a name without ranges. Returns the problem if nothing matched.
    mutating func addName(
        _ name: String, _ text: EvaluatedText, to hosts: inout HostAccumulator, _ unknown: inout [String]
    ) throws(HostSetProblem) -> HostSetProblem? {
        let isPlain = HostName.plain(name) != nil
        let host = isPlain ? FleetHost(name: name) : try FleetHost.parseUnchecked(name)
        if !isPlain, Wildcard.isWildcard(host.name) { return try addMatches(ofWildcard: host, text, to: &hosts) }
        guard text.usesInventory, let inventory = sources.inventory else {
            if !isPlain { try checkName(host.name) }
            try hosts.add(host)
            return nil
        }
        if inventory.has(host.name) {
            if !isPlain { try HostName.check(host.name) }
            try hosts.add(host)
        } else if let members = inventory.hosts(ofGroup: host.name) {
            try add(members, as: host, to: &hosts)
            if members.isEmpty { return Self.emptyGroup(host.name) }
        } else if sources.allowsUnknown || isListed(host.name) {
            if !isPlain { try checkName(host.name) }
            try hosts.add(host)
        } else {
            if !isPlain { try checkName(host.name) }
            unknown.append(host.name)
        }
        return nil
    }

    /// Refuses an invalid host name. If it is Ansible's notation, the remedy says that it needs an inventory.
    func checkName(_ name: String) throws(HostSetProblem) {
        do throws(HostSetProblem) {
            try HostName.check(name)
        } catch {
            guard sources.inventory == nil, name.hasPrefix("~") || name.contains(":") else { throw error }
            throw error.remedied(
                library: "Ansible's patterns need HostSources.inventory.",
                commandLine: "Ansible's patterns need --inventory FILE.")
        }
    }

    func add(_ names: [String], as login: FleetHost, to hosts: inout HostAccumulator) throws(HostSetProblem) {
        if names.count > 64 { hosts.reserve(names.count) }
        for name in names {
            try HostName.check(name)
            try hosts.add(FleetHost(name: name, user: login.user, port: login.port))
        }
    }

    static func emptyGroup(_ name: String) -> HostSetProblem {
        HostSetProblem(.nothingMatches, "The group \(HostSetProblem.shown(name)) has no hosts.")
    }
}
