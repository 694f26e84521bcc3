import BridgeSSHFleet
import ErrorCore

/// The text of the progress line. It has no clock: times count from any fixed moment.
struct FleetProgress: Sendable {
    /// The period, in seconds, over which the rate of hosts is measured.
    private static let window = 5

    private(set) var total = 0
    private var counts: [ProgressCategory: Int] = [:]
    private var pause: String?
    private var batch: (number: Int, of: Int)?
    private var isStopped = false
    private var began: Int?
    /// The number of hosts that ended in each of the last seconds.
    private var recent: [Int: Int] = [:]

    var done: Int { counts.values.reduce(0, +) }

    mutating func take(_ event: FleetEvent, at now: Duration) {
        let second = Int(now.components.seconds)
        switch event {
        case .started(let start):
            total = start.hosts
            began = second
        case .ended(let result):
            counts[ProgressCategory(result), default: 0] += 1
            guard result.outcome != .skipped else { return }
            recent[second, default: 0] += 1
            if recent.count > Self.window + 1 { recent = recent.filter { $0.key >= second - Self.window } }
        case .paused(let reason): pause = reason
        case .resumed: pause = nil
        case .batch(let number, let count, _): batch = (number, count)
        case .stopped: isStopped = true
        case .output, .summary: break
        }
    }

    /// The line, cut to the width: the least important parts are left out first.
    func line(_ running: RunningHosts, at now: Duration, width: Int, _ form: OutputForm = OutputForm()) -> String {
        var parts = ["done \(done)/\(total)"]
        if let pause { parts.append("paused: " + VisibleText.name(pause)) }
        if isStopped { parts.append("stopping") }
        parts += ProgressCategory.allCases.compactMap { kind in counts[kind].map { "\(kind.rawValue) \($0)" } }
        if let batch, batch.of > 1 { parts.append("batch \(batch.number)/\(batch.of)") }
        // The list of running hosts is read at another moment, so a host that has ended may still be in it.
        let count = max(0, min(running.count, total - done))
        parts.append("running \(count)")
        if running.waiting > 0 { parts.append("retrying \(running.waiting)") }
        if let rate = rate(at: now) { parts.append(Formatted.rate(rate)) }
        if count > 0, let slowest = running.slowest, slowest.since >= .seconds(1) {
            parts.append("slowest \(VisibleText.name(slowest.host)) \(Formatted.time(slowest.since.boundedSeconds))")
        }
        while parts.count > 1, TerminalText.columns(form.own(parts.joined(separator: Self.separator))) > width {
            parts.removeLast()
        }
        return form.own(parts.joined(separator: Self.separator), cutToColumns: width)
    }

    private static let separator = " · "

    private func rate(at now: Duration) -> Double? {
        let second = Int(now.components.seconds)
        let from = max(second - Self.window, began ?? second)
        let count = recent.reduce(0) { $0 + ($1.key >= from && $1.key < second ? $1.value : 0) }
        return second > from && count > 0 ? Double(count) / Double(second - from) : nil
    }
}

/// The categories that the progress line counts; SSH failures are counted by stage.
enum ProgressCategory: String, CaseIterable {
    case ok
    case failed
    case auth
    case unreachable
    case timedOut = "timed out"
    case hostKey = "host key"
    case protocolFailure = "protocol"
    case session
    case error
    case unknown
    case skipped

    init(_ result: FleetHostResult) {
        switch result.outcome {
        case .ok: self = .ok
        case .failed: self = .failed
        case .unknown: self = .unknown
        case .skipped: self = .skipped
        case .error:
            switch result.error?.exitStatus {
            case .authenticationFailure: self = .auth
            case .unreachable: self = .unreachable
            case .timedOut: self = .timedOut
            case .hostKeyFailure: self = .hostKey
            case .protocolFailure: self = .protocolFailure
            case .sessionFailure: self = .session
            default: self = .error
            }
        }
    }
}

/// The running hosts, for the progress line.
package struct RunningHosts: Sendable {
    /// How many hosts run.
    package var count: Int
    /// The host that began first, and how long it has been running.
    package var slowest: (host: String, since: Duration)?
    /// How many further hosts have failed and wait for a retry.
    package var waiting: Int

    package init(count: Int = 0, slowest: (host: String, since: Duration)? = nil, waiting: Int = 0) {
        self.count = count
        self.slowest = slowest
        self.waiting = waiting
    }
}

/// The list of running hosts for a person: slowest first, and at most as many as fit the screen.
package enum RunningList {
    /// The lines around the list: its heading, the rest, and the progress line.
    private static let around = 3

    /// - Parameters:
    ///   - running: the running hosts, slowest first.
    ///   - parallel: how many hosts may run at once.
    ///   - rows: the rows of the screen.
    ///   - width: the columns of the screen.
    ///   - form: the form of the output.
    package static func text(
        _ running: [(host: String, duration: Duration)], parallel: Int, rows: Int, width: Int,
        _ form: OutputForm = OutputForm()
    ) -> String {
        var lines = ["\(running.count) running, at most \(parallel) at once"]
        let shown = running.prefix(max(1, rows - around))
        let times = shown.map { Formatted.time($0.duration.boundedSeconds) }
        let column = times.map(\.count).max() ?? 0
        for (host, time) in zip(shown, times) {
            let line = "  " + String(repeating: " ", count: column - time.count) + time + "  " + VisibleText.name(host.host)
            lines.append(form.own(line, cutToColumns: max(1, width - 1)))
        }
        if running.count > shown.count { lines.append("  and \(running.count - shown.count) more") }
        return lines.map { $0 + "\n" }.joined()
    }
}
