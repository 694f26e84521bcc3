import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("Shard plans") struct ShardPlanTests {
    private static func plan(_ shards: Int, hosts: Int) -> ShardPlan {
        ShardPlan(
            shards: shards, options: ["-4"], words: ["h", "--", "uptime"], command: "uptime",
            input: .init(path: "motd", digest: [UInt8](repeating: 10, count: 32)),
            hosts: (0..<hosts).map { .init(name: "h\($0)", access: $0 == 3 ? #"{"name":"h3","arguments":[]}"# : nil) })
    }

    @Test("each host is in exactly one shard", arguments: [(1, 5), (3, 10), (8, 8), (8, 3), (7, 0)])
    func parts(shards: Int, hosts: Int) {
        let plan = Self.plan(shards, hosts: hosts)
        let parts = (0..<shards).map { plan.hosts(of: $0) }
        #expect(parts.joined().map(\.name).sorted() == plan.hosts.map(\.name))
        #expect(parts.map(\.count).max()! - parts.map(\.count).min()! <= 1)
    }

    @Test("a plan is read as it was written")
    func file() throws {
        let plan = Self.plan(4, hosts: 12)
        let file = try plan.file()
        #expect(try ShardPlan(file: file) == plan)
        #expect(plan.arguments() == ["run", "-4", "h", "--", "uptime"])
        #expect(plan.subject(planDigest: [1]).hasRead([UInt8](repeating: 10, count: 32)))
    }

    @Test("a plan with any byte changed, cut short or made longer is refused")
    func changed() throws {
        let file = try Self.plan(4, hosts: 12).file()
        for index in file.indices {
            var other = file
            other[index] ^= 1
            #expect(throws: ShardPlan.Unreadable.self, "byte \(index)") { try ShardPlan(file: other) }
            #expect(throws: ShardPlan.Unreadable.self, "\(index) bytes") { try ShardPlan(file: Array(file[..<index])) }
        }
        #expect(throws: ShardPlan.Unreadable.self) { try ShardPlan(file: file + Array("h99\n".utf8)) }
    }

    @Test(
        "the number of a shard",
        arguments: [
            ("0/8", 0), ("7/8", 7), ("8/8", 0), ("3", 3), ("0", 0), ("8", 0),
        ])
    func number(text: String, expected: Int) throws {
        #expect(try ShardNumber.parse(text, of: 8) { _ in nil } == expected)
    }

    @Test(
        "invalid shard numbers",
        arguments: ["", "/", "9", "9/8", "-1", "1/7", "1/", "/8", "1/8/8", "x", "1.0", "auto", "９"])
    func noNumber(text: String) {
        #expect(throws: ShardNumber.Problem.self) { try ShardNumber.parse(text, of: 8) { _ in nil } }
    }

    @Test("auto takes the number of the scheduler's task", arguments: ShardNumber.variables)
    func automatic(variable: String) throws {
        #expect(try ShardNumber.parse("auto", of: 8) { $0 == variable ? "5" : nil } == 5)
        #expect(throws: ShardNumber.Problem.self) { try ShardNumber.parse("auto", of: 8) { $0 == variable ? "5x" : nil } }
        #expect(throws: ShardNumber.Problem.self) { try ShardNumber.parse("auto", of: 8) { $0 == variable ? "12" : nil } }
    }

    @Test("two schedulers that disagree are an error")
    func twoSchedulers() throws {
        let both = ["SLURM_ARRAY_TASK_ID": "1", "NOMAD_ALLOC_INDEX": "2"]
        #expect(throws: ShardNumber.Problem.self) { try ShardNumber.parse("auto", of: 8) { both[$0] } }
        let same = ["SLURM_ARRAY_TASK_ID": "1", "NOMAD_ALLOC_INDEX": "1"]
        #expect(try ShardNumber.parse("auto", of: 8) { same[$0] } == 1)
    }
}
