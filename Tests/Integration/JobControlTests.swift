import Foundation
import SSHTestSupport
import Testing

/// ^Z and fg, in a shell with job control, at a prompt and before it.
@Suite("A run that is stopped and continued")
struct JobControlTests {
    private func shell(
        _ box: SSHDSandbox, config: String = "", knownHosts: String? = nil, command: String = "echo do''ne",
        _ body: @escaping @Sendable (RunningProcess, String) async throws -> Void
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write(config.replacing("SCRATCH", with: scratch.url.path), to: "config")
            let known = if let knownHosts { knownHosts } else { try await box.knownHosts() }
            let words = [
                try BuiltExecutable.path("bridge-ssh"), "run", "-F", file, "--agent", "none", "-p", "\(box.port)", "-l", "alice",
                "--known-hosts", known, "127.0.0.1", "--", command,
            ].map { "'\($0.replacing("'", with: "'\\''"))'" }
            let line = words.joined(separator: " ")
            try scratch.write("\(line)\n", to: "call")
            return try await TerminalRun.run(
                "/bin/bash", ["--norc", "--noprofile", "-i"],
                environment: .exactly([
                    "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8", "TERM": "xterm", "PS1": "READY> ",
                    "HISTFILE": "",
                ]), columns: 200
            ) { process in
                try await process.standardOutput.wait(for: "READY> ")
                try await body(process, "eval \"$(cat '\(scratch.path("call"))')\"\r")
            }
        }
    }

    /// Presses ^Z, once, and waits for the shell's prompt.
    private func stop(_ process: RunningProcess, after place: Int) async throws -> Int {
        try await process.write("\u{1A}")
        let stopped = try await process.standardOutput.wait(for: "Stopped", after: place)
        return try await process.standardOutput.wait(for: "READY> ", after: stopped)
    }

    @Test("stopped at a password prompt, the shell has the terminal; after fg typing is hidden again")
    func atPassword() async throws {
        try await SSHDSandbox.run { box in
            let result = try await shell(box) { process, call in
                try await process.write(call)
                var place = try await process.standardOutput.wait(for: "Password of alice at 127.0.0.1: ")
                for _ in 0..<2 {
                    place = try await stop(process, after: place)
                    try await process.write("echo \"echoing=$(stty -a | grep -c ' echo ')\"\r")
                    place = try await process.standardOutput.wait(for: "echoing=1", after: place)
                    try await process.write("fg\r")
                    // The run asks again, because the shell has written below the first question.
                    place = try await process.standardOutput.wait(for: "Password of alice at 127.0.0.1: ", after: place)
                }
                try await process.write("alice-pw\r")
                place = try await process.standardOutput.wait(for: "done", after: place)
                // Text typed before the shell's prompt is the command's input.
                try await process.standardOutput.wait(for: "READY> ", after: place)
                try await process.write("exit\r")
            }
            #expect(!result.output.contains("alice-pw"), "\(result.output)")
        }
    }

    /// Gives the password, and leaves the shell when the command has run.
    private func answer(_ process: RunningProcess, after place: Int) async throws {
        try await process.write("alice-pw\r")
        let place = try await process.standardOutput.wait(for: "done", after: place)
        try await process.standardOutput.wait(for: "READY> ", after: place)
        try await process.write("exit\r")
    }

    /// Waits until the shell has said after `continued` that the job has stopped, which it does before one of its next prompts.
    private func waitUntilStopped(_ process: RunningProcess, since continued: Int, after place: Int) async throws -> Int {
        var place = place
        while !String(decoding: process.standardOutput.text.utf8.dropFirst(continued), as: UTF8.self).contains("Stopped") {
            try await process.write("sleep 0.1\r")
            place = try await process.standardOutput.wait(for: "READY> ", after: place)
        }
        return place
    }

    private static let prompt = "Password of alice at 127.0.0.1: "

    @Test("a run that is continued in the background stops again, and prompts in the foreground without echo")
    func inBackground() async throws {
        try await SSHDSandbox.run { box in
            let result = try await shell(box) { process, call in
                try await process.write(call)
                var place = try await process.standardOutput.wait(for: Self.prompt)
                place = try await stop(process, after: place)
                let continued = place
                try await process.write("bg\r")
                place = try await process.standardOutput.wait(for: "READY> ", after: place)
                // A job that is called back before it has stopped itself would stop in the foreground, as any program does.
                place = try await waitUntilStopped(process, since: continued, after: place)
                try await process.write("fg\r")
                place = try await process.standardOutput.wait(for: Self.prompt, after: place)
                try await answer(process, after: place)
            }
            #expect(!result.output.contains("alice-pw"), "\(result.output)")
        }
    }

    /// The line for the shell is in the terminal's queue when the run continues in the background: the run must not read it.
    @Test("text typed to the shell while the run is in the background is not an answer") func typedForTheShell() async throws {
        try await SSHDSandbox.run { box in
            let result = try await shell(box) { process, call in
                try await process.write(call)
                var place = try await process.standardOutput.wait(for: Self.prompt)
                for _ in 0..<5 {
                    place = try await stop(process, after: place)
                    let continued = place
                    try await process.write("bg\r")
                    place = try await process.standardOutput.wait(for: "READY> ", after: place)
                    try await process.write("sleep 0.1\r")
                    place = try await process.standardOutput.wait(for: "READY> ", after: place)
                    place = try await waitUntilStopped(process, since: continued, after: place)
                    try await process.write("fg\r")
                    place = try await process.standardOutput.wait(for: Self.prompt, after: place)
                }
                try await answer(process, after: place)
            }
            #expect(!result.output.contains("alice-pw"), "\(result.output)")
        }
    }

    @Test(
        "in the background a run's input has not ended: the run stops when someone types at the shell, and continues to read in the foreground"
    )
    func inputInBackground() async throws {
        try await SSHDSandbox.run { box in
            let config = "Host *\n  IdentityFile \(box.clientKeyFile)\n"
            let result = try await shell(box, config: config, command: "echo re''ady; sed -u s/^/got-/") { process, call in
                // What is typed before the shell has left its line editor would have no end of line.
                try await process.write(call)
                var place = try await process.standardOutput.wait(for: "ready")
                try await process.write("one\r")
                place = try await process.standardOutput.wait(for: "got-one", after: place)
                place = try await stop(process, after: place)
                let continued = place
                try await process.write("bg\r")
                place = try await process.standardOutput.wait(for: "READY> ", after: place)
                place = try await waitUntilStopped(process, since: continued, after: place)
                // The shell shows the command before it continues it, and has left its line editor then.
                try await process.write("fg\r")
                place = try await process.standardOutput.wait(for: "sed -u", after: place)
                try await process.write("two\r")
                place = try await process.standardOutput.wait(for: "got-two", after: place)
                try await process.write("\u{4}")
                place = try await process.standardOutput.wait(for: "READY> ", after: place)
                try await process.write("exit\r")
            }
            #expect(!result.output.contains("got-sleep"), "\(result.output)")
        }
    }

    @Test("a run that was started in the background prompts only in the foreground")
    func begunInBackground() async throws {
        try await SSHDSandbox.run { box in
            let result = try await shell(box) { process, call in
                try await process.write(call.replacing("\r", with: " &\r"))
                var place = try await process.standardOutput.wait(for: "READY> ")
                place = try await waitUntilStopped(process, since: 0, after: place)
                #expect(!process.standardOutput.text.contains(Self.prompt))
                try await process.write("fg\r")
                place = try await process.standardOutput.wait(for: Self.prompt, after: place)
                try await answer(process, after: place)
            }
            #expect(!result.output.contains("alice-pw"), "\(result.output)")
        }
    }

    @Test("a run that is stopped in the background can be ended by the shell's kill")
    func killed() async throws {
        try await SSHDSandbox.run { box in
            _ = try await shell(box) { process, call in
                try await process.write(call)
                var place = try await process.standardOutput.wait(for: Self.prompt)
                place = try await stop(process, after: place)
                try await process.write("kill %1\r")
                // The shell says how a job has ended before its next prompt, whenever it hears of it.
                while !process.standardOutput.text.contains("Exit 143") {
                    try await process.write("sleep 0.1\r")
                    place = try await process.standardOutput.wait(for: "READY> ", after: place)
                }
                try await process.write("exit\r")
            }
        }
    }

    @Test("the question about a host key is asked again too")
    func atHostKey() async throws {
        try await SSHDSandbox.run { box in
            let result = try await shell(box, knownHosts: "/dev/null") { process, call in
                try await process.write(call)
                var place = try await process.standardOutput.wait(for: "or the fingerprint: ")
                place = try await stop(process, after: place)
                try await process.write("fg\r")
                place = try await process.standardOutput.wait(for: "or the fingerprint: ", after: place)
                try await process.write("no\r")
                place = try await process.standardOutput.wait(for: "ssh.host-key.unknown", after: place)
                try await process.standardOutput.wait(for: "READY> ", after: place)
                try await process.write("exit\r")
            }
            #expect(result.output.contains("ssh.host-key.unknown"), "\(result.output)")
        }
    }

    @Test("^\\ at a password ends it, with the terminal as it was")
    func quit() async throws {
        try await SSHDSandbox.run { box in
            let result = try await TerminalRun.run(
                "/bin/sh",
                [
                    "-c", "trap : QUIT; \"$0\" \"$@\"; echo \"end=$?\"; stty -a", try BuiltExecutable.path("bridge-ssh"), "run",
                    "-F", "none", "--agent", "none", "-p", "\(box.port)", "-l", "alice", "--known-hosts",
                    try await box.knownHosts(), "127.0.0.1", "--", "true",
                ],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": box.directory.url.path, "TERM": "xterm"]), columns: 200
            ) { process in
                try await process.standardOutput.wait(for: Self.prompt)
                try await process.write("\u{1C}")
            }
            #expect(result.output.contains("end=131") && result.output.contains("cancelled by SIGQUIT"), "\(result.output)")
            #expect(result.output.contains(" echo ") && !result.output.contains("-echo "), "\(result.output)")
        }
    }

    @Test("a program of the configuration is stopped and continued with it")
    func whileReading() async throws {
        let config = "Match exec \"echo begun > /dev/tty; read line < SCRATCH/gate; true\"\nUser alice\n"
        try await SSHDSandbox.run { box in
            let result = try await shell(box, config: "\(config)IdentityFile \(box.clientKeyFile)\n") { process, call in
                try await process.write("mkfifo ~/gate; \(call)")
                var place = try await process.standardOutput.wait(for: "begun")
                place = try await stop(process, after: place)
                try await process.write("(echo > ~/gate) & fg %1\r")
                place = try await process.standardOutput.wait(for: "done", after: place)
                // Text typed before the shell's prompt is the command's input.
                try await process.standardOutput.wait(for: "READY> ", after: place)
                try await process.write("exit\r")
            }
            #expect(result.output.contains("done"), "\(result.output)")
        }
    }
}
