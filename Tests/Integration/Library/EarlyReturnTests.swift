import BridgeSSH
import SSHTestSupport
import Testing

/// A closure that returns while its command runs.
@Suite struct EarlyReturnTests {
    private static let endless = "while echo $$; do sleep 0.01; done"

    @Test("the first line of an endless command") func theFirstLineOfACommandWithoutEnd() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let line = try await connection.execute("echo first; sleep 600") {
                    try await $0.standardOutput.lines.first { _ in true }
                }.checked()
                #expect(line == "first")
                let outcome = try await connection.execute(Self.endless) { execution in
                    for try await line in execution.standardOutput.lines { return line }
                    return ""
                }
                #expect(Int(outcome.value) != nil && outcome.wasTerminated && outcome.error == nil)
                #expect(try await connection.run("echo still here").standardOutputText == "still here\n")
            }
        }
    }

    @Test("a command that is not read is awaited") func aCommandThatIsNotReadIsAwaited() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("echo a; echo b >&2; touch /tmp/done; exit 3") { _ in 7 }
                #expect(outcome.value == 7 && outcome.termination == .exited(3) && !outcome.wasTerminated)
                #expect(try await connection.run("test -e /tmp/done").termination == .exited(0))
                // One whose output was read to its end, too.
                let whole = try await connection.execute("echo a; exec >&-; sleep 0.2; exit 4") { execution in
                    for try await _ in execution.standardOutput {}
                }
                #expect(whole.termination == .exited(4) && !whole.wasTerminated)
            }
        }
    }

    @Test("both endings can be requested") func eitherCanBeAskedFor() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let waited = try await connection.execute("echo a; echo b; exit 5", whenBodyReturns: .wait) {
                    try await $0.standardOutput.lines.first { _ in true }
                }
                #expect(waited.value == "a" && waited.termination == .exited(5) && !waited.wasTerminated)
                let ended = try await connection.execute("sleep 600", whenBodyReturns: .terminate) { _ in }
                #expect(ended.wasTerminated && ended.error == nil)
            }
        }
    }
}
