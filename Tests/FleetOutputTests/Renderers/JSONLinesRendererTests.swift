import BridgeSSHFleet
import FleetOutput
import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@Suite("JSON lines")
struct JSONLinesRendererTests {
    private func lines(streams: Bool = true, _ events: [FleetEvent]) throws -> [JSON] {
        let renderer = JSONLinesRenderer(streams: streams, now: { 1_795_399_832_123 })
        let text = try Rendering.of(renderer, events).output
        return try text.split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
    }

    private var everything: [FleetEvent] {
        var cut = SampleRun.result("cut")
        cut.standardOutput = FleetKeptOutput(bytes: [0xC3], total: 9, restDigest: Array(repeating: 7, count: 32))
        cut.endpoint = nil
        var killed = SampleRun.result("killed", .failed)
        killed.termination = .signalled(SSHExitSignal(name: "KILL"))
        do {
            try SSHCommandResult(command: "x", termination: .signalled(SSHExitSignal(name: "KILL"))).checked()
        } catch { killed.error = error as? SSHError }
        let results = [
            SampleRun.result("web1", output: "\u{1B}[0m\n", error: "w"),
            SampleRun.result("web2", .failed, status: 3, error: "no"),
            SampleRun.result("web3", .error, code: .authKeyRejected),
            SampleRun.result("web4", .unknown, code: .sessionConnectionLost),
            SampleRun.result("web5", .skipped), cut, killed,
        ]
        let start = FleetEvent.Start(
            run: "r", hosts: 7, command: "uptime", parallel: 8, stopRules: [("failed=5%", 1), ("ssh.auth.*=3", 3)],
            journal: "/home/me/r.sqlite")
        return [
            .started(start), .batch(number: 1, of: 2, hosts: 1), .paused(reason: "no network"), .resumed(reason: "it is back"),
        ]
            + [SampleRun.output("web1", "text"), .output(host: "web1", stream: .standardError, bytes: [0xFF, 0x00])]
            + results.map { .ended($0) }
            + [.stopped(rule: "any=1", reason: "1 host"), .stopped(rule: nil, reason: "asked to")]
            + [.summary(SampleRun.summary(results))]
    }

    @Test("every line of every event fits the schema, and every event has a definition there")
    func schema() throws {
        let schema = try JSONSchema.ofFleet()
        let lines = try lines(everything)
        for line in lines { #expect(schema.faults(line) == []) }
        #expect(Set(lines.compactMap { $0["event"]?.text }).count == 8)
        let written: Set<String> = lines.reduce(into: []) { $0.formUnion($1.fields) }
        #expect(schema.fields.filter { !$0.contains(".") }.subtracting(written).sorted() == [])
        #expect(lines.allSatisfy { $0["time"]?.text == "2026-11-23T02:10:32.123Z" })
    }

    @Test("the schema refuses invalid lines")
    func refusals() throws {
        let schema = try JSONSchema.ofFleet()
        let ended = try #require(try lines([SampleRun.ended("a", .skipped)]).first)
        guard case .object(let members) = ended else { return }
        func with(_ name: String, _ value: JSON?) -> JSON { .object(members.merging([name: value ?? .null]) { $1 }) }
        #expect(schema.faults(ended) == [])
        #expect(schema.faults(with("outcome", .string("ok"))) != [])
        #expect(schema.faults(with("outcome", .string("lost"))) != [])
        #expect(schema.faults(with("more", .bool(true))) != [])
        #expect(schema.faults(with("time", .string("yesterday"))) != [])
        #expect(schema.faults(.object(members.filter { $0.key != "attempts" })) != [])
    }

    @Test("a character split into two pieces is one text, and an incomplete one at the end is base64")
    func characters() throws {
        let events: [FleetEvent] = [
            .output(host: "a", stream: .standardOutput, bytes: [0x61, 0xC3]),
            .output(host: "a", stream: .standardOutput, bytes: [0xA9, 0xE2, 0x82]), SampleRun.ended("a"),
        ]
        let lines = try lines(events)
        #expect(lines.map { $0["text"]?.text } == ["a", "é", nil, nil])
        #expect(lines[2]["base64"]?.text == "4oI=")
    }

    @Test("without --stream output appears only in its host's end")
    func noStream() throws {
        let lines = try lines(streams: false, [SampleRun.output("a", "x\n"), SampleRun.ended("a", output: "x\n")])
        #expect(lines.count == 1)
        #expect(lines[0]["result"]?["stdout"]?.text == "x\n")
        #expect(lines[0]["result"]?["schema"]?.text == "bridge-ssh/1")
    }

    @Test("all five outcomes are counted")
    func summary() throws {
        let outcomes = try #require(try lines(everything).last?["outcomes"])
        #expect(
            outcomes.members == [
                "ok": .integer(2), "failed": .integer(2), "error": .integer(1), "unknown": .integer(1), "skipped": .integer(1),
            ])
    }
}
