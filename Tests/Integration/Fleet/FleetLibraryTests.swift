import BridgeSSHFleet
import Foundation
import SSHTestSupport
import Testing

/// `Fleet` through the public interface, on a real sshd.
@Suite("Fleet as a library") struct FleetLibraryTests {
    /// A sandbox, and a set with this host only.
    private func withHost(_ body: (SSHDSandbox, HostSet, SSHConnectionConfiguration) async throws -> Void) async throws {
        try await SSHDSandbox.run { box in
            let hosts = try HostSet([FleetHost(name: box.host, user: "alice", port: box.port)])
            try await body(box, hosts, try await box.configuration())
        }
    }

    @Test("events are read on demand, and the summary is there when they have ended") func run() async throws {
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

    @Test("the command in its events is redacted") func redacted() async throws {
        try await withHost { _, hosts, configuration in
            let action = FleetAction.command("true --password=hunter2")
            let shown = try await Fleet.withRun(action, on: hosts, configuration: configuration) { run in
                var shown: [String] = []
                for try await event in run.events { if case .started(let start) = event { shown.append(start.command) } }
                return shown
            }
            #expect(shown == ["true --password=•••"])
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

    @Test("files are copied to each host, and from each into its own directory") func copies() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("content", to: "file")
            try await withHost { box, hosts, configuration in
                let copied = try await Fleet.withRun(.copy([file], to: "there"), on: hosts, configuration: configuration) { run in
                    var results: [FleetHostResult] = []
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

    @Test("each host gets a connection for a closure, whose error is that host's failure") func forEach() async throws {
        struct Mine: Error {}
        try await withHost { _, hosts, configuration in
            let texts = try await Fleet.forEach(hosts, configuration: configuration, parallel: 4) { connection, host in
                let first = try await connection.run("echo one").standardOutputText
                return try await first + connection.run("echo two").standardOutputText + host
            }
            #expect(texts.map { try? $0.result.get() } == ["one\ntwo\n127.0.0.1"])
            let failures = try await Fleet.forEach(hosts, configuration: configuration) { _, _ in throw Mine() }
            #expect(throws: Mine.self) { try failures[0].result.get() }
            let refused = try HostSet([FleetHost(name: "127.0.0.1", user: "alice", port: 1)])
            let unreached = try await Fleet.forEach(refused, configuration: configuration) { _, _ in }
            let refusal = #expect(throws: SSHError.self) { try unreached[0].result.get() }
            #expect(refusal?.code == .connectRefused)
        }
    }

    @Test("impossible requests are refused before any host is touched") func refused() async throws {
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
        #expect(rule?.message.hasPrefix("stop: ") == true && rule?.hint == "", "\(String(describing: rule))")
    }

    private static let wrong: [(String, FleetAction, @Sendable (inout FleetLimits, inout SSHConnectionConfiguration) -> Void)] = [
        ("outputLimit", .command("true"), { limits, _ in limits.outputLimit = -1 }),
        ("outputLimit", .check, { limits, _ in limits.outputLimit = .min }),
        ("limits.retries", .command("true"), { limits, _ in limits.retries = -1 }),
        ("limits.parallel", .command("true"), { limits, _ in limits.parallel = .exactly(0) }),
        ("limits.parallel", .check, { limits, _ in limits.parallel = .exactly(.min) }),
        ("limits.memory", .command("true"), { limits, _ in limits.memory = .bytes(-1) }),
        ("limits.memory", .command("true"), { limits, _ in limits.memory = .bytes(1) }),
        ("limits.memory", .command("true"), { limits, _ in limits.memory = .mebibytes(-1) }),
        ("limits.loginsPerAddress", .command("true"), { limits, _ in limits.loginsPerAddress = 0 }),
        ("limits.connectionsPerJumpHost", .command("true"), { limits, _ in limits.connectionsPerJumpHost = -1 }),
        ("limits.splay", .command("true"), { limits, _ in limits.splay = .seconds(-1) }),
        ("limits.pauseLimit", .command("true"), { limits, _ in limits.pauseLimit = .nanoseconds(-1) }),
        ("limits.loginWait", .command("true"), { limits, _ in limits.loginWait = .seconds(-1) }),
        ("limits.batches", .command("true"), { limits, _ in limits.batches = [.hosts(0)] }),
        ("limits.rate", .command("true"), { limits, _ in limits.rate = .nan }),
        ("limits.rate", .command("true"), { limits, _ in limits.rate = -1 }),
        ("command", .command("tou\0ch x"), { _, _ in }), ("localAddress", .check, { $1.localAddress = "garbage" }),
        ("path", .fetch(["/x\0"], into: "/tmp/never"), { _, _ in }),
        (
            "concurrency",
            {
                var options = SFTPCopyOptions()
                options.concurrency = .min
                return .fetch(["/x"], into: "/tmp/never", options: options)
            }(), { _, _ in }
        ),
    ]

    @Test("meaningless values are refused by name before the first login", arguments: 0..<wrong.count)
    func refusedValues(_ number: Int) async throws {
        let (field, action, change) = Self.wrong[number]
        var (limits, configuration) = (FleetLimits(), SSHConnectionConfiguration())
        change(&limits, &configuration)
        let error = try await #require(throws: SSHError.self) {
            try await Fleet.withRun(action, on: HostSet("alice@192.0.2.1"), configuration: configuration, limits: limits) { _ in }
        }
        #expect(error.code == .localUsage && error.message.hasPrefix(field + ": "), "\(error.message)")
        #expect(!error.message.contains("--") && !error.hint.contains("bridge-ssh"), "\(error)")
    }

    @Test("no hosts are an error, unless they are allowed") func empty() async throws {
        let hosts = try HostSet([])
        let error = try await #require(throws: SSHError.self) {
            try await Fleet.withRun(.check, on: hosts, configuration: SSHConnectionConfiguration()) { _ in }
        }
        #expect(error.code == .localUsage && error.message.hasPrefix("hosts: "))
        await #expect(throws: SSHError.self) {
            try await Fleet.forEach(hosts, configuration: SSHConnectionConfiguration()) { _, _ in }
        }
        var limits = FleetLimits()
        limits.allowsNoHosts = true
        let run = try await Fleet.withRun(.check, on: hosts, configuration: SSHConnectionConfiguration(), limits: limits) { $0 }
        #expect(run.summary.hosts == 0)
    }

    @Test("a closure that reads nothing leaves the run to its end; end() stops it") func unread() async throws {
        try await withHost { _, hosts, configuration in
            let run = try await Fleet.withRun(.command("yes | head -c 3000000; exit 3"), on: hosts, configuration: configuration)
            { $0 }
            #expect(run.summary.outcomes[.failed] == 1 && run.summary.exitStatus == 3)
            let ended = try await Fleet.withRun(.command("sleep 600"), on: hosts, configuration: configuration) { run in
                await run.end()
                return run
            }
            #expect(ended.summary.outcomes[.ok] == 0)
        }
    }

    @Test("one call gives all results, in the order of the hosts") func results() async throws {
        try await withHost { box, _, configuration in
            let hosts = try HostSet([
                FleetHost(name: "localhost", user: "alice", port: 1), FleetHost(name: box.host, user: "alice", port: box.port),
            ])
            let results = try await Fleet.run(.command("echo out; exit 3"), on: hosts, configuration: configuration)
            #expect(results.map(\.host) == hosts.names && results.map(\.outcome) == [.error, .failed])
            #expect(results.last?.standardOutput.bytes == Array("out\n".utf8) && results.last?.termination == .exited(3))
        }
    }

    @Test("no limit crashes the process") func limitNumbers() async throws {
        let numbers = [Int.min, -1, 0, 1, .max - 1, .max]
        let durations: [Duration] = [.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1)]
        var all: [FleetLimits] = []
        for number in numbers {
            for path in [\FleetLimits.outputLimit, \.retries, \.loginsPerAddress, \.connectionsPerJumpHost] {
                var limits = FleetLimits()
                limits[keyPath: path] = number
                all.append(limits)
            }
            all.append(FleetLimits(parallel: .exactly(number), memory: .bytes(number)))
            all.append(FleetLimits(memory: .mebibytes(number)))
        }
        for duration in durations + [.seconds(Int64.max)] {
            var limits = FleetLimits()
            limits.pauseLimit = duration
            all.append(limits)
        }
        for duration in durations {
            var limits = FleetLimits()
            limits.splay = duration
            all.append(limits)
        }
        for rate in [-Double.infinity, -1, 0, .leastNonzeroMagnitude, 1e-5, 1e300, .infinity, .nan] {
            var limits = FleetLimits()
            limits.rate = rate
            all.append(limits)
        }
        let hosts = try HostSet([FleetHost(name: "127.0.0.1", user: "alice", port: 1)])
        for limits in all {
            do {
                let run = try await Fleet.withRun(
                    .command("true"), on: hosts, configuration: SSHConnectionConfiguration(), limits: limits
                ) { $0 }
                #expect(run.summary.outcomes[.error] == 1)
            } catch let error as SSHError {
                #expect(error.code == .localUsage, "\(limits): \(error.message)")
            }
        }
        let shares: [StopRule] = [
            .failures(.min), .failures(.max), .failures(percent: .nan), .failures(percent: .infinity), .failures(percent: -1),
            .outcome(.error, percent: 1e300), .code("", count: 1), .sudo(count: 0),
        ]
        for rule in shares {
            let error = try await #require(throws: SSHError.self) {
                try await Fleet.withRun(.command("true"), on: hosts, configuration: SSHConnectionConfiguration(), stop: [rule]) {
                    _ in
                }
            }
            #expect(error.code == .localUsage)
        }
    }
}
