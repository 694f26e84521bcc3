import Foundation
import SSHTestSupport
import Testing

@testable import bridge_ssh

/// What a run says of its command when the helper leaves or hangs depends on whether the command may have been sent.
@Suite("A command in a helper's hands")
struct PersistTakenTests {
    @Test(
        "a helper that leaves or hangs before it takes the command: it is sent by another way, once",
        arguments: [PretendedHelper.Manner.leaves, .hangs])
    func notTaken(manner: PretendedHelper.Manner) async throws {
        try await Keeping.run { keeping in
            try await PretendedHelper.run(manner, in: keeping) { _ in
                let result = try await keeping.run("cat", input: .bytes(Array("here".utf8)))
                #expect(result.exitStatus == 0 && result.output == "here", "\(result.errorOutput)")
            }
            // The one that was needed to learn the name, and the run's own.
            #expect(keeping.box.connectionCount == 2)
        }
    }

    @Test("a helper that leaves with the command: it may have run")
    func leftWithIt() async throws {
        try await Keeping.run { keeping in
            try await PretendedHelper.run(.takesAndLeaves, in: keeping) { _ in try await lost(keeping) }
            #expect(keeping.box.connectionCount == 1)
        }
    }

    @Test("a helper that hangs with the command: --timeout holds all the same")
    func hangsUntilTimeout() async throws {
        try await Keeping.run { keeping in
            try await PretendedHelper.run(.takesAndHangs(runs: true), in: keeping) { _ in
                try await lost(keeping, ["--timeout", "0.2", "--connect-timeout", "5"])
            }
        }
    }

    @Test("a helper that hangs with the command: a signal ends the run", arguments: [false, true])
    func hangsUntilSignal(runs: Bool) async throws {
        try await Keeping.run { keeping in
            try await PretendedHelper.run(.takesAndHangs(runs: runs), in: keeping) { asked in
                try await lost(keeping) { process in
                    for await _ in asked { break }
                    process.send(signal: SIGINT)
                }
            }
        }
    }

    @Test("a stopped helper: a signal ends the run, and stop ends the helper by its destination")
    func stopped() async throws {
        try await Keeping.run { keeping in
            #expect(try await keeping.run("true").exitStatus == 0)
            let helper = try await keeping.helper()
            let result = try await keeping.run("echo started; sleep 600") { process in
                try await process.standardOutput.wait(for: "started")
                kill(helper, SIGSTOP)
                process.send(signal: SIGINT)
            }
            #expect(result.exitStatus == 198, "\(result.termination) \(result.errorOutput)")
            #expect(try await keeping.persist("stop", "alice@127.0.0.1").exitStatus == 0)
            #expect(keeping.files.isEmpty)
        }
    }

    private func lost(
        _ keeping: Keeping, _ options: [String] = [],
        _ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws {
        let result = try await keeping.run("echo here", options + ["--json"], body)
        #expect(result.exitStatus == 198, "\(result.output)")
        #expect(result.output.contains("ssh.session.connection-lost"), "\(result.output)")
        #expect(result.output.contains(#""commandMayHaveRun":"unknown""#), "\(result.output)")
    }
}
