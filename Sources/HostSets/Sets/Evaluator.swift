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
