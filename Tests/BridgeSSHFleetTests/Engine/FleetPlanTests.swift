import BridgeSSHFleet
import Testing

@Suite("Parsing of stop rules and batch sizes")
struct FleetPlanTests {
    private static let codes: Set<String> = ["ssh.auth.key-rejected", "ssh.connect.refused"]

    @Test(
        "a percentage means its number of hosts, rounded down, and at least one",
        arguments: [
            ("failed=5%", 1000, 50), ("failed=5%", 39, 1), ("failed=5%", 3, 1), ("error=10", 10, 10), ("ssh.auth.*=3", 5, 3),
            ("sudo=1", 1, 1), ("any=100%", 7, 7), ("any=0.5%", 1000, 5), ("ssh.connect.refused=2", 2, 2),
            ("unknown=33.3%", 10, 3),
        ])
    func numbers(text: String, hosts: Int, at: Int) throws {
        let rule = try StopRule(parsing: text)
        #expect(rule.description == text)
        #expect(try rule.number(of: hosts, codes: Self.codes, runsCommand: true) == at)
    }

    @Test(
        "an invalid rule is refused",
        arguments: [
            "", "any", "any=", "any=x", "any=-1", "any=1.5", "any=5%%", "=3", "nonsense=3", "any=1e3", "any=.5%", "any=5.%",
        ])
    func noRule(text: String) {
        #expect(throws: FleetPlanProblem.self) { try StopRule(parsing: text) }
    }

    @Test(
        "a rule that can never apply is refused",
        arguments: [
            ("any=0", 10, true), ("any=11", 10, true), ("any=0%", 10, true), ("any=101%", 10, true), ("ok=1", 10, true),
            ("skipped=1", 10, true), ("ssh.nonsense=1", 10, true), ("ssh.nonsense.*=1", 10, true), ("failed=1", 10, false),
            ("sudo=1", 10, false), ("unknown=1", 10, false),
        ])
    func never(text: String, hosts: Int, runsCommand: Bool) throws {
        let rule = try StopRule(parsing: text)
        let problem = #expect(throws: FleetPlanProblem.self) {
            try rule.number(of: hosts, codes: Self.codes, runsCommand: runsCommand)
        }
        #expect(problem?.problem.hasPrefix("\(text) can never apply: ") == true)
    }

    @Test("a rule's number refers to the whole run, even when few of its hosts are left")
    func resumed() throws {
        let rules = try ["error=10", "failed=5%"].map { try StopRule(parsing: $0) }
        let plan = try EnginePlan(hosts: 3, of: 200, FleetLimits(), stop: rules, runsCommand: true)
        #expect(plan.hosts == 3 && plan.stop.map(\.at) == [10, 10])
        #expect(throws: FleetPlanProblem.self) { try EnginePlan(hosts: 3, FleetLimits(), stop: rules, runsCommand: true) }
    }

    @Test(
        "batch sizes apply in turn; a percentage refers to the whole run; the last size applies to all later batches",
        arguments: [
            ("1,10%,100%", 100, [1, 10, 89]), ("10%", 25, Array(repeating: 2, count: 12) + [1]), ("1,10%,100%", 1, [1]),
            ("5%", 3, [1, 1, 1]), ("200", 7, [7]),
        ])
    func batches(text: String, hosts: Int, sizes: [Int]) throws {
        #expect(BatchPlan(try BatchPlan.sizes(parsing: text), hosts: hosts).ranges.map(\.count) == sizes)
    }

    @Test("a batch of the largest possible number contains all remaining hosts")
    func largest() {
        #expect(BatchPlan([.count(1), .count(.max)], hosts: 3).ranges == [0..<1, 1..<3])
    }

    @Test("an invalid batch size is refused", arguments: ["", "0", "1,,2", "0%", "101%", "ten", "1, 2", "-1"])
    func noBatches(text: String) {
        #expect(throws: FleetPlanProblem.self) { try BatchPlan.sizes(parsing: text) }
    }
}
