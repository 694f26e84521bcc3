import Foundation
import HostSets
import Testing

@Suite("Hostile inventories", .timeLimit(.minutes(2)))
struct HostileInventoryTests {
    private func refusal(_ message: String, line: Int?, _ body: () throws -> FleetInventory) {
        let problem = #expect(throws: HostSetProblem.self) { _ = try body() }
        #expect(problem?.message.contains(message) == true, "\(problem?.line ?? "")")
        #expect(problem?.location?.line == line)
    }

    /// `a0` is a list; each further one repeats the one before ten times.
    private static let bomb =
        "x0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
        + (1...12).map { "x\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ", "))]\n" }.joined()

    @Test("aliases that repeat too much are refused before anything is repeated")
    func aliases() {
        refusal("aliases repeat more than 5,000,000 values", line: 7) { try FleetInventory(yaml: Self.bomb) }
    }

    @Test(
        "a list or a mapping is not a key, even behind an alias", arguments: ["? *i\n: x\n", "? [a]\n: x\n", "? {a: b}\n: x\n"])
    func keys(text: String) {
        let bomb = "a: &a [1, 1]\n" + zip("bcdefghi", "abcdefgh").map { "\($0): &\($0) [*\($1), *\($1)]\n" }.joined()
        refusal("keys are texts", line: 10) { try FleetInventory(yaml: bomb + text) }
    }

    @Test("a repeated anchor is refused, as by Ansible")
    func anchors() {
        refusal("anchor &x occurs twice", line: 2) {
            try FleetInventory(yaml: "all: {vars: &x {a: b}}\nweb: {vars: &x {a: c}}\n")
        }
    }

    @Test("an alias in its own value is refused")
    func circle() {
        refusal("comes before its anchor, or is inside it", line: 1) { try FleetInventory(yaml: "all: &a {hosts: *a}") }
    }

    @Test("deep values are refused")
    func depth() {
        refusal("nested more than 64 deep", line: 1) { try FleetInventory(yaml: String(repeating: "[", count: 900)) }
        refusal("nested more than 64 deep", line: 1) { try FleetInventory(yaml: String(repeating: "- ", count: 100_000)) }
    }

    @Test("long names, many ranges and long lines are refused with their line")
    func length() {
        let long = String(repeating: "a", count: 1025)
        refusal("longer than 1024 bytes", line: 2) { try FleetInventory(ini: "web1\n\(long)\n") }
        refusal("longer than 1024 bytes", line: 2) { try FleetInventory(ini: "web1\n\(long)[1:3]\n") }
        refusal("longer than 1024 bytes", line: 3) { try FleetInventory(yaml: "all:\n  hosts:\n    ? \(long)\n    :\n") }
        refusal("more than 64 ranges", line: 1) { try FleetInventory(ini: "x" + String(repeating: "[1:1]", count: 100_000)) }
        refusal("longer than 1 MiB", line: 2) {
            try FleetInventory(ini: "web1\nweb2 x=\(String(repeating: "b", count: 1 << 20))\n")
        }
    }

    @Test("ranges are counted before they are expanded, and one number is not a range")
    func ranges() throws {
        let ones = String(repeating: "[1:1]", count: 60)
        refusal("hosts", line: 1) { try FleetInventory(ini: "x[1:1000000][1:2]" + ones) }
        refusal("hosts", line: 1) { try FleetInventory(ini: "x[a:z]" + String(repeating: "[0:99999]", count: 40)) }
        let inventory = try FleetInventory(ini: "x[1:2]\(ones)[08:10]y[a:c:2]")
        let middle = String(repeating: "1", count: 60)
        #expect(
            inventory.hosts
                == [1, 2].flatMap { first in
                    ["08", "09", "10"].flatMap { second in ["a", "c"].map { "x\(first)\(middle)\(second)y\($0)" } }
                })
        #expect(try FleetInventory(ini: "x[3:1][1:2]").hosts == [])
    }

    @Test("a JSON key repeated a hundred thousand times after a hundred thousand others takes linear time")
    func repeatedKeys() throws {
        let keys = (0..<100_000).map { "\"k\($0)\": 1" } + repeatElement("\"k99999\": 2", count: 100_000)
        let text = #"{"web": ["a"], "_meta": {"hostvars": {"a": {"x": {\#(keys.joined(separator: ","))}}}}}"#
        let files = MemoryFiles(files: ["/p": "#!/bin/sh\n"], executables: ["/p"])
        #expect(try FleetInventory(path: "/p", files: files) { _ in text }.hosts == ["a"])
    }

    @Test("a million backslashes take no time")
    func backslashes() {
        refusal("A quote is not closed", line: 1) {
            try FleetInventory(ini: "web1 x=" + String(repeating: "\\", count: 1_000_001))
        }
        refusal("longer than 1024 bytes", line: 1) { try FleetInventory(ini: String(repeating: "\\", count: 1_000_000)) }
    }

    @Test("brackets of Python are read once, however deep they are")
    func brackets() throws {
        for text in [
            String(repeating: "(", count: 190) + "1" + String(repeating: ",)", count: 190),
            String(repeating: "[", count: 100_000),
        ] {
            _ = try FleetInventory(ini: "[g]\nh\n[g:vars]\nansible_user=\(text)\n")
        }
    }

    @Test("ten thousand nested groups are read", arguments: [false, true])
    func groups(isReversed: Bool) throws {
        let sections = (0..<10_000).map { "[g\($0):children]\ng\($0 + 1)\n" }
        let text = "[g10000]\nweb1\n" + (isReversed ? sections.reversed() : sections).joined() + "[g0:vars]\nansible_port=7\n"
        let inventory = try FleetInventory(ini: text)
        #expect(inventory.hosts(ofGroup: "g0") == ["web1"])
        #expect(try inventory.variables(of: "web1")?.port == 7)
        refusal("would contain itself", line: 20_006) { try FleetInventory(ini: text + "[g10000:children]\ng0\n") }
    }

    @Test("a pipe or device is refused without being opened, in any place")
    func pipes() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory + "/group_vars", withIntermediateDirectories: true)
        try "web1\n".write(toFile: directory + "/hosts", atomically: false, encoding: .utf8)
        for (pipe, inventory) in [("/pipe", "/pipe"), ("/group_vars/all", "/hosts"), ("/more", "")] {
            #expect(mkfifo(directory + pipe, 0o600) == 0)
            let problem = #expect(throws: HostSetProblem.self) { try FleetInventory(path: directory + inventory) }
            #expect(problem?.message == "This is a pipe or a device, not a file.")
            #expect(problem?.location?.file == directory + pipe)
            try FileManager.default.removeItem(atPath: directory + pipe)
        }
        #expect(throws: HostSetProblem.self) { try FleetInventory(path: "/dev/zero") }
    }
}
