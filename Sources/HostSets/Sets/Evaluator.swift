/// Resolves an expression to its hosts.
struct Evaluator {
    let sources: HostSources
    var notices: [String] = []
    /// The operands that matched nothing, and whether any operand matched.
    var nothing: [HostSetProblem] = []
    var hasMatched = false
    /// The groups that are already resolved, and those in progress, outermost first.
    var lookedUp: [GroupName: HostAccumulator] = [:]
    var path: [GroupName] = []
    /// The names of the list; collected when first needed.
    var listed: Set<String>?

    /// The deepest nesting of groups.
    static let maximumDepth = 64

    init(_ sources: HostSources) { self.sources = sources }

    /// Evaluates an expression that the user wrote.
    mutating func resolve(_ expression: String) throws(HostSetProblem) -> [FleetHost] {
        let hosts = try evaluate(EvaluatedText(expression, usesInventory: sources.inventory != nil))
        if !hasMatched, hosts.isEmpty, let first = nothing.first { throw first }
        notices += nothing.map { "\($0.message)" }
        return hosts.hosts
    }

    /// The hosts of a group, as for `@NAME`; empty if the group does not exist.
    mutating func hosts(ofGroupNamed name: String) throws(HostSetProblem) -> [String] {
        var hosts = HostAccumulator()
        _ = try addGroup(name, EvaluatedText("@" + name, usesInventory: sources.inventory != nil), to: &hosts)
        return hosts.hosts.map(\.description)
    }

    mutating func evaluate(_ text: EvaluatedText) throws(HostSetProblem) -> HostAccumulator {
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
        if operands.count > 64 { hosts.reserve(operands.count) }
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

    mutating func evaluate(_ patterns: AnsiblePatterns, _ text: EvaluatedText) throws(HostSetProblem) -> HostAccumulator {
        var hosts = HostAccumulator()
        if !patterns.patterns.contains(where: { $0.sign == 0 }) { hosts = try knownHosts() }
        for pattern in patterns.ordered {
            if pattern.sign == 0 {
                try add(pattern.range, of: text, to: &hosts)
                continue
            }
            var others = HostAccumulator()
            // After a sign, a group takes precedence over a host of the same name, as in Ansible.
            if let members = sources.inventory?.hosts(ofGroup: String(decoding: text.bytes[pattern.range], as: UTF8.self)) {
                hasMatched = true
                try at(pattern.range, text) { () throws(HostSetProblem) in try add(members, as: FleetHost(name: ""), to: &others)
                }
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

    func at(_ range: Range<Int>, _ text: EvaluatedText, _ body: () throws(HostSetProblem) -> Void) throws(HostSetProblem) {
        do throws(HostSetProblem) { try body() } catch { throw text.place(error, at: range.lowerBound) }
    }
}

/// Names that the sources do not know.
extension Evaluator {
    var listedNames: [String] { sources.list?.names ?? [] }

    mutating func isListed(_ name: String) -> Bool {
        let names = listed ?? Set(listedNames)
        listed = names
        return names.contains(name)
    }

    func unknownProblem(_ names: [String]) -> HostSetProblem {
        let known = (sources.inventory?.hosts ?? []) + (sources.inventory?.groupNames ?? []) + listedNames
        let subject =
            names.count == 1
            ? "\(HostSetProblem.shown(names[0])) is neither a host nor a group of the inventory."
            : "\(names.count) names are not in the inventory: \(HostSetProblem.shown(NameFolder(names).folded()))."
        return HostSetProblem(
            .unknownHost, subject, nearest: NearestNames.of(names[0], among: known)
        ).remedied(
            library: "HostSources.allowsUnknown accepts names that the inventory does not have.",
            commandLine: "--allow-unknown takes names that the inventory does not have.")
    }
}

/// An expression, or the text of a group.
struct EvaluatedText {
    var expression: String
    var bytes: [UInt8]
    var usesInventory: Bool
    /// The source for groups that are named without one.
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

    /// The problem with its position in this text, unless it already has a position in another one.
    func place(_ problem: HostSetProblem, at offset: Int) -> HostSetProblem {
        guard problem.expression == nil, problem.location == nil else { return problem }
        var problem = problem
        problem.expression = expression
        problem.position = String(decoding: bytes[..<min(max(0, offset), bytes.count)], as: UTF8.self).count
        problem.location = location
        return problem
    }
}

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
                    .nothingMatches, "No host is at the positions of \(HostSetProblem.shown(name)), which has \(list.count).")
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
