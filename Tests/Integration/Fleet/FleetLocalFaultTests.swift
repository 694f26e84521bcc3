import Foundation
import SSHTestSupport
import Testing

/// Files on this machine that hosts cannot do without.
@Suite("A fleet and its local files") struct FleetLocalFaultTests {
    private static func options(_ fault: String, _ scratch: ScratchDirectory) throws -> (words: [String], path: String) {
        let missing = scratch.path("missing")
        switch fault {
        case "key": return (["-i", missing], missing)
        case "no key":
            let path = try scratch.write("nonsense\n", to: "no-key", mode: 0o600)
            return (["-i", path], path)
        case "known hosts": return (["--known-hosts", missing], missing)
        case "revoked": return (["-o", "RevokedHostKeys=\(missing)"], missing)
        default: return (["-F", missing], missing)
        }
    }

    @Test(
        "one that all hosts would fail for is found once, before the first host, with the status and the code of run",
        arguments: ["key", "no key", "known hosts", "revoked", "configuration"])
    func all(_ fault: String) async throws {
        try await ScratchDirectory.with { scratch in
            try await FleetFixture.with { fixture in
                for number in 1...20 { fixture.add("h\(number)") }
                fixture.namesKeyFile = !fault.hasSuffix("key")
                let (options, path) = try Self.options(fault, scratch)
                let words = try await fixture.words(["run"] + ["h[1-20]", "true"])
                let before = fixture.box.connectionCount
                let files = fault == "configuration" ? options : Array(words[1...2]) + options
                let fleet = try await fixture.program(["run", "--output", "jsonl"] + files + ["h[1-20]", "true"])
                let one = try await fixture.single(["run", "--json", "--batch"] + files + ["h1", "true"])
                #expect(fleet.exitStatus == one.exitStatus && fleet.exitStatus != 0, "\(fleet.errorOutput) \(one.output)")
                let object = try JSON(parsing: Data(one.standardOutput))
                let code = try #require(object["error"]?["code"]?.text)
                #expect(fleet.errorOutput.contains("(\(code))"), "\(fleet.errorOutput)")
                #expect(fleet.output.isEmpty && !fleet.errorOutput.contains("h1:"), "\(fleet.output)\(fleet.errorOutput)")
                #expect(fleet.unbroken.contains(path.filter { !$0.isWhitespace }), "\(fleet.errorOutput)")
                #expect(fixture.box.connectionCount == before)
                #expect(try await fixture.program(["list"]).output.isEmpty)
            }
        }
    }

    @Test("one that some hosts fail for is theirs, under one cause with their folded names")
    func some() async throws {
        try await ScratchDirectory.with { scratch in
            try await FleetFixture.with { fixture in
                for number in 1...6 {
                    fixture.add("h\(number)", number > 4 ? ["UserKnownHostsFile \(scratch.path("missing"))"] : [])
                }
                let result = try await fixture.fleet(["run", "--output", "jsonl", "--journal", "none", "h[1-6]", "true"])
                let lines = try FleetLines(result)
                #expect(lines.outcomes["ok"] == 4 && lines.outcomes["error"] == 2, "\(result.errorOutput)")
                #expect(lines.code(of: "h5") == lines.code(of: "h6") && lines.code(of: "h5") != nil)
                for text in ["2 hosts: ", "h[5-6]"] { #expect(result.errorOutput.contains(text), "\(result.errorOutput)") }
            }
        }
    }

    @Test("a key file that is missing is no matter where there is something else to offer")
    func other() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let lines = try FleetLines(
                try await fixture.fleet(["run", "-i", "/missing", "--output", "jsonl", "--journal", "none", "h[1-3]", "true"]))
            #expect(lines.outcomes["ok"] == 3)
        }
    }
}

extension FleetFixture {
    /// `bridge-ssh` itself.
    fileprivate func single(_ words: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(try BuiltExecutable.path("bridge-ssh"), words, environment: environment)
    }
}

extension ProcessResult {
    /// The banner without its breaks, which may be within a path.
    fileprivate var unbroken: String { errorOutput.filter { !$0.isWhitespace } }
}
