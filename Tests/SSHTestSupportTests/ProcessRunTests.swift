import Foundation
import SSHTestSupport
import Synchronization
import Testing

@Suite struct ProcessRunTests {
    @Test("separates outputs and reports the status") func separatesOutputsAndReportsTheStatus() async throws {
        let result = try await ProcessRun.run("sh", ["-c", "printf out; printf err >&2; exit 7"])
        #expect(result.output == "out")
        #expect(result.errorOutput == "err")
        #expect(result.termination == .exited(7))
    }

    @Test("passes bytes unchanged") func passesBytesUnchanged() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = try await ProcessRun.run("cat", input: .bytes(bytes))
        #expect(result.standardOutput == bytes)
    }

    @Test("feeds a file") func feedsAFile() async throws {
        try await ScratchDirectory.with { scratch in
            let path = try scratch.write("from a file", to: "input")
            #expect(try await ProcessRun.run("cat", input: .file(path)).output == "from a file")
        }
    }

    @Test("survives a process that does not read") func survivesAProcessThatDoesNotRead() async throws {
        let result = try await ProcessRun.run("true", input: .bytes([UInt8](repeating: 1, count: 1 << 20)))
        #expect(result.termination == .exited(0))
    }

    @Test("signals at an event") func signalsAtAnEvent() async throws {
        let result = try await ProcessRun.run("sh", ["-c", "echo ready; sleep 60"]) { process in
            try await process.standardOutput.wait(for: "ready\n")
            process.send(signal: SIGTERM)
        }
        #expect(result.termination == .signalled(SIGTERM))
    }

    @Test("a body writes and reads in turn") func writesAndReadsInTurn() async throws {
        let result = try await ProcessRun.run("cat", input: .pipe) { process in
            try await process.write("one\n")
            let end = try await process.standardOutput.wait(for: "one\n")
            try await process.write("two\n")
            try await process.standardOutput.wait(for: "two\n", after: end)
        }
        #expect(result.output == "one\ntwo\n")
    }

    @Test("ends a process that overruns") func endsAProcessThatOverruns() async throws {
        await #expect(throws: ProcessTimeout.self) {
            try await ProcessRun.run("sleep", ["60"], limit: .milliseconds(100))
        }
        await #expect(throws: ProcessTimeout.self) {
            try await ProcessRun.run("sleep", ["60"], limit: .milliseconds(100)) { try await $0.standardOutput.wait(for: "x") }
        }
    }

    @Test("ends a process whose body throws") func endsAProcessWhoseBodyThrows() async throws {
        struct Stop: Error {}
        await #expect(throws: Stop.self) { try await ProcessRun.run("sleep", ["60"]) { _ in throw Stop() } }
    }

    @Test("reports missing output") func reportsMissingOutput() async throws {
        let error = await #expect(throws: Transcript.Ended.self) {
            try await ProcessRun.run("echo", ["this"]) { try await $0.standardOutput.wait(for: "that") }
        }
        #expect(error?.awaited == "that")
    }

    @Test("names a missing program") func namesAMissingProgram() async throws {
        let error = await #expect(throws: MissingTool.self) { try await ProcessRun.run("no-such-program-anywhere") }
        #expect(error?.tool == "no-such-program-anywhere")
    }

    @Test("gives default signals and no descriptors") func givesDefaultSignalsAndNoDescriptors() async throws {
        let script = "sed -nE 's/^Sig(Ign|Blk):\\s*//p' /proc/self/status; ls /proc/self/fd | wc -l"
        let lines = try await ProcessRun.run("sh", ["-c", script]).output.split(separator: "\n")
        for mask in lines.prefix(2) {
            let signals = try #require(UInt64(mask, radix: 16))
            // The C library's posix_spawn leaves its own signals 32 and 33 ignored.
            #expect(signals & 0x7FFF_FFFF == 0, "\(mask)")
        }
        // Descriptors 0, 1 and 2, and the one of the directory that ls reads.
        #expect(lines.last == "4")
    }
}

@Suite struct TerminalRunTests {
    @Test("a body types at a prompt and sees the screen") func typesAtAPromptAndSeesTheScreen() async throws {
        let result = try await TerminalRun.run(
            "bash", ["-c", "read -rsp 'Secret: ' s </dev/tty; echo; echo \"got ${#s}\"; stty size; tty >/dev/null && echo tty"],
            columns: 99, rows: 11
        ) { terminal in
            try await terminal.standardOutput.wait(for: "Secret: ")
            try await terminal.write("hidden\r")
        }
        #expect(result.output == "Secret: \r\ngot 6\r\n11 99\r\ntty\r\n")
        #expect(result.termination == .exited(0))
    }

    @Test("^C interrupts") func aControlCInterrupts() async throws {
        let result = try await TerminalRun.run("sh", ["-c", "echo ready; sleep 60"]) { terminal in
            try await terminal.standardOutput.wait(for: "ready")
            try await terminal.write("\u{3}")
        }
        #expect(result.termination == .signalled(SIGINT))
    }
}

@Suite struct LeakTests {
    @Test("runs leave no descriptor and no zombie") func runsLeaveNoDescriptorAndNoZombie() async throws {
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try descriptors()
        for _ in 0..<60 {
            _ = try? await TerminalRun.run("no-such-program-anywhere")
            let pid = Mutex<Int32>(0)
            _ = try await TerminalRun.run("true") { process in pid.withLock { $0 = process.pid } }
            #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid.withLock { $0 })"))
            _ = try await ProcessRun.run("true", input: .bytes([1])) { process in pid.withLock { $0 = process.pid } }
            #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid.withLock { $0 })"))
        }
        // Concurrent tests open and close descriptors. A leak here would be 60 at least, and permanent.
        for _ in 0..<6000 where try descriptors() >= before + 55 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try descriptors() < before + 55)
    }
}
