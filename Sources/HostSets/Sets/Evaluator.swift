/// Finds the hosts of an expression.
struct Evaluator {
    let sources: HostSources
    private(set) var notices: [String] = []
    /// What matched nothing, and whether anything did.
    private var nothing: [HostSetProblem] = []
    private var hasMatched = false
    /// Groups whose hosts are known already, and those being looked up, the outermost first.
    private var lookedUp: [GroupName: HostAccumulator] = [:]
    private var path: [GroupName] = []

    /// How deep groups may stand in groups.
    private static let maximumDepth = 64

    init(_ sources: HostSources) { self.sources = sources }

    /// The hosts of what a person wrote.
    mutating func resolve(_ expression: String) throws(HostSetProblem) -> [Host] {
        let hosts = try evaluate(Text(expression, usesInventory: sources.inventory != nil))
        if !hasMatched, hosts.isEmpty, let first = nothing.first { throw first }
        notices += nothing.map { "\($0.message)" }
        return hosts.hosts
    }

    /// The names in a group, as `@NAME` gives them; none if there is no such group.
    mutating func hosts(ofGroupNamed name: String) throws(HostSetProblem) -> [String] {
        var hosts = HostAccumulator()
        _ = try addGroup(name, Text("@" + name, usesInventory: sources.inventory != nil), to: &hosts)
        return hosts.hosts.map(\.description)
    }

    /// An expression, or the text of a group.
    private struct Text {
        var expression: String
        var bytes: [UInt8]
        var usesInventory: Bool
        /// The source whose groups need no name before them.
        var source: String?
        var location: HostSetProblem.Location?

        init(_ expression: String, usesInventory: Bool, source: String? = nil, location: HostSetProblem.Location? = nil) {
            self.expression = expression
            bytes = Array(expression.utf8)
            self.usesInventory = usesInventory
            self.source = source
            self.location = location
        }

        func problem(_ problem: RangeProblem, at start: Int = 0) -> HostSetProblem {
            place(HostSetProblem(problem.kind, problem.message, remedy: problem.remedy), at: start + problem.offset)
        }

        /// The problem with the place in this text, unless it has one of another text already.
        func place(_ problem: HostSetProblem, at offset: Int) -> HostSetProblem {
            guard problem.expression == nil, problem.location == nil else { return problem }
            var problem = problem
            problem.expression = expression
            problem.position = String(decoding: bytes[..<min(max(0, offset), bytes.count)], as: UTF8.self).count
            problem.location = location
            return problem
        }
    }

    private mutating func evaluate(_ text: Text) throws(HostSetProblem) -> HostAccumulator {
        let scanner = ExpressionScanner(bytes: text.bytes, readsRegularExpressions: text.usesInventory)
        var operands: [Operand] = []
        var patterns: AnsiblePatterns?
        do throws(RangeProblem) {
            patterns = text.usesInventory ? try AnsiblePatterns.read(scanner) : nil
            if patterns == nil { operands = try scanner.operands() }
        } catch {
            throw text.problem(error)
        }
        if let patterns { return try evaluate(patterns, text) }
        var hosts = HostAccumulator()
        for operand in operands {
            if operand.operation == .union {
                try add(operand.range, of: text, to: &hosts)
                continue
            }
            var others = HostAccumulator()
            try add(operand.range, of: text, to: &others)
            switch operand.operation {
            case .union: break
            case .difference: for host in others.hosts { hosts.remove(host.name) }
            case .intersection: try at(operand.range, text) { () throws(HostSetProblem) in try hosts.keep(others) }
            case .symmetricDifference:
                for host in others.hosts {
                    if hosts.contains(host.name) { hosts.remove(host.name) } else { try hosts.add(host) }
                }
            }
        }
        return hosts
    }

    private mutating func evaluate(_ patterns: AnsiblePatterns, _ text: Text) throws(HostSetProblem) -> HostAccumulator {
        var hosts = HostAccumulator()
        if !patterns.patterns.contains(where: { $0.sign == 0 }) { hosts = try knownHosts() }
        for pattern in patterns.ordered {
            if pattern.sign == 0 {
                try add(pattern.range, of: text, to: &hosts)
                continue
            }
            var others = HostAccumulator()
            // After a sign, a group goes before a host of the same name, as with Ansible.
            if let members = sources.inventory?.hosts(ofGroup: String(decoding: text.bytes[pattern.range], as: UTF8.self)) {
                hasMatched = true
                try at(pattern.range, text) { () throws(HostSetProblem) in try add(members, as: Host(name: ""), to: &others) }
            } else {
                try add(pattern.range, of: text, to: &others)
            }
            if pattern.sign == UInt8(ascii: "&") {
                try at(pattern.range, text) { () throws(HostSetProblem) in try hosts.keep(others) }
            } else {
                for host in others.hosts { hosts.remove(host.name) }
            }
        }
        return hosts
    }

