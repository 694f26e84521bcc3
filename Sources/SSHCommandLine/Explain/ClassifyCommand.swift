import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `bridge-ssh classify`: the failure behind another client's standard error.
struct ClassifyCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "classify",
            abstract: "Name the failure behind the standard error of ssh or another SSH client.",
            discussion: """
                Reads standard input. With --exit the input is one run's standard error, and classify prints one verdict. Without it \
                the input is a log of many runs, and classify reports each failure as soon as it is complete: one JSON object a line, \
                or one line of text with --text. Few logs contain exit statuses, so no verdict on a log is more than likely.

                Knows the programs of OpenSSH and the log of sshd, the PuTTY family, Dropbear, the SSH libraries of Go, Java, \
                Python, Ruby, Node, PHP, .NET, Rust and Erlang, and programs that use them: git, rsync, Ansible, Terraform, \
                Jenkins, Docker and others. The JSON names the client that wrote the words.

                Understands `ssh -v`, -vv and -vvv, whose debug messages prove what failed, and the prefixes and colours of logs: \
                syslog, `journalctl` (also -o json), GitHub Actions, GitLab, `kubectl logs --prefix --timestamps`.

                EXAMPLES
                  ssh web1 make 2> err; bridge-ssh classify --exit $? --command 'ssh web1 make' < err
                  journalctl -fu backup -o json | bridge-ssh classify --follow --text
                  journalctl -o json | bridge-ssh classify --text --since yesterday --summary
                  bridge-ssh classify --jsonl < runs.jsonl

                EXIT STATUS
                  0    the input was read, whatever it says
                  199  wrong usage, or with --jsonl a line that is not an object
                """)
    }

    @Option(help: ArgumentHelp("The client's exit status, 0–255.", valueName: "status"))
    var exit: Int?

    @Option(help: ArgumentHelp("The command line that was run, or the remote command.", valueName: "text"))
    var command = ""

    @Flag(help: "Read JSON objects, one a line, with \"stderr\", \"exit\" and \"command\".")
    var jsonl = false

    @Flag(help: "Read a growing log, and report each failure as it appears. The default without --exit.")
    var follow = false

    @Flag(help: "After a log's failures, count them by cause.")
    var summary = false

    @Option(
        help: ArgumentHelp(
            "Leave out a log's failures before this: 2026-01-05, '2026-01-05 09:00', today, yesterday, or 30m, 2h, 1d ago.",
            valueName: "time"))
    var since: String?

    @Flag(help: "Write JSON (the default).")
    var json = false

    @Flag(help: "Write text for people.")
    var text = false

    private func check() throws {
        if let exit, !(0...255).contains(exit) {
            throw UsageProblem(field: "--exit", problem: "\(exit) is not an exit status; give a number from 0 to 255")
        }
        if exit != nil, follow || jsonl {
            throw UsageProblem(field: "--exit", problem: "a log and JSON lines have their own exit statuses; leave --exit out")
        }
        if follow, jsonl {
            throw UsageProblem(field: "--follow", problem: "JSON lines are always reported as they arrive; leave --follow out")
        }
        if exit != nil || jsonl {
            if summary { throw UsageProblem(field: "--summary", problem: "it works only for a log; leave it out") }
            if since != nil { throw UsageProblem(field: "--since", problem: "it works only for a log; leave it out") }
        }
        if json, text { throw UsageProblem(field: "--text", problem: "give --json or --text, not both") }
    }

    func run() throws {
        try check()
        let input = LineInput()
        if jsonl { return try eachObject(input) }
        if let exit {
            let transcript = SSHTranscript(standardError: input.rest(), exitStatus: exit, command: command)
            return show(SSHTranscriptClassifier.verdict(on: transcript), exit: exit)
        }
        try readLog(input)
    }

    private func readLog(_ input: LineInput) throws {
        let clock = LogClock.local
        let start = try since.map { text in
            guard let time = clock.moment(text) else {
                throw UsageProblem(
                    field: "--since",
                    problem: "\"\(text)\" is not a time; give 2026-01-05, '2026-01-05 09:00', today, yesterday, 30m, 2h or 1d")
            }
            return time
        }
        var summary = LogSummary()
        let report = { (failure: LoggedFailure) in
            if let start, let time = failure.time, time < start { return }
            if self.summary { summary.add(failure) }
            if text {
                Console.show(LoggedFailureReport.line(of: failure))
            } else {
                Console.standardOutput(LoggedFailureReport.json(of: failure))
            }
        }
        var log = SSHTranscriptLog(clock)
        while input.nextLines({ log.take($0, report) }) != nil {}
        log.finish(report)
        if self.summary {
            if text { Console.show(summary.text) } else { Console.standardOutput(summary.json) }
        }
    }

    private struct Object: Decodable {
        let exit: Int?
        let stderr: String
        let command: String?
    }

    private func eachObject(_ input: LineInput) throws {
        var number = 0
        while let lines = input.nextLines({ Array($0) }) {
            for bytes in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                let line = String(decoding: bytes, as: UTF8.self)
                number += 1
                guard !line.allSatisfy(\.isWhitespace) else { continue }
                guard let object = try? JSONDecoder().decode(Object.self, from: Data(line.utf8)) else {
                    throw UsageProblem(
                        field: "--jsonl",
                        problem: "line \(number) is not an object with \"stderr\", and \"exit\" and \"command\" if known")
                }
                let transcript = SSHTranscript(
                    standardError: object.stderr, exitStatus: object.exit, command: object.command ?? "")
                show(SSHTranscriptClassifier.verdict(on: transcript), exit: object.exit)
            }
        }
    }

    private func show(_ verdict: (error: SSHError?, client: String?), exit: Int?) {
        let failure = verdict.error
        if text {
            guard let failure else { return Console.standardOutput("no failure\n") }
            return Console.show(
                FailureBanner.text(for: failure, width: LocalTerminal.width, color: false, glyphs: .ascii, showsEvidence: false))
        }
        let line = JSONValue.members([
            "schema": .string("bridge-ssh/1"),
            "outcome": .string(failure == nil ? "succeeded" : "failed"),
            "exitStatus": exit.map { .integer($0) } ?? .null,
            "client": verdict.client.map { .string($0) } ?? .null,
            "error": failure?.json ?? .null,
        ])
        Console.standardOutput(line)
    }
}
