import Foundation
import SSHTestSupport
import Testing

/// Single keys at the terminal during a run, and the state of the terminal.
@Suite("Keys while a fleet runs") struct FleetKeysTests {
    /// Runs until the test ends it.
    static let waiting = "echo started; while ! test -e /tmp/go; do sleep 0.05; done"

    private static func go(_ box: SSHDSandbox) throws {
        try Data().write(to: box.temporaryDirectory.appendingPathComponent("go"))
    }

    @Test("Enter lists running hosts, + and - change the number at once, ? lists the keys, and no key is echoed")
    func keys() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("h\(number)") }
            let result = try await fixture.person(
                ["run", "--parallel", "2", "--journal", "none", "h[1-6]", Self.waiting]
            ) { [box = fixture.box] process in
                let screen = process.standardOutput
                var place = try await screen.wait(for: ": started")
                place = try await screen.wait(for: ": started", after: place)
                try await process.write("z?")
                place = try await screen.wait(for: "these keys", after: place)
                try await process.write("\r")
                place = try await screen.wait(for: "2 running, at most 2 at once", after: place)
                try await process.write("+")
                place = try await screen.wait(for: "at most 4 at once", after: place)
                // Two more hosts are started.
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

    /// Runs until the test ends it for its host.
    private static let waitingForName = "echo started; while ! test -e /tmp/go-$LC_HOST; do sleep 0.05; done"

    private static func go(_ box: SSHDSandbox, _ host: String) throws {
        try Data().write(to: box.temporaryDirectory.appendingPathComponent("go-\(host)"))
    }

    @Test("a question between batches owns the terminal: typed text is echoed and is not a key")
    func question() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let result = try await fixture.person([
                "run", "--batch", "1,100%", "--between", "ask", "--parallel", "2", "--journal", "none", "h[1-3]",
                Self.waitingForName,
            ]) { [box = fixture.box] process in
                let screen = process.standardOutput
                var place = try await screen.wait(for: "h1: started")
                try await process.write("?")
                place = try await screen.wait(for: "these keys", after: place)
                try Self.go(box, "h1")
                place = try await screen.wait(for: "Type yes or no: ", after: place)
                // A line edited at a terminal: ^U deletes it.
                try await process.write("?++\u{15}")
                try await process.write("yes\r")
                place = try await screen.wait(for: "yes", after: place)
                place = try await screen.wait(for: ": started", after: place)
                place = try await screen.wait(for: ": started", after: place)
                try await process.write("?")
                place = try await screen.wait(for: "these keys", after: place)
                try await process.write("+")
                place = try await screen.wait(for: "at most 4 at once", after: place)
                for host in ["h2", "h3"] { try Self.go(box, host) }
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(result.output.components(separatedBy: "these keys").count == 3, "\(result.output)")
            #expect(!result.output.contains("at most 8 at once"), "\(result.output)")
        }
    }

    @Test("Ctrl-C during the pause between batches ends the run", arguments: ["ask", "10m", "echo begun; sleep 600; true"])
    func interrupted(_ between: String) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let words = ["run", "--batch", "1", "--between", between, "--journal", "none", "h[1-3]", "echo ran"]
            let result = try await fixture.person(words) { process in
                let screen = process.standardOutput
                let place = try await screen.wait(for: ": ran")
                if between == "ask" { try await screen.wait(for: "Type yes or no: ", after: place) }
                if between.hasPrefix("echo") { try await screen.wait(for: "begun", after: place) }
                try await process.write("\u{3}")
            }
            #expect(result.exitStatus == 130, "\(result.output)")
            #expect(result.output.contains("1 ok, 2 skipped"), "\(result.output)")
        }
    }

    @Test("any answer but yes ends the run and restores the terminal")
    func refused() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let result = try await fixture.person([
                "run", "--batch", "1,100%", "--between", "ask", "--journal", "none", "h[1-2]", "echo ran",
            ]) { process in
                try await process.standardOutput.wait(for: "Type yes or no: ")
                try await process.write("+\r")
            }
            #expect(result.exitStatus == 192 && result.output.contains("the next batch was declined"), "\(result.output)")
            #expect(!result.output.contains("h2: ran"))
        }
    }

    /// In a shell with job control, whose terminal is looked at afterwards.
    private func shell(
        _ fixture: FleetFixture, _ words: [String], _ body: @escaping @Sendable (RunningProcess, String) async throws -> Void
    ) async throws -> ProcessResult {
        let program = try BuiltExecutable.path("bridge-ssh-fleet")
        let all = [program] + (try await fixture.words(words))
        let line = all.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let call = try fixture.write(line + "\n", to: "call")
        return try await TerminalRun.run(
            "/bin/bash", ["--norc", "--noprofile", "-i"],
            environment: .exactly([
                "PATH": "/usr/bin:/bin", "HOME": fixture.box.directory.url.path, "LANG": "C.UTF-8", "TERM": "xterm",
                "PS1": "READY> ", "HISTFILE": "", "NO_COLOR": "1", "XDG_STATE_HOME": fixture.box.directory.url.path,
            ]), columns: 200
        ) { process in
            try await process.standardOutput.wait(for: "READY> ")
            try await body(process, "eval \"$(cat '\(call)')\"")
        }
    }

    /// stty's output for the modes that the keys change.
    private static let look = "echo \"modes=$(stty -a | grep -Eo -- ' -?(icanon|echo)( |$)' | tr -d '\\n')=\"\r"

    private static func isSane(_ text: String) -> Bool { !text.contains("-icanon") && !text.contains("-echo ") }

    @Test("every end restores the terminal", arguments: ["end", "INT", "TERM", "QUIT", "HUP"])
    func restored(_ signal: String) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let box = fixture.box
            let pidFile = try fixture.write("", to: "pid")
            _ = try await shell(fixture, ["run", "--journal", "none", "h[1-2]", Self.waiting]) { process, call in
                let screen = process.standardOutput
                try await process.write("echo $$ > '\(pidFile)'; \(call)\r")
                var place = try await screen.wait(for: ": started")
                place = try await screen.wait(for: ": started", after: place)
                try await process.write("?")
                place = try await screen.wait(for: "these keys", after: place)
                switch signal {
                case "end": try Self.go(box)
                case "INT":
                    // A message replaces the progress line.
                    place = try await screen.wait(for: "running 2", after: place)
                    try await process.write("\u{3}")
                    place = try await screen.wait(for: "\r\u{1B}[Jbridge-ssh: no further hosts are started", after: place)
                    try await process.write("\u{3}")
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

    @Test("while stopped and in the background the shell has the terminal; in the foreground keys work again")
    func jobControl() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let box = fixture.box
            _ = try await shell(fixture, ["run", "--journal", "none", "h[1-2]", Self.waiting]) { process, call in
                let screen = process.standardOutput
                /// A word that occurs only in the shell's own output, and the terminal's modes at that time.
                func looked(after place: Int) async throws -> Int {
                    try await process.write(Self.look)
                    let begin = try await screen.wait(for: "modes= ", after: place)
                    let end = try await screen.wait(for: "=\r\n", after: begin)
                    let seen = String(decoding: screen.text.utf8.dropFirst(begin).prefix(end - begin), as: UTF8.self)
                    #expect(Self.isSane(" " + seen), "\(seen)")
                    return end
                }
                /// The run checks every quarter of a second whether it is in the foreground again; keys that were pressed
                /// before belong to the terminal's line.
                func keyTaken(after place: Int) async throws -> Int {
                    while !String(decoding: screen.text.utf8.dropFirst(place), as: UTF8.self).contains("these keys") {
                        try await process.write("?")
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    return try await screen.wait(for: "these keys", after: place)
                }
                try await process.write("\(call)\r")
                var place = try await screen.wait(for: ": started")
                place = try await screen.wait(for: ": started", after: place)
                for _ in 0..<2 {
                    place = try await keyTaken(after: place)
                    try await process.write("\u{1A}")
                    place = try await screen.wait(for: "Stopped", after: place)
                    place = try await looked(after: place)
                    try await process.write("bg\r")
                    place = try await screen.wait(for: "READY> ", after: place)
                    // The shell's input line, in which the run's keys are ordinary letters.
                    try await process.write("echo \"in\"\"shell?+-\"\r")
                    place = try await screen.wait(for: "inshell?+-", after: place)
                    place = try await looked(after: place)
                    try await process.write("fg\r")
                    // Enter is one of the keys too, once they are on again.
                    place = try await screen.wait(for: "bridge-ssh-fleet", after: place)
                }
                place = try await keyTaken(after: place)
                try await process.write("\u{1A}")
                place = try await screen.wait(for: "Stopped", after: place)
                try await process.write("bg\r")
                place = try await screen.wait(for: "READY> ", after: place)
                try Self.go(box)
                try await process.write("wait; echo \"all\"\"over\"\r")
                place = try await screen.wait(for: "allover", after: place)
                place = try await looked(after: place)
                try await process.write("exit\r")
            }
        }
    }

    @Test("keys do not work if standard input is not the terminal, or with --quiet", arguments: ["--quiet", "--hosts-file"])
    func off(_ option: String) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let isQuiet = option == "--quiet"
            let options = isQuiet ? ["--quiet"] : ["--hosts-file", "-"]
            let words = ["run", "--journal", "none"] + options + ["h[1-2]", Self.waiting]
            let result = try await fixture.person(words) { [box = fixture.box] process in
                if !isQuiet { try await process.write("h1\rh2\r\u{4}") }
                var place = try await process.standardOutput.wait(for: ": started")
                place = try await process.standardOutput.wait(for: ": started", after: place)
                // The terminal itself echoes it, because its modes are unchanged.
                try await process.write("?!")
                place = try await process.standardOutput.wait(for: "?!", after: place)
                try Self.go(box)
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(!result.output.contains("these keys"))
        }
    }
}
