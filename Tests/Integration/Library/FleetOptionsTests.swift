import BridgeSSHFleet
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// A fleet in a program that uses the library: settings of single hosts, batches, a journal, and a resumed run.
@Suite("Fleet as a library: options") struct FleetOptionsTests {
    /// Host names that all lead to one sandbox, and the options for it.
    private func withHosts(
        _ count: Int = 4, server: String = "",
        _ body: (SSHDSandbox, HostSet, SSHConnectionConfiguration, FleetOptions) async throws -> Void
    ) async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options(server)) { box in
            let (address, port) = (box.host, box.port)
            let options = FleetOptions(settings: { host in
                (host.address, host.port) = (address, port)
                host.command.environment = [("NAME", host.host.name)]
            })
            try await body(box, HostSet("h[1-\(count)]"), try await box.configuration(), options)
        }
    }

    /// Both modules are imported here.
    @Test("foundation's Host is Foundation's") func names() {
        #expect(ObjectIdentifier(Host.self) == ObjectIdentifier(Foundation.Host.self))
    }

    @Test("each host is reached, and its command run, with its own settings") func settings() async throws {
        try await withHosts(server: "AcceptEnv NAME\n") { box, hosts, configuration, options in
            let results = try await Fleet.run(
                .command("echo $NAME"), on: hosts, user: "alice", configuration: configuration, options: options)
            #expect(results.map { String(decoding: $0.standardOutput.bytes, as: UTF8.self) } == ["h1\n", "h2\n", "h3\n", "h4\n"])
            #expect(results.allSatisfy { $0.endpoint?.port == box.port })
            var wrong = options
            wrong.settings = { $0.command.environment = [("A=B", "")] }
            let refused = await #expect(throws: SSHError.self) {
                try await Fleet.run(.check, on: hosts, user: "alice", configuration: configuration, options: wrong)
            }
            #expect(refused?.code == .localUsage)
            wrong.settings = { $0.user = nil }
            let unnamed = await #expect(throws: SSHError.self) {
                try await Fleet.run(.check, on: hosts, user: "alice", configuration: configuration, options: wrong)
            }
            #expect(unnamed?.message.hasPrefix("user: ") == true)
        }
    }

    @Test("a batch follows the previous one if the closure between them allows it") func batches() async throws {
        try await withHosts { _, hosts, configuration, options in
            let asked = Mutex<[Int]>([])
            var (options, limits) = (options, FleetLimits())
            limits.batches = [.hosts(1), .percent(50)]
            options.betweenBatches = { number in
                asked.withLock { $0.append(number) }
                return nil
            }
            let results = try await Fleet.run(
                .command("true"), on: hosts, user: "alice", configuration: configuration, limits: limits, options: options)
            #expect(results.map(\.batch) == [1, 2, 2, 3] && results.allSatisfy { $0.outcome == .ok })
            #expect(asked.withLock { $0 } == [1, 2])
            options.betweenBatches = { $0 == 2 ? "the load is too high" : nil }
            let (ends, summary, reasons) = try await Fleet.withRun(
                .command("true"), on: hosts, user: "alice", configuration: configuration, limits: limits, options: options
            ) { run in
                var (ends, reasons): ([String: FleetHostOutcome], [String]) = ([:], [])
                for try await event in run.events {
                    if case .ended(let result) = event { ends[result.host] = result.outcome }
                    if case .stopped(_, let reason) = event { reasons.append(reason) }
                }
                return (ends, run.summary, reasons)
            }
            #expect(ends == ["h1": .ok, "h2": .ok, "h3": .ok, "h4": .skipped] && summary.exitStatus == 192)
            #expect(reasons.contains { $0.contains("the load is too high") }, "\(reasons)")
            for batch in [FleetLimits.Batch.hosts(0), .percent(101), .percent(-1), .percent(.nan)] {
                limits.batches = [batch]
                let error = await #expect(throws: SSHError.self) {
                    try await Fleet.run(.check, on: hosts, user: "alice", configuration: configuration, limits: limits)
                }
                #expect(error?.code == .localUsage && error?.message.hasPrefix("limits.batches: ") == true)
            }
        }
    }

    @Test("a resumed run continues where it ended, and has the results of all hosts") func journal() async throws {
        try await withHosts(server: "AcceptEnv NAME\n") { box, hosts, configuration, options in
            try await ScratchDirectory.with { scratch in
                var (options, limits) = (options, FleetLimits())
                let command = "echo $NAME >> /tmp/ran; echo ran; test $NAME != h3"
                func run(_ command: String = command, on hosts: HostSet) async throws -> [FleetHostResult] {
                    try await Fleet.run(
                        .command(command), on: hosts, user: "alice", configuration: configuration, limits: limits,
                        options: options)
                }
                limits.batches = [.hosts(2)]
                options.journal = FleetJournal(in: scratch.path("runs"))
                options.betweenBatches = { _ in "enough" }
                #expect(try await run(on: hosts).map(\.outcome) == [.ok, .ok, .skipped, .skipped])
                let journal = try #require(options.journal)
                let names = try journal.runs()
                #expect(names.count == 1)
                #expect(try journal.results(of: "last").map(\.outcome) == [.ok, .ok, .skipped, .skipped])
                // The resumed run runs the remaining hosts, and no host twice.
                options.journal?.resuming = "last"
                options.betweenBatches = nil
                let results = try await run(on: hosts)
                #expect(results.map(\.outcome) == [.ok, .ok, .failed, .ok] && results.map(\.host) == hosts.names)
                #expect(results.allSatisfy { $0.standardOutput.bytes == Array("ran\n".utf8) })
                func ran() throws -> [String] {
                    let file = box.temporaryDirectory.appendingPathComponent("ran")
                    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init).sorted()
                }
                #expect(try ran() == ["h1", "h2", "h3", "h4"])
                // No host is left; failed hosts are run again on request.
                #expect(try await run(on: hosts).map(\.outcome) == [.ok, .ok, .failed, .ok])
                options.journal?.again = [.failed]
                options.journal?.resuming = names[0]
                #expect(try await run(on: hosts).map(\.outcome) == [.ok, .ok, .failed, .ok])
                #expect(try ran() == ["h1", "h2", "h3", "h3", "h4"])
                #expect(try journal.runs() == names)
                for (command, hosts) in [("true", hosts), (command, try HostSet("h[1-3]")), (command, try HostSet("h[1-5]"))] {
                    let error = try await #require(throws: SSHError.self) { try await run(command, on: hosts) }
                    #expect(error.code == .localUsage && error.message.hasPrefix("journal: "), "\(error.message)")
                    #expect(!error.message.contains("--") && !error.message.contains("bridge-ssh"), "\(error.message)")
                }
                for wrong in ["first", ""] {
                    options.journal?.resuming = wrong
                    let error = try await #require(throws: SSHError.self) { try await run(on: hosts) }
                    #expect(error.code == .localUsage && !error.message.contains("bridge-ssh"), "\(error.message)")
                }
                // If no journal can be kept, no host is started.
                options.journal = FleetJournal(in: try scratch.write("", to: "file") + "/runs")
                let error = try await #require(throws: SSHError.self) { try await run(on: hosts) }
                #expect(!(error.message + error.hint).contains("--"), "\(error.message)")
                #expect(try ran().count == 5)
            }
        }
    }

    @Test("a resumed run recognises its input and its script") func inputs() async throws {
        try await withHosts(2) { _, hosts, configuration, options in
            try await ScratchDirectory.with { scratch in
                var (options, limits) = (options, FleetLimits())
                limits.batches = [.hosts(1)]
                let actions = [
                    (FleetAction.command("cat", input: [1, 2, 3]), FleetAction.command("cat", input: [1, 2])),
                    (.script(Array("echo a\n".utf8)), .script(Array("echo b\n".utf8))),
                ]
                for (action, other) in actions {
                    options.journal = FleetJournal(in: scratch.path("runs"))
                    options.betweenBatches = { _ in "enough" }
                    func run(_ action: FleetAction) async throws -> [FleetHostOutcome] {
                        try await Fleet.run(
                            action, on: hosts, user: "alice", configuration: configuration, limits: limits, options: options
                        ).map(\.outcome)
                    }
                    let first = try await run(action)
                    options.journal?.resuming = "last"
                    await #expect { try await run(other) } throws: { SSHError.localUsage ~= $0 }
                    let second = try await run(action)
                    #expect(first == [.ok, .skipped] && second == [.ok, .ok])
                }
            }
        }
    }
}
