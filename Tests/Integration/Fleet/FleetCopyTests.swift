import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet copy` to homes of their own on a real sshd.
@Suite("Fleet copy") struct FleetCopyTests {
    /// A tree with a link and a file of several requests.
    private static func makeTree(_ scratch: ScratchDirectory) throws -> (path: String, large: String) {
        let large = String(repeating: "0123456789abcdef", count: 40_000)
        let tree = scratch.url.appendingPathComponent("site")
        try FileManager.default.createDirectory(at: tree.appendingPathComponent("sub"), withIntermediateDirectories: true)
        _ = try scratch.write("small\n", to: "site/a", mode: 0o640)
        _ = try scratch.write(large, to: "site/sub/b")
        try FileManager.default.createSymbolicLink(atPath: tree.path + "/link", withDestinationPath: "sub/b")
        return (tree.path, large)
    }

    @Test("a tree reaches every host; an obstacle on a host is a failure, an unreachable host an error")
    func tree() async throws {
        try await ScratchDirectory.with { scratch in
            let (tree, large) = try Self.makeTree(scratch)
            try await FleetFixture.withHomes { fixture in
                // A directory in the place of a file.
                try fixture.put("", "in/site/a/x", at: 4)
                for path in ["in", "in/site"] {
                    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: fixture.home(4, path).path)
                }
                let result = try await fixture.fleet(
                    ["copy", "-rp", "--mkpath", "--output", "jsonl", tree, "h[1-5],closed1:in"])
                let lines = try FleetLines(result)
                #expect(result.exitStatus == 1)
                let expected = ["ok": 4, "failed": 1, "error": 1, "unknown": 0, "skipped": 0]
                #expect(lines.outcomes == expected, "\(result.errorOutput)")
                #expect(lines.outcome(of: "h4") == "failed" && lines.code(of: "h4") == "ssh.sftp.is-a-directory")
                #expect(lines.outcome(of: "closed1") == "error" && lines.code(of: "closed1") == "ssh.connect.refused")
                for number in [1, 2, 3, 5] {
                    let object = lines.ends["h\(number)"]?.first?["result"]
                    #expect(object?["schema"]?.text == "bridge-ssh-copy/1" && object?["files"] == .integer(2))
                    #expect(fixture.home(number, "in/site/a").text == "small\n")
                    #expect(fixture.home(number, "in/site/link").text == large)
                    #expect(try FileFacts(fixture.home(number, "in/site/a")).mode == 0o640)
                    #expect(try FleetFixture.partials(in: fixture.home(number, "in/site")).isEmpty)
                }
                // The files without an obstacle are copied.
                #expect(fixture.home(4, "in/site/sub/b").text == large)
                let words = result.words
                #expect(words.contains("9 files, 3.1 MiB to 5 hosts"), "\(words)")
                #expect(words.contains("1 host not complete: `bridge-ssh fleet resume 20"))
                #expect(words.contains("→") && words.contains("h4: ") && words.contains("in/site/a"), "\(words)")
                #expect(!result.output.contains("small"))
            }
        }
    }

    @Test("sources that cannot be copied are named before any host is touched")
    func sources() async throws {
        try await ScratchDirectory.with { scratch in
            let (tree, _) = try Self.makeTree(scratch)
            let file = try scratch.write("x", to: "file")
            let odd = scratch.path("odd")
            try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
            #expect(mkfifo(odd + "/pipe", 0o600) == 0)
            try await FleetFixture.withHomes { fixture in
                let cases: [(words: [String], text: String)] = [
                    (["copy", file, scratch.path("nothing"), "h[1-5]:"], "nothing: it cannot be copied"),
                    (["copy", tree, "h[1-5]:"], "--recursive"), (["copy", "-r", odd, "h[1-5]:"], "odd/pipe"),
                    (["copy", file, "h[1-5]:2222"], "-P 2222"), (["copy", file, "h1"], "names no hosts"),
                    (["copy", "--stop", "failed=9", file, "h[1-5]:"], "can never apply"),
                    (["fetch", "h1:a", "h2:b", "x"], "same hosts"),
                    (["fetch", "h1:a", file], "files cannot be put there"),
                ]
                for (words, text) in cases {
                    let result = try await fixture.fleet(words)
                    #expect(result.exitStatus == 199, "\(words)")
                    #expect(result.words.contains(text), "\(words): \(result.words)")
                }
                for number in 1...5 {
                    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.home(number).path) == [".ssh"])
                }
                #expect(try await fixture.program(["list"]).output.isEmpty)
                let dry = try await fixture.fleet(["copy", "--dry-run", "-r", tree, file, "h[1-5]:/srv/"])
                #expect(dry.output.contains("to /srv/ on 5 hosts"), "\(dry.output)")
                #expect(dry.output.contains("3 files, 625.0 KiB to each host"), "\(dry.output)")
            }
        }
    }

    @Test("a copy that was killed is resumed: complete hosts are left alone, the others get it whole")
    func resumed() async throws {
        try await ScratchDirectory.with { scratch in
            let content = String(repeating: "abcdefgh", count: 64_000)
            let file = try scratch.write(content, to: "release")
            try await FleetFixture.withHomes { fixture in
                try await FaultProxy.run(
                    to: fixture.box.port, fault: .init(.stall, after: 100_000, from: .client), onFirst: 1
                ) { proxy in
                    try await fixture.add("stalled2", of: 2, through: proxy)
                    let second = fixture.home(2)
                    let begun = try await fixture.fleet(["copy", "--parallel", "1", file, "h1,stalled2,h3:"]) { process in
                        try await FleetFixture.waitForPartial(in: second)
                        process.send(signal: SIGKILL)
                    }
                    #expect(begun.termination == .signalled(SIGKILL), "\(begun.errorOutput)")
                    let first = try FileFacts(fixture.home(1, "release"))
                    #expect(fixture.home(2, "release").text == nil && fixture.home(3, "release").text == nil)
                    #expect(try await fixture.program(["list"]).output.contains("1 ok, 1 unknown, 1 skipped"))
                    let other = try scratch.write("other", to: "other")
                    let refused = try await fixture.program(
                        ["resume", "last", "--"] + fixture.words(["copy", other, "h1,stalled2,h3:"]))
                    #expect(refused.exitStatus == 199, "\(refused.words)")
                    #expect(refused.words.contains("its command was another one"), "\(refused.words)")
                    let resumed = try FleetLines(try await fixture.program(["resume", "--output", "jsonl", "last"]))
                    #expect(resumed.outcomes["ok"] == 2 && resumed.ends.keys.sorted() == ["h3", "stalled2"])
                    #expect(try FileFacts(fixture.home(1, "release")) == first)
                    for number in 1...3 { #expect(fixture.home(number, "release").text == content) }
                    #expect(try await fixture.program(["resume", "last"]).words.contains("none left to run"))
                }
            }
        }
    }

    @Test("a connection lost during the copy leaves the host unknown; --retries starts again")
    func lost() async throws {
        try await ScratchDirectory.with { scratch in
            let content = String(repeating: "abcdefgh", count: 64_000)
            let file = try scratch.write(content, to: "release")
            try await FleetFixture.withHomes { fixture in
                try await FaultProxy.run(
                    to: fixture.box.port, fault: .init(.reset, after: 100_000, from: .client), onFirst: 2
                ) { proxy in
                    try await fixture.add("cut1", of: 1, through: proxy)
                    let lost = try await fixture.fleet(["copy", "--output", "jsonl", file, "cut1,h2:"])
                    let lines = try FleetLines(lost)
                    #expect(lines.outcome(of: "cut1") == "unknown" && lines.outcome(of: "h2") == "ok", "\(lost.errorOutput)")
                    #expect(lost.words.contains("1 host not complete: `bridge-ssh fleet resume 20"), "\(lost.words)")
                    #expect(!lost.words.contains("look there first"))
                    let again = try FleetLines(
                        try await fixture.fleet(["copy", "--retries", "2", "--output", "jsonl", file, "cut1:"]))
                    #expect(again.outcome(of: "cut1") == "ok" && again.ends["cut1"]?.first?["attempts"] == .integer(2))
                    #expect(fixture.home(1, "release").text == content)
                }
            }
        }
    }

    @Test("--retries leaves out the files that the host has whole")
    func finished() async throws {
        try await ScratchDirectory.with { scratch in
            let content = String(repeating: "abcdefgh", count: 3_000_000)
            try FileManager.default.createDirectory(atPath: scratch.path("tree"), withIntermediateDirectories: false)
            _ = try scratch.write(content, to: "tree/large")
            for number in 1...20 { _ = try scratch.write("small", to: "tree/small\(number)") }
            try await FleetFixture.withHomes { fixture in
                let fault = FaultProxy.Fault(.reset, after: 20_000_000, from: .client)
                try await FaultProxy.run(to: fixture.box.port, fault: fault, onFirst: 1) { proxy in
                    try await fixture.add("cut1", of: 1, through: proxy)
                    // An in-place copy does not continue a file: a file that was not sent again was left out.
                    let lines = try FleetLines(
                        try await fixture.fleet(
                            ["copy", "-r", "--inplace", "--retries", "2", "--output", "jsonl", scratch.path("tree"), "cut1:"]))
                    let result = try #require(lines.ends["cut1"]?.first)
                    #expect(result["outcome"]?.text == "ok" && result["attempts"] == .integer(2))
                    #expect(result["result"]?["resumedBytes"]?.double == 100, "\(result)")
                    #expect(result["result"]?["files"] == .integer(21))
                    #expect(fixture.home(1, "tree/large").text == content && fixture.home(1, "tree/small20").text == "small")
                }
            }
        }
    }

    @Test("changed sources are refused by a resumed copy")
    func changed() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("one", to: "file")
            try await FleetFixture.withHomes { fixture in
                #expect(try await fixture.fleet(["copy", file, "closed1:"]).exitStatus == 193)
                _ = try scratch.write("another", to: "file")
                let refused = try await fixture.program(["resume", "last"])
                #expect(refused.exitStatus == 199 && refused.words.contains("sources have been changed"), "\(refused.words)")
            }
        }
    }

    @Test("a copy stopped in order leaves no partial files, and its hosts are copied to again")
    func cancelled() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write(String(repeating: "abcdefgh", count: 64_000), to: "file")
            try await FleetFixture.withHomes { fixture in
                let home = fixture.home(1)
                let result = try await fixture.fleet(
                    ["copy", "--limit-rate", "32K", "--output", "jsonl", file, "h1:"]
                ) { process in
                    try await FleetFixture.waitForPartial(in: home)
                    process.send(signal: SIGTERM)
                }
                let lines = try FleetLines(result)
                #expect(result.exitStatus == 143 && lines.code(of: "h1") == "ssh.local.cancelled", "\(result.errorOutput)")
                #expect(lines.outcome(of: "h1") == "error")
                #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [".ssh"])
            }
        }
    }
}
