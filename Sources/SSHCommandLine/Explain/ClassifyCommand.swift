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
                or one line of text with --text. Few logs contain exit statuses, so no verdict on a log is more than likely. A text \
                without times tells the same failure of the same host once; --follow and --summary report and count each.

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

    @Flag(help: "Read a growing log, and report each failure as it appears, also the same one again.")
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
        let input = LineInput(descriptor: 0)
        if jsonl {
            try eachObject(input)
        } else if let exit {
            let transcript = SSHTranscript(standardError: try input.rest(), exitStatus: exit, command: command)
            show(SSHTranscriptClassifier.verdict(on: transcript), exit: exit)
        } else {
            try readLog(input)
        }
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
        var reported = ReportedFailures()
        let report = { (failure: LoggedFailure) in
            if let start, let time = failure.time, time < start { return }
            if !follow, !self.summary, !reported.isNew(failure) { return }
            if self.summary { summary.add(failure) }
            if text {
                Console.show(LoggedFailureReport.line(of: failure))
            } else {
                Console.standardOutput(LoggedFailureReport.json(of: failure))
            }
        }
        var log = SSHTranscriptLog(clock)
        // What was read before a failure is reported too.
        defer {
            log.finish(report)
            if self.summary {
                if text { Console.show(summary.text) } else { Console.standardOutput(summary.json) }
            }
        }
        while try input.nextLines({ log.take($0, report) }) != nil {}
    }

    private struct Object: Decodable {
        let exit: Int?
        let stderr: String
        let command: String?
    }

    private func eachObject(_ input: LineInput) throws {
        var number = 0
        while let lines = try input.nextLines({ Array($0) }) {
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

/// Standard input in whole lines as they arrive, in bounded memory. The rest of a line after its first MiB is skipped.
final class LineInput {
    typealias Line = UnsafeBufferPointer<UInt8>

    private let descriptor: Int32
    private static let maximumLength = 1 << 20
    private static let piece = 1 << 16
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: maximumLength + piece)
    /// The bytes that have been read and not yet returned.
    private var (start, end) = (0, 0)
    private var isAtEnd = false
    /// Whether the rest of an overlong line is being skipped.
    private var isSkipping = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { buffer.deallocate() }

    /// Calls `body` with all complete lines read so far, without the last line feed. Returns nil at the end of the input.
    ///
    /// - Throws: `UsageProblem` if the input cannot be read; what `body` throws.
    func nextLines<Result>(_ body: (Line) throws -> Result) throws -> Result? {
        var searched = start
        while true {
            if isSkipping, let found = lineFeed(from: start) {
                (start, searched) = (found + 1, found + 1)
                isSkipping = false
            }
            if isSkipping {
                start = end
            } else if let last = buffer[searched..<end].lastIndex(of: 0x0A) {
                let lines = Line(rebasing: buffer[start..<last])
                start = last + 1
                return try body(lines)
            } else if end > start, isAtEnd || end - start >= Self.maximumLength {
                let line = Line(rebasing: buffer[start..<end])
                start = end
                isSkipping = !isAtEnd
                return try body(line)
            }
            if isAtEnd { return nil }
            makeSpace()
            searched = end
            try fill()
        }
    }

    /// The rest of the input. If it is longer than 1 MiB, this keeps the beginning, where `ssh -v` shows its progress, and the
    /// end, which shows why the client failed.
    ///
    /// - Throws: `UsageProblem` if the input cannot be read.
    func rest() throws -> String {
        var beginning = ""
        while !isAtEnd {
            if end - start > Self.maximumLength {
                if beginning.isEmpty {
                    beginning = String(decoding: buffer[start..<start + Self.piece], as: UTF8.self) + "\n"
                }
                start = end - Self.maximumLength
            }
            if end == buffer.count { makeSpace() }
            try fill()
        }
        let text = beginning + String(decoding: buffer[max(start, end - Self.maximumLength)..<end], as: UTF8.self)
        start = end
        return text
    }

    private func lineFeed(from offset: Int) -> Int? {
        guard offset < end, let base = buffer.baseAddress, let found = memchr(base + offset, 0x0A, end - offset) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Moves the unread bytes to the front of the buffer.
    private func makeSpace() {
        guard start > 0, let base = buffer.baseAddress else { return }
        memmove(base, base + start, end - start)
        (start, end) = (0, end - start)
    }

    private func fill() throws {
        let space = min(Self.piece, buffer.count - end)
        let count = readBytes(descriptor, buffer.baseAddress.map { $0 + end }, space)
        if count >= 0 {
            end += count
            isAtEnd = count == 0
            return
        }
        switch errno {
        case EINTR: break
        // Another program that has the same pipe does not want to wait for it.
        case EAGAIN: waitUntilReady(descriptor, Int32(POLLIN))
        default:
            let reason = String(cString: strerror(errno))
            throw UsageProblem(field: "standard input", problem: "it cannot be read: \(reason)")
        }
    }
}

/// The failures of a log by cause.
struct LogSummary {
    private struct Cause {
        var count = 0
        var hosts: [String: Int] = [:]
        var first: LogTime?
        var last: LogTime?
    }

    private var causes: [String: Cause] = [:]
    /// The maximum number of hosts that are counted for a cause.
    private static let maximumHosts = 10_000

    mutating func add(_ failure: LoggedFailure) {
        let host = failure.host
        var cause = causes[failure.error.code.rawValue] ?? Cause()
        cause.count += 1
        if !host.isEmpty, cause.hosts[host] != nil || cause.hosts.count < Self.maximumHosts { cause.hosts[host, default: 0] += 1 }
        if let time = failure.time {
            cause.first = min(cause.first ?? time, time)
            cause.last = max(cause.last ?? time, time)
        }
        causes[failure.error.code.rawValue] = cause
    }

    /// The causes, the most frequent first.
    private var sorted: [(code: String, cause: Cause)] {
        causes.map { ($0.key, $0.value) }.sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
    }

    private static func hosts(_ cause: Cause) -> [String] {
        cause.hosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    var text: String {
        let total = causes.values.reduce(0) { $0 + $1.count }
        let width = "\(total)".count
        let lines = sorted.map { code, cause in
            let hosts = Self.hosts(cause)
            let named = hosts.prefix(3).map { LoggedFailureReport.inert($0) }.joined(separator: ", ")
            let more = hosts.count > 3 ? " and \(hosts.count - 3) more" : ""
            let count = "\(cause.count)"
            return String(repeating: " ", count: width + 2 - count.count) + "\(count)  \(code)"
                + (named.isEmpty ? "" : "  \(named)\(more)") + "\n"
        }
        return "\(total) \(total == 1 ? "failure" : "failures")\n" + lines.joined()
    }

    var json: JSONValue {
        .members([
            "schema": .string("bridge-ssh/1"),
            "failures": .integer(causes.values.reduce(0) { $0 + $1.count }),
            "causes": .array(
                sorted.map { code, cause in
                    .members([
                        "code": .string(code),
                        "count": .integer(cause.count),
                        "hosts": .array(Self.hosts(cause).map { .string($0) }),
                        "first": cause.first.map { .string($0.description) } ?? .null,
                        "last": cause.last.map { .string($0.description) } ?? .null,
                    ])
                }),
        ])
    }
}

/// One failure of a log.
enum LoggedFailureReport {
    /// `2026-01-05T09:00:01Z web1 ssh.connect.refused: web1 port 22 refused the connection. (likely)`
    static func line(of failure: LoggedFailure) -> String {
        let error = failure.error
        let place = [failure.time?.description ?? "", failure.source, failure.host].filter { !$0.isEmpty }
        return place.map { inert($0) }.joined(separator: " ") + (place.isEmpty ? "" : " ")
            + "\(error.code): \(inert(error.message)) (\(error.confidence.rawValue))\n"
    }

    /// Text from the log, escaped and on one line.
    static func inert(_ text: String) -> String { TerminalText.escape(text).replacing("\n", with: " ") }

    static func json(of failure: LoggedFailure) -> JSONValue {
        .members([
            "schema": .string("bridge-ssh/1"),
            "outcome": .string("failed"),
            "exitStatus": failure.exitStatus.map { .integer($0) } ?? .null,
            "time": failure.time.map { .string($0.description) } ?? .null,
            "client": failure.client.map { .string($0) } ?? .null,
            "inventoryHost": failure.inventoryHost.isEmpty ? .null : .string(failure.inventoryHost),
            "source": failure.source.isEmpty ? .null : .string(failure.source),
            "error": failure.errorJSON,
        ])
    }
}

extension LogClock {
    /// This machine's clock and time zone.
    static var local: LogClock {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return LogClock(now: LogTime(seconds: Double(now)), offset: parts.tm_gmtoff)
    }
}
