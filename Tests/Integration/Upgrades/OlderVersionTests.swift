import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Files that older versions have written. They are in Tests/OlderVersions, whose script `write` made them.
@Suite("Files of older versions") struct OlderVersionTests {
    private static let place = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../OlderVersions")

    /// The journal of a directory of journals, in a directory as a run makes it; git keeps no modes.
    private static func journal(_ name: String, _ fixture: FleetFixture) throws -> String {
        let directory = try fixture.directory("older")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
        var journal: String?
        for file in try FileManager.default.contentsOfDirectory(atPath: place.appending(path: name).path) {
            let path = directory + "/" + file
            try FileManager.default.copyItem(atPath: place.appending(path: name + "/" + file).path, toPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            if file.hasSuffix(".sqlite") { journal = path }
        }
        return try #require(journal)
    }

    @Test("the journal of a run that ended is reported, with outcomes and outputs", arguments: ["0.1"])
    func report(version: String) async throws {
        try await FleetFixture.with { fixture in
            let path = try Self.journal("\(version)/runs", fixture)
            let report = try await fixture.program(["report", "--json", path])
            #expect(report.exitStatus == 0, "\(report.errorOutput)")
            let object = try JSON(parsing: Data(report.output.utf8))
            #expect(try JSONSchema.named("json-schema-report.json").faults(object) == [])
            let hosts = Dictionary(
                uniqueKeysWithValues: (object["hosts"]?.items ?? []).map { ($0["host"]?.text ?? "", $0) })
            #expect(hosts.mapValues { $0["outcome"]?.text } == ["web1": "ok", "web2": "failed", "web3": "error"])
            #expect(hosts["web1"]?["result"]?["stdout"]?.text == "web1 is up\n")
            #expect(hosts["web2"]?["result"]?["stderr"]?.text == "no space\n")
            #expect(hosts["web3"]?["result"]?["error"]?["code"]?.text == "ssh.connect.refused")
            #expect(try await fixture.program(["hosts", "@run:\(path):failed"]).output == "web2\n")
        }
    }

    @Test("a run that was killed is resumed, and runs nothing twice", arguments: ["0.1"])
    func resume(version: String) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("web\(number)") }
            let path = try Self.journal("\(version)/killed", fixture)
            // The run named no configuration, so its user's own is read.
            _ = try await fixture.words(["run"])
            _ = try fixture.directory(".ssh")
            let hosts = try String(contentsOfFile: fixture.home.path("config"), encoding: .utf8)
            _ = try fixture.write(hosts, to: ".ssh/config")
            let resumed = try await fixture.program(["resume", "--output", "quiet", path])
            #expect(resumed.exitStatus == 1, "\(resumed.errorOutput)")
            let ran = try String(contentsOf: fixture.box.temporaryDirectory.appendingPathComponent("ran"), encoding: .utf8)
            #expect(ran.split(separator: "\n").sorted() == ["web3", "web5", "web6"])
            for (outcome, names) in ["ok": "web[1,3,5-6]", "failed": "web2", "unknown": "web4"] {
                #expect(try await fixture.program(["hosts", "--fold", "@run:\(path):\(outcome)"]).output == names + "\n")
            }
        }
    }

    @Test("settings of an old configuration mean the same", arguments: ["0.1"])
    func configuration(version: String) async throws {
        let settings = try String(contentsOf: Self.place.appending(path: "\(version)/settings"), encoding: .utf8)
        let shown = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["config", "-F", Self.place.appending(path: "config").path, "web1"],
            environment: .exactly(["HOME": "/home/alice", "PATH": "/usr/bin:/bin"]))
        #expect(shown.exitStatus == 0, "\(shown.errorOutput)")
        let lines = Set(shown.output.split(separator: "\n"))
        let expected = settings.split(separator: "\n")
        #expect(expected.count == 11)
        for line in expected { #expect(lines.contains(line), "\(line)") }
    }

    @Test("trusted keys stay trusted, by plain names and hashed ones", arguments: ["0.1"], ["no", "yes"])
    func knownHosts(version: String, hashed: String) throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Self.place.appending(path: "\(version)/\(name)"), encoding: .utf8)
        }
        let written = try text("known_hosts-\(hashed)")
        #expect(written.contains("|1|") == (hashed == "yes"))
        var known = SSHKnownHosts()
        known.add(contents: Array(written.utf8), file: "known_hosts")
        var trusted = 0
        for line in try text("keys").split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            let name = try #require(parts[0].wholeMatch(of: /\[(.+)\]:([0-9]+)/))
            let blob = try #require(Data(base64Encoded: String(parts[2])))
            let key = SSHHostKey(algorithm: String(parts[1]), blob: Array(blob))
            let host = String(name.1)
            let port = try #require(Int(name.2))
            if case .trusted = known.verdict(on: key, host: host, port: port) { trusted += 1 }
            let other = known.verdict(on: key, host: host, port: port + 1)
            if case .trusted = other { Issue.record("it is trusted at another port") }
        }
        #expect(trusted == written.split(separator: "\n").count && trusted > 0)
    }
}
