import BridgeSSHFleet
import ErrorCore
import FleetOutput
import FleetSamples
import Synchronization
import Testing

@Suite("Display of a run")
struct FleetDisplayTests {
    /// Keeps the output of both streams together, in order, as a terminal shows it.
    private final class Recorder: FleetSink {
        private let written = Mutex<[(SSHEvidence.OutputStream, [UInt8])]>([])

        func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
            // A slow reader gives other tasks time to write.
            await Task.yield()
            written.withLock { $0.append((stream, bytes)) }
        }

        func text(_ stream: SSHEvidence.OutputStream? = nil) -> String {
            written.withLock { written in
                String(decoding: written.filter { stream == nil || $0.0 == stream }.flatMap(\.1), as: UTF8.self)
            }
        }
    }

    private let results = [
        SampleRun.result("web1", output: "up\n"), SampleRun.result("web2", .failed, status: 3, error: "no"),
        SampleRun.result("web3", .error, code: .authKeyRejected), SampleRun.result("web4", .error, code: .authKeyRejected),
        SampleRun.result("web5", .unknown, code: .sessionConnectionLost), SampleRun.result("web6", .skipped),
    ]

    private func events(journal: String? = "/x.sqlite") -> [FleetEvent] {
        [SampleRun.started(6, journal: journal), SampleRun.output("web1", "up\n")] + results.map { .ended($0) }
            + [.stopped(rule: "error=2", reason: "2 hosts"), .summary(SampleRun.summary(results))]
    }

    /// The options of a run with a journal.
    private static func options(directory: JournalDirectory = JournalDirectory("/x")) -> FleetDisplay.Options {
        var options = FleetDisplay.Options()
        options.run = RunReference(run: "20261123-021000-000abc", option: directory.option)
        return options
    }

    private func show(_ options: FleetDisplay.Options, _ events: [FleetEvent], ticks: Bool = false) async throws -> Recorder {
        let recorder = Recorder()
        let display = try FleetDisplay(
            options, sink: recorder, folded: SampleRun.joined, running: { RunningHosts(count: 2) }, now: { .seconds(5) })
        for event in events {
            try await display.take(event)
            if ticks { try await display.tick() }
        }
        return recorder
    }

    @Test("with pipes, hosts' output is on one, and bridge-ssh's messages on the other")
    func pipes() async throws {
        let recorder = try await show(Self.options(), events(), ticks: true)
        #expect(recorder.text(.standardOutput) == "web1: up\n")
        let refused = SSHError(.authKeyRejected)
        let lost = SSHError(.sessionConnectionLost)
        let expected = """
            bridge-ssh: web2: exit status 3
            bridge-ssh: web3: [ssh.auth.key-rejected] \(refused.message)
            bridge-ssh: web4: [ssh.auth.key-rejected] \(refused.message)
            bridge-ssh: web5: [ssh.session.connection-lost] \(lost.message)
            bridge-ssh: stopped by the rule error=2: 2 hosts
            ✖ 2 hosts: \(SSHError.Code.authKeyRejected.title) [ssh.auth.key-rejected]
              web3,web4
              → \(refused.remedy)
            ✖ 1 host: exit status 3 [ssh.command.exit-nonzero]
              web2
            ✖ 1 host: \(SSHError.Code.sessionConnectionLost.title) [ssh.session.connection-lost]
              web5
              → \(lost.remedy)
            6 hosts in 2.0 s: 1 ok, 1 failed, 2 error, 1 unknown, 1 skipped
            3 hosts did not run it: `bridge-ssh fleet resume 20261123-021000-000abc`
            1 host may have run it: look there first: `bridge-ssh fleet hosts @run:20261123-021000-000abc:unknown`
            1 host failed: list it: `bridge-ssh fleet hosts @run:20261123-021000-000abc:failed`

            """
        #expect(recorder.text(.standardError) == expected)
    }

    @Test(
        "a group shows the message of its cause, and no message if it differs between hosts",
        arguments: [("/srv/a", true), ("/srv/b", false)])
    func commonCause(path: String, isCommon: Bool) async throws {
        func full(_ host: String, _ path: String) -> FleetHostResult {
            SampleRun.result(host, .failed, status: 1, error: "dd: error writing '\(path)': No space left on device\n")
        }
        let results = [full("web1", "/srv/a"), full("web2", path)]
        let events = [SampleRun.started(2)] + results.map { .ended($0) } + [.summary(SampleRun.summary(results))]
        let said = try await show(FleetDisplay.Options(), events).text(.standardError)
        let group = """
            ✖ 2 hosts: exit status 1, remote.no-space [ssh.command.exit-nonzero]
              web1,web2

            """
        let message = "  The server's disk is full: writing /srv/a failed.\n"
        #expect(said.contains(group + (isCommon ? message : "2 hosts in")), "\(said)")
    }

    @Test("the number that a percentage means is announced; a plain number is not")
    func stopNumber() async throws {
        let start = FleetEvent.Start(
            run: "r", hosts: 40, command: "uptime", parallel: 8,
            stopRules: [("failed=5%", 2), ("ssh.auth.*=3", 3), ("any=1%", 1)])
        let said = try await show(FleetDisplay.Options(), [.started(start)]).text()
        #expect(said == "bridge-ssh: stops at 2 hosts: failed=5%\nbridge-ssh: stops at 1 host: any=1%\n")
    }

    @Test("unknown hosts get one command that trusts them all, even with other failures")
    func unknownHosts() async throws {
        var results = [
            SampleRun.result("web1", .error, code: .hostKeyUnknown), SampleRun.result("web2", .error, code: .hostKeyChanged),
            SampleRun.result("web3", .error, code: .hostKeyUnknown),
        ]
        // The options that all have in common are those of the run.
        for index in [0, 2] {
            let error = try #require(results[index].error)
            var evidence = error.evidence
            evidence.options = ["-F", "my config", "-o", "HostName=192.0.2.\(index)"]
            results[index].error = SSHError(
                code: error.code, message: error.message, hint: "", confidence: .exact, retry: .afterFix, evidence: evidence)
        }
        let events = [SampleRun.started(3, journal: "/x")] + results.map { .ended($0) } + [.summary(SampleRun.summary(results))]
        let named = Self.options(directory: JournalDirectory("/my runs", isNamed: true))
        let said = try await show(named, events).text(.standardError)
        let end = """
            3 hosts did not run it: `bridge-ssh fleet resume --journal '/my runs' 20261123-021000-000abc`
            2 hosts not known: `bridge-ssh fleet trust --journal '/my runs' -F 'my config' \
            @run:20261123-021000-000abc:ssh.host-key.unknown`

            """
        #expect(said.hasSuffix(end), "\(said)")
        var inventoried = FleetDisplay.Options()
        inventoried.run = RunReference(run: "20261123-021000-000abc", option: "", inventory: ["--inventory", "my hosts"])
        let command = "`bridge-ssh fleet trust --inventory 'my hosts' -F 'my config' @run:"
        #expect(try await show(inventoried, events).text(.standardError).contains(command))
    }

    @Test("without a journal no command to resume is shown; --quiet shows no message")
    func quiet() async throws {
        #expect(!(try await show(FleetDisplay.Options(), events(journal: nil))).text().contains("fleet resume"))
        var options = Self.options()
        options.isQuiet = true
        let recorder = try await show(options, events(), ticks: true)
        #expect(recorder.text() == "web1: up\n")
    }

    @Test("the progress line is removed before every other line, and at the end")
    func progressLine() async throws {
        var options = FleetDisplay.Options()
        options.form = Rendering.terminal
        let text = try await show(options, events(), ticks: true).text()
        let screen = Self.screen(text)
        #expect(!screen.contains { $0.contains("done ") })
        #expect(screen.first == "web1: up")
        #expect(screen.contains { $0 == "bridge-ssh: web2: exit status 3" })
        #expect(text.contains("done 2/6 · ok 1 · failed 1"))
        #expect(text.split(separator: "\r").allSatisfy { !$0.hasPrefix("done") || !$0.contains("\n") })
    }

    @Test("no progress line on a terminal that cannot erase it") func dumb() async throws {
        var options = FleetDisplay.Options()
        options.form = Rendering.terminal
        options.form.isErrorDumb = true
        let text = try await show(options, events(), ticks: true).text()
        #expect(!text.contains("\u{1B}[J") && !text.contains("\r"), "\(text)")
        #expect(text.contains("bridge-ssh: web2: exit status 3"))
    }

    @Test("a narrowed window keeps no remains of the progress line")
    func narrower() async throws {
        let terminal = FoldingTerminal(width: 100)
        var options = FleetDisplay.Options()
        options.form = Rendering.terminal
        options.form.width = 100
        options.width = { terminal.width }
        let running = RunningHosts(count: 64, slowest: ("a-host-with-a-rather-long-name", .seconds(34)), waiting: 12)
        let display = try FleetDisplay(
            options, sink: terminal, folded: SampleRun.joined, running: { running }, now: { .seconds(5) })
        try await display.take(SampleRun.started(1000))
        try await display.take(SampleRun.output("h", "output\n"))
        for width in [100, 60, 31, 90, 20, 55, 100] {
            terminal.width = width
            for _ in 0..<2 {
                try await display.tick()
                let rows = terminal.rows
                #expect(rows.count { $0.contains("done") || $0.contains("running") || $0.contains("slowest") } == 1, "\(rows)")
                #expect(rows.first?.hasPrefix("h: output") == true && rows.allSatisfy { $0.count < width }, "\(rows)")
            }
        }
        terminal.width = 40
        try await display.take(.summary(SampleRun.summary([SampleRun.result("h")])))
        #expect(!terminal.rows.contains { $0.contains("done") }, "\(terminal.rows)")
    }

    @Test("a message is folded between words to the terminal's width; elsewhere it is one line", arguments: [40, 79, 81, nil])
    func message(width: Int?) async throws {
        var options = FleetDisplay.Options()
        if let width {
            options.form = Rendering.terminal
            options.form.width = width
        }
        let recorder = Recorder()
        let display = try FleetDisplay(
            options, sink: recorder, folded: SampleRun.joined, running: { RunningHosts() }, now: { .seconds(5) })
        let words = "stopping the running commands. Press Ctrl-C again to quit without waiting for them."
        try await display.note(words)
        let reason = "Cannot write /srv/out/web1.json here: the local file system is full, and so is everything else."
        try await display.take(.stopped(rule: nil, reason: reason))
        // The progress line comes last.
        let lines = Self.screen(recorder.text(.standardError)).filter { !$0.hasPrefix("done") }
        #expect(lines.allSatisfy { $0.count < width ?? .max }, "\(lines)")
        #expect(width == nil ? lines.count == 2 : lines.count > 3, "\(lines)")
        let text = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
        #expect(text == "bridge-ssh: \(words) bridge-ssh: stopped: \(reason)")
    }

    @Test("an ASCII terminal gets lines that fit, without character codes")
    func ascii() async throws {
        for width in [40, 80, 81] {
            var options = FleetDisplay.Options()
            options.form = Rendering.terminal
            options.form.glyphs = .ascii
            options.form.width = width
            options.modes = try OutputModes("fold")
            let text = try await show(options, events(), ticks: true).text()
            #expect(text.utf8.allSatisfy { $0 < 0x80 } && !text.contains("\\u{"), "\(text)")
            #expect(text.contains("-- web1 (1) * ok"), "\(text)")
            let lines = text.replacing("\u{1B}[J", with: "").split(whereSeparator: \.isNewline)
            let notices = lines.filter { $0.hasPrefix("bridge-ssh: web") || $0.hasPrefix("done") }
            #expect(!notices.isEmpty && notices.allSatisfy { $0.count < width }, "\(notices)")
            #expect(notices.contains { $0.hasSuffix("...") }, "\(notices)")
        }
    }

    @Test("hosts that fail at one jump host are a group, which names it")
    func jumpHost() async throws {
        func refused(_ host: String, behind: Bool) -> FleetHostResult {
            var evidence = SSHEvidence(event: .connectionFailed, stage: .connect)
            evidence.host = behind ? "10.0.0.1" : host
            evidence.name = behind ? "gate" : host
            evidence.port = 22
            if behind { evidence.hop = SSHHopEvidence(number: 1, count: 2, via: []) }
            var result = SampleRun.result(host, .error, code: .connectRefused)
            result.error = SSHFailureClassifier.classify(evidence)
            return result
        }
        let results = [refused("a", behind: true), refused("b", behind: true), refused("c", behind: false)]
        let events = [SampleRun.started(3)] + results.map { .ended($0) } + [.summary(SampleRun.summary(results))]
        let said = try await show(FleetDisplay.Options(), events).text(.standardError)
        #expect(said.contains("2 hosts: ") && said.contains(", at the jump host gate (10.0.0.1) port 22 ["), "\(said)")
        #expect(said.contains("✖ 1 host: "), "\(said)")
    }

    @Test("many who write at once never tear a line")
    func concurrent() async throws {
        var options = FleetDisplay.Options()
        options.form = Rendering.terminal
        let recorder = Recorder()
        let display = try FleetDisplay(options, sink: recorder, folded: SampleRun.joined)
        try await display.take(SampleRun.started(100))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for index in 0..<200 { try await display.take(SampleRun.output("h", "line \(index)\n")) } }
            for _ in 0..<3 { group.addTask { for _ in 0..<200 { try await display.tick() } } }
            try await group.waitForAll()
        }
        let lines = Self.screen(recorder.text()).filter { !$0.hasPrefix("done") }
        #expect(lines == (0..<200).map { "h: line \($0)" })
    }

    @Test("in the background no progress is drawn, and no other program's text is erased")
    func background() async throws {
        var options = FleetDisplay.Options()
        options.form = Rendering.terminal
        let recorder = Recorder()
        let display = try FleetDisplay(options, sink: recorder, folded: SampleRun.joined)
        try await display.take(SampleRun.started(100))
        try await display.tick()
        let before = recorder.text()
        #expect(before.contains("done 0/100"))
        await display.setTerminalIsElsewhere(true)
        try await display.tick()
        try await display.take(SampleRun.output("h", "line\n"))
        #expect(recorder.text().dropFirst(before.count) == "h: line\n")
        await display.setTerminalIsElsewhere(false)
        try await display.tick()
        #expect(recorder.text().hasSuffix("\u{1B}[J\r") && recorder.text().dropFirst(before.count).contains("done 0/100"))
    }

    @Test("without a terminal progress is a line every ten seconds, only on request")
    func report() async throws {
        let time = Mutex(Duration.seconds(0))
        for isVerbose in [true, false] {
            var options = FleetDisplay.Options()
            options.isVerbose = isVerbose
            let recorder = Recorder()
            let display = try FleetDisplay(options, sink: recorder, folded: SampleRun.joined, now: { time.withLock { $0 } })
            try await display.take(SampleRun.started(3))
            for _ in 0..<150 {
                try await display.tick()
                time.withLock { $0 += .milliseconds(200) }
            }
            let line = "bridge-ssh: done 0/3 · running 0\n"
            #expect(recorder.text() == (isVerbose ? line + line : ""))
        }
    }

    @Test("standard output contains only JSON lines")
    func jsonl() async throws {
        var options = FleetDisplay.Options()
        options.modes = try OutputModes("jsonl")
        let recorder = try await show(options, events())
        let lines = recorder.text(.standardOutput).split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"schema\":\"bridge-ssh-fleet/1\"") })
        #expect(lines.last?.contains("\"event\":\"summary\"") == true)
    }

    @Test("standard output that fails is reported once, and not written again; standard error still gets the totals")
    func failingOutput() async throws {
        let recorder = Recorder()
        let sink = FullOutput(recorder: recorder)
        let display = try FleetDisplay(FleetDisplay.Options(), sink: sink, folded: SampleRun.joined)
        await #expect(throws: CancellationError.self) { try await display.take(SampleRun.output("a", "x\n")) }
        for event in events() {
            try await display.take(event)
        }
        #expect(recorder.text(.standardOutput) == "" && recorder.text(.standardError).contains(" ok"))
    }

    private struct FullOutput: FleetSink {
        let recorder: Recorder

        func write(_ bytes: [UInt8], to stream: SSHEvidence.OutputStream) async throws {
            guard stream == .standardError else { throw CancellationError() }
            try await recorder.write(bytes, to: stream)
        }
    }

    /// The final text on a terminal: the text uses only carriage returns and erased lines.
    private static func screen(_ text: String) -> [String] {
        var lines: [String] = [""]
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = lines.removeLast()
            for (index, piece) in part.split(separator: "\r", omittingEmptySubsequences: false).enumerated() {
                // An erase sequence follows a text, or is alone; a carriage return before it would erase nothing else.
                if index > 0, !piece.isEmpty { line = "" }
                line += piece.replacing("\u{1B}[J", with: "")
            }
            lines += [line, ""]
        }
        return lines.filter { !$0.isEmpty }
    }
}
