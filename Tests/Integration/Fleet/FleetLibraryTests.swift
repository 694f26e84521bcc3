import BridgeSSHFleet
import Foundation
import SSHTestSupport
import Testing

/// `Fleet` as a library's user has it, on a real sshd.
@Suite("Fleet as a library") struct FleetLibraryTests {
    /// A sandbox, and the set of hosts that it alone is.
    private func withHost(_ body: (SSHDSandbox, HostSet, SSHConnectionConfiguration) async throws -> Void) async throws {
        try await SSHDSandbox.run { box in
            let hosts = try HostSet([Host(name: box.host, user: "alice", port: box.port)])
            try await body(box, hosts, try await box.configuration())
        }
    }

    @Test("events are pulled, and the summary is there when they have ended") func run() async throws {
        try await withHost { _, hosts, configuration in
            try await Fleet.withRun(.command("echo out; echo err >&2; exit 3"), on: hosts, configuration: configuration) { run in
                var seen: [String] = []
                for try await event in run.events {
                    switch event {
                    case .started(let start): seen.append("started \(start.hosts)")
                    case .output(_, let stream, let bytes): seen.append("\(stream.rawValue) \(bytes.count)")
                    case .ended(let result): seen.append("\(result.outcome) \(result.standardOutput.total)")
                    case .summary(let summary): seen.append("summary \(summary.exitStatus)")
                    default: break
                    }
                }
                #expect(Set(seen) == ["started 1", "stdout 4", "stderr 4", "failed 4", "summary 3"])
                #expect(run.summary.outcomes[.failed] == 1)
            }
        }
    }

    @Test("leaving the closure ends the command, and its host has an outcome") func leaving() async throws {
        try await withHost { box, hosts, configuration in
            // It ends once nothing reads it: before libssh2 1.11 a command cannot be signalled.
            let summary = try await Fleet.withRun(
                .command("while echo started; do sleep 0.05; done"), on: hosts, configuration: configuration
            ) { run in
                for try await event in run.events { if case .output = event { break } }
                return run
            }.summary
            #expect(summary.outcomes[.unknown] ?? 0 == 1 || summary.outcomes[.failed] == 1)
            try await box.connectionsEnded()
        }
    }

    @Test("files are copied to each host, and from each into a directory of its own") func copies() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("content", to: "file")
            try await withHost { box, hosts, configuration in
                let copied = try await Fleet.withRun(.copy([file], to: "there"), on: hosts, configuration: configuration) { run in
                    var results: [HostResult] = []
                    for try await event in run.events { if case .ended(let result) = event { results.append(result) } }
                    return results
                }
                #expect(copied.map(\.outcome) == [.ok] && copied.first?.copied?.files == 1)
                let into = scratch.path("into")
                let fetch = FleetAction.fetch(["there", "missing"], into: into)
                let summary = try await Fleet.withRun(fetch, on: hosts, configuration: configuration) { run in
                    for try await _ in run.events {}
                    return run.summary
                }
                #expect(summary.outcomes[.failed] == 1 && summary.exitStatus == 1, "\(summary)")
                #expect(URL(fileURLWithPath: into + "/127.0.0.1/there").text == "content")
                let missing = #expect(throws: SSHError.self) { try FleetAction.copy([scratch.path("missing")], to: "") }
                #expect(missing?.code == .localUsage)
                let inTheWay = await #expect(throws: SSHError.self) {
                    try await Fleet.withRun(.fetch(["there"], into: file), on: hosts, configuration: configuration) { _ in }
                }
                #expect(inTheWay?.code == .localUsage)
            }
        }
    }

    @Test("a connection to each host, anything on it; what is thrown is that host's failure") func forEach() async throws {
        struct Mine: Error {}
        try await withHost { _, hosts, configuration in
            let texts = try await Fleet.forEach(hosts, configuration: configuration, parallel: 4) { connection, host in
                let first = try await connection.run("echo one").standardOutputText
                return try await first + connection.run("echo two").standardOutputText + host
            }
            #expect(texts.map { try? $0.result.get() } == ["one\ntwo\n127.0.0.1"])
            let failures = try await Fleet.forEach(hosts, configuration: configuration) { _, _ in throw Mine() }
            #expect(throws: Mine.self) { try failures[0].result.get() }
            let refused = try HostSet([Host(name: "127.0.0.1", user: "alice", port: 1)])
            let unreached = try await Fleet.forEach(refused, configuration: configuration) { _, _ in }
            let refusal = #expect(throws: SSHError.self) { try unreached[0].result.get() }
            #expect(refusal?.code == .connectRefused)
        }
    }

    @Test("what cannot be is refused before any host is touched") func refused() async throws {
        let hosts = try HostSet("alice@h1,alice@h2")
        let rule = await #expect(throws: SSHError.self) {
            try await Fleet.withRun(
                .command("true"), on: hosts, configuration: SSHConnectionConfiguration(), stop: [.failures(3)]
            ) { _ in }
        }
        let user = await #expect(throws: SSHError.self) {
            try await Fleet.withRun(.check, on: try HostSet("h1"), configuration: SSHConnectionConfiguration()) { _ in }
        }
        #expect(rule?.code == .localUsage && user?.code == .localUsage)
    }
}