    private func at(_ range: Range<Int>, _ text: Text, _ body: () throws(HostSetProblem) -> Void) throws(HostSetProblem) {
        do throws(HostSetProblem) { try body() } catch { throw text.place(error, at: range.lowerBound) }
    }

    // MARK: - One operand

    private mutating func add(_ range: Range<Int>, of text: Text, to hosts: inout HostAccumulator) throws(HostSetProblem) {
        let before = (nothing.count, hosts.count)
        do throws(HostSetProblem) {
            try addUnplaced(text.bytes[range], of: text, to: &hosts)
        } catch {
            throw text.place(error, at: range.lowerBound)
        }
        if nothing.count == before.0 { hasMatched = true }
        if nothing.count > before.0 { nothing[nothing.count - 1] = text.place(nothing[nothing.count - 1], at: range.lowerBound) }
    }

    private mutating func addUnplaced(
        _ bytes: ArraySlice<UInt8>, of text: Text, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) {
        if text.usesInventory, bytes.first == UInt8(ascii: "~") {
            return try addMatches(ofExpression: bytes, text, to: &hosts)
        }
        if let (base, positions) = try Positions.read(bytes, hasInventory: sources.inventory != nil, problem: text.problem) {
            return try add(positions, of: base, text, to: &hosts)
        }
        // An address in brackets, with a user before it perhaps, is one name.
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
        // One wildcard of several may match nothing; all of them together should match.
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

    /// Adds what stands at positions of a list: of a group or a wildcard's matches, as Ansible lists them with repetitions, or of
    /// what another pattern gives.
    private mutating func add(
        _ positions: Positions, of base: ArraySlice<UInt8>, _ text: Text, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) {
        let name = String(decoding: base, as: UTF8.self)
        var list: [Host]
        if text.usesInventory, let inventory = sources.inventory, let members = inventory.hosts(ofGroup: name) {
            list = members.map { Host(name: $0) }
        } else if text.usesInventory, let inventory = sources.inventory, Wildcard.isWildcard(name), !name.contains("["),
            sources.list == nil, sources.groups == nil || !sources.knowsHostsOfGroups
        {
            list = inventory.matches(of: Wildcard(name)).names.map { Host(name: $0) }
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

    private static func isBracketedAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = (bytes.lastIndex(of: UInt8(ascii: "@")) ?? bytes.startIndex - 1) + 1
        guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "["),
            let close = bytes[start...].firstIndex(of: UInt8(ascii: "]"))
        else { return false }
        return bytes[start..<close].contains(UInt8(ascii: ":"))
    }

    private mutating func addName(_ name: String, _ text: Text, to hosts: inout HostAccumulator) throws(HostSetProblem) {
        var unknown: [String] = []
        if let outcome = try addName(name, text, to: &hosts, &unknown) { nothing.append(outcome) }
        if !unknown.isEmpty { throw unknownProblem(unknown) }
    }

    /// Adds the host or hosts of a name without ranges. Returns what matched nothing.
    private mutating func addName(
        _ name: String, _ text: Text, to hosts: inout HostAccumulator, _ unknown: inout [String]
    ) throws(HostSetProblem) -> HostSetProblem? {
        let isPlain = HostName.plain(name) != nil
        let host = isPlain ? Host(name: name) : try Host.parseUnchecked(name)
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

    /// Refuses what cannot be a host, with a remedy where the reason is that Ansible's notation needs an inventory.
    private func checkName(_ name: String) throws(HostSetProblem) {
        do throws(HostSetProblem) {
            try HostName.check(name)
        } catch {
            var problem = error
            if sources.inventory == nil, name.hasPrefix("~") || name.contains(":") {
                problem.remedy = "Ansible's patterns need --inventory FILE."
            }
            throw problem
        }
    }

    private func add(_ names: [String], as login: Host, to hosts: inout HostAccumulator) throws(HostSetProblem) {
        for name in names {
            try HostName.check(name)
            try hosts.add(Host(name: name, user: login.user, port: login.port))
        }
    }

    private static func emptyGroup(_ name: String) -> HostSetProblem {
        HostSetProblem(.nothingMatches, "The group \(HostSetProblem.shown(name)) has no hosts.")
    }

    // MARK: - Names that are not known

    private var listedNames: [String] { sources.list?.map(\.name) ?? [] }

    private func isListed(_ name: String) -> Bool { sources.list?.contains { $0.name == name } ?? false }

    private func unknownProblem(_ names: [String]) -> HostSetProblem {
        let known = (sources.inventory?.hosts ?? []) + (sources.inventory?.groupNames ?? []) + listedNames
        let subject =
            names.count == 1
            ? "\(HostSetProblem.shown(names[0])) is neither a host nor a group of the inventory."
            : "\(names.count) names are not in the inventory: \(HostSetProblem.shown(NameFolder(names).folded()))."
        return HostSetProblem(
            .unknownHost, subject, nearest: NearestNames.of(names[0], among: known),
            remedy: "--allow-unknown takes names that the inventory does not have.")
    }

    // MARK: - Wildcards and regular expressions

    private mutating func addMatches(
        ofWildcard pattern: Host, _ text: Text, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) -> HostSetProblem? {
        var isMatched = false
        if text.usesInventory, let inventory = sources.inventory {
            let (names, hasGroup) = inventory.matches(of: Wildcard(pattern.name))
            try add(names, as: pattern, to: &hosts)
            isMatched = hasGroup || !names.isEmpty
        }
        let wildcard = Wildcard(pattern.name)
        for host in try knownHosts(source: text.source, includesInventory: false, joinsGroups: false).hosts
        where wildcard.matches(host.name) {
            isMatched = true
            try hosts.add(Host(name: host.name, user: pattern.user ?? host.user, port: pattern.port ?? host.port))
        }
        if isMatched { return nil }
        let hasSources = sources.inventory != nil || sources.groups != nil || sources.list != nil
        return HostSetProblem(
            .nothingMatches, "Nothing matches \(HostSetProblem.shown(pattern.name)).",
            nearest: nearest(toWildcard: pattern.name),
            remedy: hasSources ? nil : "Wildcards are matched against known names: --inventory, --groups or --hosts-file.")
    }

    private func nearest(toWildcard pattern: String) -> [String] {
        let stem = pattern.filter { $0 != "*" && $0 != "?" }
        return NearestNames.of(
            stem, among: (sources.inventory?.groupNames ?? []) + (sources.inventory?.hosts ?? []) + listedNames)
    }

    private mutating func addMatches(
        ofExpression bytes: ArraySlice<UInt8>, _ text: Text, to hosts: inout HostAccumulator
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
        let none = Host(name: "")
        let groups = inventory.groupNames.filter { expression.matches($0) }
        for group in groups { try add(inventory.hosts(ofGroup: group) ?? [], as: none, to: &hosts) }
        let names = inventory.hosts.filter { expression.matches($0) }
        try add(names, as: none, to: &hosts)
        if groups.isEmpty, names.isEmpty {
            nothing.append(HostSetProblem(.nothingMatches, "Nothing matches ~\(HostSetProblem.shown(pattern))."))
        }
    }

    /// All names that the sources know.
    mutating func knownHosts(
        source: String? = nil, includesInventory: Bool = true, joinsGroups: Bool = true
    ) throws(HostSetProblem) -> HostAccumulator {
        var hosts = HostAccumulator()
        if includesInventory, let inventory = sources.inventory { try add(inventory.allHosts, as: Host(name: ""), to: &hosts) }
        for host in sources.list ?? [] { try hosts.add(host) }
        if let groups = sources.groups, let name = source ?? (sources.knowsHostsOfGroups ? groups.defaultName : nil) {
            for host in try allHosts(ofSource: name, joinsGroups: joinsGroups).hosts { try hosts.add(host) }
        }
        return hosts
    }

    // MARK: - Groups

    /// Adds the hosts of a group: `web`, `SOURCE:web`, `*`, `SOURCE:*`, `@SOURCE`. Returns what matched nothing.
    private mutating func addGroup(
        _ name: String, _ text: Text, to hosts: inout HostAccumulator
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
            try add(members, as: Host(name: ""), to: &list)
            found = list
        } else if let sourceName = source ?? text.source ?? sources.groups?.defaultName, sourceName != Self.inventorySource {
            found = try self.hosts(of: GroupName(source: sourceName, group: group))
        }
        guard let found else { throw unknownGroup(group, source: source ?? text.source) }
        for host in found.hosts { try hosts.add(host) }
        return found.isEmpty ? Self.emptyGroup("@" + name) : nil
    }

    static let inventorySource = "inventory"

    private mutating func add(
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
        for name in names { try hosts.add(Host.parse(name)) }
        guard names.isEmpty else { return nil }
        let shown = HostSetProblem.shown(argument.map { "@\(source):\($0)" } ?? "@\(source)")
        return HostSetProblem(.nothingMatches, "\(shown) names no hosts.")
    }

    /// The names of a source's groups, which `nodeset` gives for `@@SOURCE`.
    private mutating func addGroupNames(
        ofSource name: String, _ text: Text, to hosts: inout HostAccumulator
    ) throws(HostSetProblem) -> HostSetProblem? {
        let source = try groupSource(name.isEmpty ? text.source ?? sources.groups?.defaultName ?? "" : name)
        let names = try source.groupNames()
        for name in names { try hosts.add(Host.parse(name)) }
        return names.isEmpty ? HostSetProblem(.nothingMatches, "The source \(HostSetProblem.shown(name)) has no groups.") : nil
    }

    private func groupSource(_ name: String) throws(HostSetProblem) -> GroupSource {
        if let source = sources.groups?.source(name) { return source }
        let known = sources.groups?.names ?? []
        let own = sources.providers.keys.sorted() + (sources.inventory == nil ? [] : [Self.inventorySource])
        let all = known + own
        throw HostSetProblem(
            .unknownGroup, "There is no source of groups \(HostSetProblem.shown(name)).",
            nearest: NearestNames.of(name, among: all),
            remedy: all.isEmpty
                ? "Groups come from --inventory, --groups or ClusterShell's groups.conf."
                : "There are \(all.joined(separator: ", ")).")
    }

    /// The hosts of a group of ClusterShell; nil if there is no such group.
    private mutating func hosts(of name: GroupName) throws(HostSetProblem) -> HostAccumulator? {
        if let known = lookedUp[name] { return known }
        if let start = path.firstIndex(of: name) {
            let circle = (path[start...] + [name]).map(\.description).joined(separator: " → ")
            throw HostSetProblem(.malformed, "The group \(name) contains itself: \(HostSetProblem.shown(circle)).")
        }
        if path.count >= Self.maximumDepth {
            throw HostSetProblem(.malformed, "Groups stand in each other more than \(Self.maximumDepth) deep at \(name).")
        }
        let source = try groupSource(name.source)
        guard let content = try source.content(of: name.group) else { return nil }
        path.append(name)
        defer { path.removeLast() }
        let hosts = try evaluate(content, source: name.source)
        lookedUp[name] = hosts
        return hosts
    }

    private mutating func evaluate(_ content: GroupContent, source: String) throws(HostSetProblem) -> HostAccumulator {
        let outer = (nothing, hasMatched)
        let hosts = try evaluate(Text(content.text, usesInventory: false, source: source, location: content.location))
        // What is empty within a group is the group's own affair.
        (nothing, hasMatched) = outer
        return hosts
    }

    /// All hosts of a source of groups.
    ///
    /// - Parameter joinsGroups: Whether the texts of the groups are read as one expression, as `nodeset` reads them for `@*`. For
    ///   wildcards it reads each by itself.
    private mutating func allHosts(ofSource name: String, joinsGroups: Bool) throws(HostSetProblem) -> HostAccumulator {
        if name == Self.inventorySource, let inventory = sources.inventory {
            var hosts = HostAccumulator()
            try add(inventory.allHosts, as: Host(name: ""), to: &hosts)
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

    private func unknownGroup(_ group: String, source: String?) -> HostSetProblem {
        let name = source ?? sources.groups?.defaultName
        let known =
            (source == nil ? sources.inventory?.groupNames ?? [] : [])
            + (name.flatMap { try? sources.groups?.source($0)?.groupNames() } ?? [])
            + (source == nil ? Array(sources.providers.keys) : [])
        let hasGroups = sources.inventory != nil || sources.groups != nil
        return HostSetProblem(
            .unknownGroup, "There is no group \(HostSetProblem.shown(source.map { "\($0):\(group)" } ?? group)).",
            nearest: NearestNames.of(group, among: known).map { "@" + (source.map { "\($0):" } ?? "") + $0 },
            remedy: hasGroups ? nil : "Groups come from --inventory, --groups or ClusterShell's groups.conf.")
    }
}

/// A group and its source.
struct GroupName: Hashable, CustomStringConvertible {
    var source: String
    var group: String
    var description: String { "@\(HostSetProblem.shown(source)):\(HostSetProblem.shown(group))" }
}
