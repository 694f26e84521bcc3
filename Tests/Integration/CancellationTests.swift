import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A cancelled task: an orderly end, an error that shows whether the command may have run, and a connection that still works.
@Suite struct CancellationTests {
    @Test("cancelling a running command") func aRunningCommand() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let run = Task { try await connection.run("echo started >/tmp/mark; sleep 600") }
                while !box.hasMark { try await Task.sleep(for: .milliseconds(10)) }
                run.cancel()
                let error = try await #require(throws: SSHError.self) { try await run.value }
                #expect(error.code == .localCancelled)
                // It may have created its file before the client learns that it was started.
                #expect(error.commandMayHaveRun != .no)
                #expect(try await connection.run("echo still here").standardOutputText == "still here\n")
            }
        }
    }

    @Test("cancelling a reader of endless output") func aReaderOfOutputWithoutEnd() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let (started, starting) = AsyncStream.makeStream(of: Void.self)
                // A read that always finds data never waits.
                let run = Task {
                    try await connection.execute("yes") { execution in
                        for try await _ in execution.standardOutput { starting.finish() }
                    }
                }
                for await _ in started {}
                run.cancel()
                let error = try await #require(throws: SSHError.self) { try await run.value }
                #expect(error.code == .localCancelled)
            }
        }
    }

    @Test("cancelling a command that has started") func aCommandThatIsKnownToRun() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let (started, starting) = AsyncStream.makeStream(of: Void.self)
                let run = Task {
                    try await connection.execute("echo started; sleep 600") { execution in
                        for try await _ in execution.standardOutput.lines { starting.finish() }
                    }
                }
                for await _ in started {}
                run.cancel()
                let error = try await #require(throws: SSHError.self) { try await run.value }
                #expect(error.code == .localCancelled)
                // The signal that libssh2 1.11 can send is answered with the command's end.
                #expect(error.commandMayHaveRun == (InstalledLibrary.is111 ? .yes : .unknown))
            }
        }
    }

    /// Whenever the cancellation comes, the file that the command creates proves the claim.
    @Test("cancelling at any time", arguments: 0..<12) func atAnyMoment(_ turn: Int) async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let run = Task { try await connection.run("echo ran >/tmp/mark; sleep 600") }
                for _ in 0..<(turn * 40) { await Task.yield() }
                run.cancel()
                let error = try await #require(throws: SSHError.self) { try await run.value }
                #expect(error.code == .localCancelled)
                #expect(try await connection.run("true").termination == .exited(0))
                if error.commandMayHaveRun == .no { #expect(!box.hasMark) }
            }
        }
    }
}

extension SSHDSandbox {
    fileprivate var hasMark: Bool {
        (try? temporaryDirectory.appendingPathComponent("mark").checkResourceIsReachable()) == true
    }
}
