import Foundation
import SSHTestSupport
import Testing

/// Signals and job control, as ssh would have them.
@Suite("Signals and the terminal of a stand-in for ssh") struct StandInSignalTests {
    /// Whether a process is running; a zombie is not.
    private static func isAlive(_ process: Int32) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return state.split(separator: ")").last?.hasPrefix(" Z") == false
    }

    /// The children of a process.
    private static func children(_ process: Int32) -> [Int32] {
        let text = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return (text ?? "").split(separator: " ").compactMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private func call(_ command: String) async throws -> StandInCall {
        let box = try await SharedSandbox.plain.box()
        return StandInCall(words: try await StandInCall.options(box) + ["alice@127.0.0.1", command])
    }

    @Test(
        "a signal to bridge-ssh alone reaches ssh, and the status is ssh's",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGQUIT])
    func passedOn(_ number: Int32) async throws {
        let call = try await call("echo begun; sleep 1000")
        let press: @Sendable (RunningProcess) async throws -> Void = { process in
            try await process.standardOutput.wait(for: "begun")
            process.send(signal: number)
        }
        let (real, ours) = (try await call.bySSH(body: press), try await call.byStandIn(body: press))
        #expect(ours.termination == real.termination)
    }

    @Test("a broken pipe that another process sends reaches an ssh that does not ignore it yet") func brokenPipe() async throws {
        try await ScratchDirectory.with { scratch in
            // Like ssh before its connection, the script is killed by the signal.
            try scratch.write("#!/bin/sh\necho begun\nexec sleep 1000\n", to: "held", mode: 0o755)
            let call = StandInCall(words: ["web1"], environment: ["BRIDGE_SSH_OPENSSH": scratch.path("held")])
            let result = try await call.byStandIn { process in
                try await process.standardOutput.wait(for: "begun")
                process.send(signal: SIGPIPE)
            }
            #expect(result.termination == .signalled(SIGPIPE), "\(result.termination)")
        }
    }

    @Test("a second signal after the end of ssh does not cost the verdict") func twice()
        async throws
    {
        try await ScratchDirectory.with { scratch in
            // timeout(1) signals its child and then its group. If there is no log, the stand-in asks ssh for its settings
            // after a failure.
            let lines = [
                "#!/bin/sh", "if [ \"$1\" = -G ]; then kill -TERM $PPID; exit; fi", "trap 'exit 255' TERM", "kill -TERM $PPID",
                "while :; do sleep 0.01; done", "",
            ]
            try scratch.write(lines.joined(separator: "\n"), to: "ended", mode: 0o755)
            let call = StandInCall(words: ["web1"], environment: ["BRIDGE_SSH_OPENSSH": scratch.path("ended")])
            let (verdict, result) = try await call.verdict()
            #expect(result.termination == .exited(255) && verdict["endedBy"]?.text == "ssh")
        }
    }

    @Test("a signal ends bridge-ssh while the reader of standard error takes nothing") func stuckReader() async throws {
        try await ScratchDirectory.with { scratch in
            let pipe = scratch.path("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            let ends = open(pipe, O_RDWR | O_NONBLOCK)
            defer { close(ends) }
            while write(ends, "x", 1) == 1 {}
            let lines = [
                "#!/bin/sh", "while [ \"$1\" != -E ]; do shift; done", "printf 'a message\\r\\n' >\"$2\"", "echo begun",
                "exec sleep 1000", "",
            ]
            try scratch.write(lines.joined(separator: "\n"), to: "ssh", mode: 0o755)
            let result = try await ProcessRun.run(
                "/bin/sh", ["-c", "exec \"$@\" 2>\(pipe)", "sh", try BuiltExecutable.path("bridge-ssh"), "ssh", "web1"],
                environment: .exactly(["PATH": "/usr/bin:/bin", "BRIDGE_SSH_OPENSSH": scratch.path("ssh")])
            ) { process in
                try await process.standardOutput.wait(for: "begun")
                process.send(signal: SIGTERM)
            }
            #expect(result.termination == .signalled(SIGTERM), "\(result.termination)")
        }
    }

    @Test("if bridge-ssh is killed, ssh ends too") func killed() async throws {
        let box = ChildList()
        let result = try await call("echo begun; sleep 1000").byStandIn { process in
            try await process.standardOutput.wait(for: "begun")
            box.value = Self.children(process.pid)
            process.send(signal: SIGKILL)
        }
        #expect(result.termination == .signalled(SIGKILL))
        let ssh = try #require(box.value.first)
        while Self.isAlive(ssh) { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test("^Z stops both and fg continues both, ~^Z too; ~. ends with ssh's status") func jobControl() async throws {
        let sandbox = try await SharedSandbox.plain.box()
        let words = [try BuiltExecutable.path("bridge-ssh"), "ssh", "-tt"] + (try await StandInCall.options(sandbox))
        let line = (words + ["alice@127.0.0.1", "echo rea''dy; cat"]).map { "'\($0.replacing("'", with: "'\\''"))'" }
        try await ScratchDirectory.with { scratch in
            try scratch.write(line.joined(separator: " ") + "\n", to: "call")
            let environment = ProcessEnvironment.exactly([
                "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "TERM": "xterm", "PS1": "READY> ", "HISTFILE": "",
            ])
            let result = try await TerminalRun.run(
                "/bin/bash", ["--norc", "--noprofile", "-i"], environment: environment, columns: 200
            ) { process in
                try await process.standardOutput.wait(for: "READY> ")
                try await process.write("eval \"$(cat '\(scratch.path("call"))')\"\r")
                var place = try await process.standardOutput.wait(for: "ready")
                for _ in 0..<2 {
                    try await process.write("\r~\u{1A}")
                    place = try await process.standardOutput.wait(for: "Stopped", after: place)
                    try await process.write("fg\r")
                    place = try await process.standardOutput.wait(for: "alice@127.0.0.1", after: place)
                    try await process.write("ec''ho\r")
                    place = try await process.standardOutput.wait(for: "ec''ho", after: place)
                }
                try await process.write("\r~.")
                place = try await process.standardOutput.wait(for: "READY> ", after: place)
                try await process.write("echo \"status=$?\"\r")
                try await process.standardOutput.wait(for: "status=255", after: place)
                try await process.write("exit\r")
            }
            #expect(result.output.contains("Stopped"))
            // An end that a person requested is not reported.
            #expect(!result.output.contains("(ssh."), "\(result.output)")
        }
    }
}

/// A value that a closure passes to the code after it.
private final class ChildList: @unchecked Sendable {
    // Written in the closure, and read when that has ended.
    var value: [Int32] = []
}
