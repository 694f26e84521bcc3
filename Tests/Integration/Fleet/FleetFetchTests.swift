import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet fetch` from homes of their own on a real sshd, and from servers that lie.
@Suite("Fleet fetch") struct FleetFetchTests {
    @Test("each host's files get their own directory; an unreachable host gets none")
    func tree() async throws {
        try await ScratchDirectory.with { scratch in
            let out = scratch.url.appendingPathComponent("logs/today")
            try await FleetFixture.withHomes { fixture in
                for number in 1...5 {
                    try fixture.put("log of \(number)\n", "log/deep/app.log", at: number)
                    try fixture.put("a", "one.txt", at: number)
                    if number != 3 { try fixture.put("b", "two", at: number) }
                }
                let result = try await fixture.fleet([
                    "fetch", "-r", "--output", "jsonl", "h[1-5],closed1:log", "h[1-5],closed1:*.txt", "h[1-5],closed1:two",
                    out.path,
                ])
                let lines = try FleetLines(result)
                let expected = ["ok": 4, "failed": 1, "error": 1, "unknown": 0, "skipped": 0]
                #expect(lines.outcomes == expected, "\(result.errorOutput)")
                #expect(lines.outcome(of: "h3") == "failed" && lines.code(of: "h3") == "ssh.sftp.no-such-file")
                for number in 1...5 {
                    let place = out.appendingPathComponent("h\(number)")
                    #expect(place.appendingPathComponent("log/deep/app.log").text == "log of \(number)\n")
                    #expect(place.appendingPathComponent("one.txt").text == "a")
                    #expect(place.appendingPathComponent("two").text == (number == 3 ? nil : "b"))
                    let object = lines.ends["h\(number)"]?.first?["result"]
                    #expect(object?["direction"]?.text == "download" && object?["target"]?.text == place.path)
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).sorted() == (1...5).map { "h\($0)" })
                #expect(result.words.contains("14 files, 54 bytes from 5 hosts"), "\(result.words)")
            }
        }
    }

    @Test(
        "no host writes outside of its directory",
        arguments: [(HostileSFTP.parent, "error"), (.absolute, "error"), (.nul, "error"), (.disguise, "failed")])
    func hostile(_ server: HostileSFTP, _ outcome: String) async throws {
        try await ScratchDirectory.with { scratch in
            let out = scratch.url.appendingPathComponent("out")
            try await FleetFixture.with(server.options) { fixture in
                fixture.add("h1")
                fixture.add("h2")
                let result = try await fixture.fleet(["fetch", "-r", "--output", "jsonl", "h[1-2]:top", out.path])
                let lines = try FleetLines(result)
                for host in ["h1", "h2"] {
                    #expect(lines.outcome(of: host) == outcome, "\(result.errorOutput)")
                    #expect(lines.code(of: host)?.hasPrefix("ssh.sftp.") == true, "\(result.errorOutput)")
                }
                let left = FileManager.default.enumerator(atPath: scratch.url.path)?.compactMap { $0 as? String } ?? []
                #expect(left.contains("out/h1") && left.contains("out/h2"))
                #expect(left.allSatisfy { $0 == "out" || $0.hasPrefix("out/h1") || $0.hasPrefix("out/h2") }, "\(left)")
                #expect(!left.contains { $0.hasSuffix("evil") || $0.hasSuffix(".bridge-partial") }, "\(left)")
            }
        }
    }

    @Test("a link in the place of a host's file or directory is not followed")
    func links() async throws {
        try await ScratchDirectory.with { scratch in
            let (out, outside) = (scratch.url.appendingPathComponent("out"), scratch.url.appendingPathComponent("outside"))
            for url in [out.appendingPathComponent("h1"), outside] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
            _ = try scratch.write("mine", to: "outside/file")
            func link(_ path: String, to goal: String) throws {
                try FileManager.default.createSymbolicLink(atPath: out.path + "/" + path, withDestinationPath: goal)
            }
            try link("h1/file", to: "../../outside/file")
            try link("h2", to: "../outside")
            try await FleetFixture.withHomes { fixture in
                for number in 1...2 { try fixture.put("theirs", "file", at: number) }
                let result = try await fixture.fleet(["fetch", "--output", "jsonl", "h[1-2]:file", out.path])
                let lines = try FleetLines(result)
                #expect(lines.outcome(of: "h1") == "ok" && lines.outcome(of: "h2") == "failed", "\(result.errorOutput)")
            }
            #expect(outside.appendingPathComponent("file").text == "mine")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["file"])
            #expect(out.appendingPathComponent("h1/file").text == "theirs")
            #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: out.path + "/h1/file")) == nil)
        }
    }

    @Test("a fetch that was killed is resumed")
    func resumed() async throws {
        try await ScratchDirectory.with { scratch in
            let out = scratch.url.appendingPathComponent("out")
            let content = String(repeating: "abcdefgh", count: 64_000)
            try await FleetFixture.withHomes { fixture in
                for number in 1...3 { try fixture.put(content, "log", at: number) }
                try await FaultProxy.run(
                    to: fixture.box.port, fault: .init(.stall, afterServerBytes: 100_000), onFirst: 1
                ) { proxy in
                    try await fixture.add("stalled2", of: 2, through: proxy)
                    let words = ["fetch", "--parallel", "1", "h1,stalled2,h3:log", out.path]
                    let begun = try await fixture.fleet(words) { process in
                        try await FleetFixture.waitForPartial(in: out.appendingPathComponent("stalled2"))
                        process.send(signal: SIGKILL)
                    }
                    #expect(begun.termination == .signalled(SIGKILL), "\(begun.errorOutput)")
                    let resumed = try FleetLines(try await fixture.program(["resume", "--output", "jsonl", "last"]))
                    #expect(resumed.outcomes["ok"] == 2 && resumed.ends.keys.sorted() == ["h3", "stalled2"])
                    for host in ["h1", "stalled2", "h3"] { #expect(out.appendingPathComponent("\(host)/log").text == content) }
                }
            }
        }
    }
}
