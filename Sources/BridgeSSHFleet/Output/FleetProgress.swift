import BridgeSSH
import ErrorCore

/// What the progress line says. It knows no clock: times are counted from any fixed moment.
struct FleetProgress: Sendable {
    /// The span over which hosts a second are counted.
    private static let window = 5

    private(set) var total = 0
    private var counts: [HostKind: Int] = [:]
    private var pause: String?
    private var batch: (number: Int, of: Int)?
    private var isStopped = false
    private var began: Int?
    /// How many hosts ended in each of the last seconds.
    private var recent: [Int: Int] = [:]

    var done: Int { counts.values.reduce(0, +) }

    mutating func take(_ event: FleetEvent, at now: Duration) {
        let second = Int(now.components.seconds)
        switch event {
        case .started(let start):
            total = start.hosts
            began = second
        case .ended(let result):
            counts[HostKind(result), default: 0] += 1
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

    /// The line, which fits the width: what matters least is left out first.
    func line(_ running: RunningHosts, at now: Duration, width: Int, _ form: OutputForm = OutputForm()) -> String {
        var parts = ["done \(done)/\(total)"]
        if let pause { parts.append("paused: " + VisibleText.name(pause)) }
        if isStopped { parts.append("stopping") }
        parts += HostKind.allCases.compactMap { kind in counts[kind].map { "\(kind.rawValue) \($0)" } }
        if let batch, batch.of > 1 { parts.append("batch \(batch.number)/\(batch.of)") }
        parts.append("running \(running.count)")
        if running.waiting > 0 { parts.append("to try again \(running.waiting)") }
        if let rate = rate(at: now) { parts.append(Amounts.rate(rate)) }
        if let slowest = running.slowest, slowest.since >= .seconds(1) {
            parts.append("slowest \(VisibleText.name(slowest.host)) \(Amounts.time(slowest.since.boundedSeconds))")
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
