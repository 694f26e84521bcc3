import BridgeSSH
import ErrorCore

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
