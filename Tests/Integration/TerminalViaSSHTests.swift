import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Terminal sessions with `--via ssh`.
@Suite("A terminal session via ssh") struct TerminalViaSSHTests {
    private func session(
        _ command: String, body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun(.alice, command)
        testRun.tty = true
        return try await testRun.onTerminal(["--via", "ssh"], body: body)
    }

    @Test("the command's terminal has the local type and modes, and its lines end correctly") func terminal() async throws {
        let result = try await session("test -t 0 && test -t 1 && test -t 2 && echo $TERM; stty -a; exit 7") { _ in }
        #expect(result.exitStatus == 7, "\(result.output)")
        #expect(result.output.contains("xterm\r\n") && result.output.contains("isig icanon"), "\(result.output)")
        #expect(!result.output.contains("closed."), "\(result.output)")
    }

    @Test("^C goes to the command, which may continue") func interrupt() async throws {
        let result = try await session("trap 'echo caug''ht' INT; echo rea''dy; read a; read b; echo \"got $b\"") { process in
            try await process.standardOutput.wait(for: "ready")
            try await process.write("\u{3}")
            try await process.standardOutput.wait(for: "caught")
            try await process.write("x\ry\r")
        }
        #expect(result.exitStatus == 0 && result.output.contains("got "), "\(result.output)")
    }

    @Test("every byte passes through a terminal both ways") func bytes() async throws {
        let result = try await session("stty raw -echo; echo rea''dy; head -c 5 | od -An -tx1; printf '\\001\\377\\r\\n'") {
            process in
            try await process.standardOutput.wait(for: "ready")
            try await process.write("\u{11}\u{13}\u{1A}\u{1C}\r")
        }
        #expect(result.output.contains("11 13 1a 1c 0d"), "\(result.output)")
        #expect(Array(result.standardOutput).contains([1, 0xFF, 13, 10]), "\(result.output)")
    }

    @Test("without a terminal here the command has one, and its input ends") func piped() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun(.alice, "tty; cat; stty size")
        testRun.tty = true
        testRun.input = Array("line\n".utf8)
        let result = try await testRun.byExecutable(["--via", "ssh"])
        #expect(result.termination == .exited(0), "\(result.output) \(result.errorOutput)")
        #expect(result.output.contains("/dev/pts/") && result.output.contains("line\r\n"), "\(result.output)")
        #expect(result.output.hasSuffix("24 80\r\n") && result.errorOutput.isEmpty, "\(result.output) \(result.errorOutput)")
    }
}

extension [UInt8] {
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { firstRange(of: bytes) != nil }
}
