import Foundation
import SSHTestSupport
import Testing

/// Signals end every command at any time before there is a connection, within a second and with the usual status.
@Suite("Signals before the connection")
struct EarlySignalTests {
    /// Something that a command waits for.
    struct Wait: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The arguments; `INPUT` is the standard input, `FIFO` a pipe, and nothing is ever written to either; a child writes its
        /// process ID to the file `MARK`.
        let words: [String]
        var configuration = ""

        init(_ name: String, _ words: [String], _ configuration: String = "") {
            testDescription = name
            self.words = words
            self.configuration = configuration
        }
    }

    private static let plain = ["run", "-F", "none", "--agent", "none", "--batch", "-p", "1", "-l", "a"]
    private static let rest = ["127.0.0.1", "--", "true"]

    /// The path of a shell's `<(…)`.
    private static let inputs = [
        Wait("the configuration", ["run", "-F", "INPUT"] + rest),
        Wait("the configuration, of doctor", ["doctor", "-F", "INPUT", "web1"]),
        Wait("the configuration, of config", ["config", "-F", "INPUT", "web1"]),
        Wait("the configuration, of copy", ["copy", "-F", "INPUT", "x", "web1:"]),
        Wait("the configuration, of trust", ["trust", "-F", "INPUT", "web1"]),
        Wait("an included file", ["config", "-F", "CONFIG", "web1"], "Include INPUT\n"),
        Wait("known hosts", plain + ["--known-hosts", "INPUT"] + rest),
        Wait("known hosts, of trust", ["trust", "-F", "none", "--known-hosts", "INPUT", "-p", "1", "127.0.0.1"]),
        Wait("known hosts, of doctor", ["doctor", "-F", "none", "--known-hosts", "INPUT", "-p", "1", "127.0.0.1"]),
        Wait("a password file", plain + ["--password-file", "INPUT"] + rest),
        Wait("a passphrase file", plain + ["--passphrase-file", "INPUT"] + rest),
        Wait("a password file, of copy", ["copy", "-F", "none", "--password-file", "INPUT", "x", "web1:"]),
    ]

    /// Continues as soon as the pipe is open for writing.
    private static let input = Wait("a file for the command's input", plain + ["--stdin", "FIFO"] + rest)

    private static let children = [
        Wait("Match exec", ["run", "-F", "CONFIG"] + rest, "Match exec \"echo $$ > MARK; sleep 600; true\"\nPort 1\n"),
        Wait(
            "Match exec, of config", ["config", "-F", "CONFIG", "web1"],
            "Match exec \"echo $$ > MARK; sleep 600; true\"\nPort 1\n"),
        Wait(
            "Match exec that ignores SIGTERM", ["config", "-F", "CONFIG", "web1"],
            "Match exec \"trap '' TERM HUP INT; echo $$ > MARK; while :; do sleep 600; done\"\nPort 1\n"),
        Wait("ProxyCommand", ["run", "-F", "CONFIG", "--batch"] + rest, "ProxyCommand sh -c 'echo $$ > MARK; exec sleep 600'\n"),
    ]

    private static let signals: [(Int32, Int32)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)]

    /// - Parameter waiting: returns when the command waits; its result is kept until the command has ended.
    private func check(
        _ wait: Wait, _ signals: [(Int32, Int32)],
        _ waiting: @escaping @Sendable (ScratchDirectory, RunningProcess) async throws -> Int32
    ) async throws {
        for (signal, status) in signals {
            try await ScratchDirectory.with { scratch in
                func placed(_ text: String) -> String {
                    text.replacing("INPUT", with: "/dev/fd/0").replacing("FIFO", with: scratch.path("fifo")).replacing(
                        "MARK", with: scratch.path("mark")
                    )
                    .replacing("CONFIG", with: scratch.path("config"))
                }
                try #require(mkfifo(scratch.path("fifo"), 0o600) == 0)
                try scratch.write(placed(wait.configuration), to: "config")
                let result = try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh"), wait.words.map(placed),
                    environment: .exactly([
                        "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "XDG_RUNTIME_DIR": scratch.url.path, "LANG": "C.UTF-8",
                    ]), input: .pipe, limit: .seconds(60)
                ) { process in
                    let held = try await waiting(scratch, process)
                    process.send(signal: signal)
                    // This side is closed only after the command has ended, because the end of the pipe would end the
                    // command's wait.
                    _ = try? await process.standardError.wait(for: "never said")
                    if held >= 0 { close(held) }
                }
                #expect(result.termination == .exited(status), "\(wait.testDescription): \(result.errorOutput)")
                #expect(
                    result.errorOutput.contains("ssh.local.cancelled") || result.output.contains("ssh.local.cancelled"),
                    "\(result.errorOutput)")
                if let number = (try? String(contentsOfFile: scratch.path("mark"), encoding: .utf8)).flatMap({
                    pid_t($0.trimmingCharacters(in: .newlines))
                }) {
                    // Wait until the command's child has ended too; the suite's time limit bounds this.
                    while kill(number, 0) == 0, !Self.isZombie(number) { try await Task.sleep(for: .milliseconds(20)) }
                }
            }
        }
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test("a signal while an open pipe is read instead of a file", .timeLimit(.minutes(2)), arguments: inputs) func input(
        _ wait: Wait
    ) async throws {
        try await check(wait, Self.signals) { _, process in
            while !Self.blocksSignals(process.pid) { try await Task.sleep(for: .milliseconds(10)) }
            return -1
        }
    }

    @Test("a signal while a pipe without a writer is opened", .timeLimit(.minutes(2))) func closedPipe() async throws {
        try await check(Self.input, Self.signals) { _, process in
            // Signals are blocked before anything is opened: a thread of their own waits for them.
            while !Self.blocksSignals(process.pid) { try await Task.sleep(for: .milliseconds(10)) }
            return -1
        }
    }

    private static func blocksSignals(_ process: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.dropFirst(7) ?? ""
        let blocked = UInt64(mask.trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
        return signals.allSatisfy { blocked & (1 << UInt64($0.0 - 1)) != 0 }
    }

    @Test("a signal ends an endless program too", .timeLimit(.minutes(2)), arguments: children)
    func child(_ wait: Wait) async throws {
        try await check(wait, Self.signals) { scratch, _ in
            while (try? String(contentsOfFile: scratch.path("mark"), encoding: .utf8))?.hasSuffix("\n") != true {
                try await Task.sleep(for: .milliseconds(10))
            }
            return -1
        }
    }
}
