import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// When the helper ends or hangs, the run's report depends on whether the command may have been sent.
@Suite("A command handed to a helper")
struct PersistTakenTests {
    @Test(
        "a helper that ends or hangs before it takes the command: the run itself connects and sends it once",
        arguments: [FakeHelper.Manner.leaves, .hangs])
    func notTaken(manner: FakeHelper.Manner) async throws {
        try await PersistFixture.run { fixture in
            try await FakeHelper.run(manner, in: fixture) { _ in
                let result = try await fixture.run("cat", input: .bytes(Array("here".utf8)))
                #expect(result.exitStatus == 0 && result.output == "here", "\(result.errorOutput)")
            }
            // One connection to learn the helper's name, and the run's own.
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("a helper that ends after taking the command: it may have run")
    func leftWithIt() async throws {
        try await PersistFixture.run { fixture in
            try await FakeHelper.run(.takesAndLeaves, in: fixture) { _ in try await lost(fixture) }
            #expect(fixture.box.connectionCount == 1)
        }
    }

    @Test("a helper that hangs after taking the command: --timeout still applies")
    func hangsUntilTimeout() async throws {
        try await PersistFixture.run { fixture in
            try await FakeHelper.run(.takesAndHangs(runs: true), in: fixture) { _ in
                try await lost(fixture, ["--timeout", "0.2", "--connect-timeout", "5"])
            }
        }
    }

    @Test("a helper that hangs after taking the command: a signal ends the run", arguments: [false, true])
    func hangsUntilSignal(runs: Bool) async throws {
        try await PersistFixture.run { fixture in
            try await FakeHelper.run(.takesAndHangs(runs: runs), in: fixture) { asked in
                try await lost(fixture) { process in
                    for await _ in asked { break }
                    process.send(signal: SIGINT)
                }
            }
        }
    }

    @Test("a stopped helper: a signal ends the run, and `persist stop` with its destination ends the helper")
    func stopped() async throws {
        try await PersistFixture.run { fixture in
            #expect(try await fixture.run("true").exitStatus == 0)
            let helper = try await fixture.helper()
            let result = try await fixture.run("echo started; sleep 600") { process in
                try await process.standardOutput.wait(for: "started")
                kill(helper, SIGSTOP)
                // Its threads stop one after another.
                while !Self.isStopped(helper) { try await Task.sleep(for: .milliseconds(5)) }
                process.send(signal: SIGINT)
            }
            #expect(result.exitStatus == 198, "\(result.termination) \(result.errorOutput)")
            #expect(try await fixture.persist("stop", "alice@127.0.0.1").exitStatus == 0)
            #expect(fixture.files.isEmpty)
        }
    }

    /// Whether all threads of a process are stopped (proc_pid_stat(5)).
    private static func isStopped(_ process: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.allSatisfy { thread in
            // A thread that has ended meanwhile has no state.
            let state = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)
            return state?.contains(") T ") ?? true
        }
    }

    private func lost(
        _ fixture: PersistFixture, _ options: [String] = [],
        _ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws {
        let result = try await fixture.run("echo here", options + ["--json"], body)
        #expect(result.exitStatus == 198, "\(result.output)")
        #expect(result.output.contains("ssh.session.connection-lost"), "\(result.output)")
        #expect(result.output.contains(#""commandMayHaveRun":"unknown""#), "\(result.output)")
    }
}
