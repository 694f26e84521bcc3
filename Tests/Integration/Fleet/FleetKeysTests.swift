import Foundation
import SSHTestSupport
import Testing

/// Single keys at the terminal while a run goes on, and what becomes of the terminal.
@Suite("Keys while a fleet runs") struct FleetKeysTests {
    /// Runs until the test says so.
    static let waiting = "echo started; while ! test -e /tmp/go; do sleep 0.05; done"

    private static func go(_ box: SSHDSandbox) throws {
        try Data().write(to: box.temporaryDirectory.appendingPathComponent("go"))
    }

    @Test("Enter lists what runs, + and - change the number at once, ? lists the keys, and no key is shown")
    func keys() async throws {
        try await FleetGround.with { ground in
            for number in 1...6 { ground.add("h\(number)") }
            let result = try await ground.person(
                ["run", "--parallel", "2", "--journal", "none", "h[1-6]", Self.waiting]
            ) { [box = ground.box] process in
                let screen = process.standardOutput
                var place = try await screen.wait(for: ": started")
                place = try await screen.wait(for: ": started", after: place)
                try await process.write("z?")
                place = try await screen.wait(for: "these keys", after: place)
                try await process.write("\r")
                place = try await screen.wait(for: "2 running, at most 2 at once", after: place)
                try await process.write("+")
                place = try await screen.wait(for: "at most 4 at once", after: place)
                // Two more are begun.
                place = try await screen.wait(for: ": started", after: place)
                place = try await screen.wait(for: ": started", after: place)
                try await process.write("--")
                place = try await screen.wait(for: "at most 1 at once", after: place)
                try Self.go(box)
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(!result.output.contains("z?"))
        }
    }

    /// In a shell with job control, whose terminal is looked at afterwards.
    private func shell(
        _ ground: FleetGround, _ words: [String], _ body: @escaping @Sendable (RunningProcess, String) async throws -> Void
    ) async throws -> ProcessResult {
        let program = try BuiltExecutable.path("bridge-ssh-fleet")
        let all = [program] + (try await ground.words(words))
        let line = all.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let call = try ground.write(line + "\n", to: "call")
        return try await TerminalRun.run(
            "/bin/bash", ["--norc", "--noprofile", "-i"],
            environment: .exactly([
                "PATH": "/usr/bin:/bin", "HOME": ground.box.directory.url.path, "LANG": "C.UTF-8", "TERM": "xterm",
                "PS1": "READY> ", "HISTFILE": "", "NO_COLOR": "1", "XDG_STATE_HOME": ground.box.directory.url.path,
            ]), columns: 200
        ) { process in
            try await process.standardOutput.wait(for: "READY> ")
            try await body(process, "eval \"$(cat '\(call)')\"")
        }
    }

    /// What stty says of the modes that keys change.
    private static let look = "echo \"modes=$(stty -a | grep -Eo -- ' -?(icanon|echo)( |$)' | tr -d '\\n')=\"\r"

    private static func isSane(_ text: String) -> Bool { !text.contains("-icanon") && !text.contains("-echo ") }

    @Test("the terminal is as it was after every end", arguments: ["end", "INT", "TERM", "QUIT", "HUP"])
    func restored(_ signal: String) async throws {
        try await FleetGround.with { ground in
            for number in 1...2 { ground.add("h\(number)") }
            let box = ground.box
            let pidFile = try ground.write("", to: "pid")
            _ = try await shell(ground, ["run", "--journal", "none", "h[1-2]", Self.waiting]) { process, call in
                let screen = process.standardOutput
                try await process.write("echo $$ > '\(pidFile)'; \(call)\r")
                var place = try await screen.wait(for: ": started")
                place = try await screen.wait(for: ": started", after: place)
                try await process.write("?")
                place = try await screen.wait(for: "these keys", after: place)
                switch signal {
                case "end": try Self.go(box)
                case "INT":
                    try await process.write("\u{3}")
                    place = try await screen.wait(for: "no more hosts are begun", after: place)
                    try await process.write("\u{3}")
                    place = try await screen.wait(for: "Again leaves", after: place)
                default:
                    _ = try await ProcessRun.check(
                        "/bin/sh", ["-c", "kill -\(signal) $(ps -o pid= --ppid $(cat '\(pidFile)') | head -1)"])
                }
                place = try await screen.wait(for: "READY> ", after: place)
                try await process.write(Self.look)
                place = try await screen.wait(for: "modes= ", after: place)
                let end = try await screen.wait(for: "=\r\n", after: place)
                let seen = String(decoding: screen.text.utf8.dropFirst(place).prefix(end - place), as: UTF8.self)
                #expect(Self.isSane(" " + seen), "\(seen)")
                try Self.go(box)
                try await process.write("exit\r")
            }
        }
    }

    @Test("keys are not taken where standard input is something else, or with --quiet", arguments: ["--quiet", "--hosts-file"])
    func off(_ option: String) async throws {
        try await FleetGround.with { ground in
            for number in 1...2 { ground.add("h\(number)") }
            let isQuiet = option == "--quiet"
            let options = isQuiet ? ["--quiet"] : ["--hosts-file", "-"]
            let words = ["run", "--journal", "none"] + options + ["h[1-2]", Self.waiting]
            let result = try await ground.person(words) { [box = ground.box] process in
                if !isQuiet { try await process.write("h1\rh2\r\u{4}") }
                var place = try await process.standardOutput.wait(for: ": started")
                place = try await process.standardOutput.wait(for: ": started", after: place)
                // It is shown by the terminal itself, because nothing has changed its modes.
                try await process.write("?!")
                place = try await process.standardOutput.wait(for: "?!", after: place)
                try Self.go(box)
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(!result.output.contains("these keys"))
        }
    }
}
