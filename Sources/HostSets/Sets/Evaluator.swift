/// Finds the hosts of an expression.
struct Evaluator {
    let sources: HostSources
    var notices: [String] = []
    /// What matched nothing, and whether anything did.
    var nothing: [HostSetProblem] = []
    var hasMatched = false
    /// Groups whose hosts are known already, and those being looked up, the outermost first.
    var lookedUp: [GroupName: HostAccumulator] = [:]
    var path: [GroupName] = []
    /// The names of the list, once one was looked for.
    var listed: Set<String>?

    /// How deep groups may stand in groups.
    static let maximumDepth = 64

    init(_ sources: HostSources) { self.sources = sources }

    /// The hosts of what a person wrote.
    mutating func resolve(_ expression: String) throws(HostSetProblem) -> [FleetHost] {
        let hosts = try evaluate(EvaluatedText(expression, usesInventory: sources.inventory != nil))
        if !hasMatched, hosts.isEmpty, let first = nothing.first { throw first }
        notices += nothing.map { "\($0.message)" }
        return hosts.hosts
    }

    /// The names in a group, as `@NAME` gives them; none if there is no such group.
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
            // After a sign, a group goes before a host of the same name, as with Ansible.
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
