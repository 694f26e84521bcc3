internal import BridgeSSH
internal import ErrorCore

/// The hosts that run, as a person sees them: the slowest first, and no more than a screen shows.
package enum RunningList {
    /// Lines for what is around the list: its heading, the rest, and the progress line.
    private static let around = 3

    /// - Parameters:
    ///   - running: the slowest first.
    ///   - parallel: how many may run at once.
    ///   - rows: of the screen.
    ///   - width: columns of the screen.
    ///   - form: what it is written to.
    package static func text(
        _ running: [(host: String, duration: Duration)], parallel: Int, rows: Int, width: Int,
        _ form: OutputForm = OutputForm()
    ) -> String {
        var lines = ["\(running.count) running, at most \(parallel) at once"]
        let shown = running.prefix(max(1, rows - around))
        let times = shown.map { Amounts.time($0.duration.boundedSeconds) }
        let column = times.map(\.count).max() ?? 0
        for (host, time) in zip(shown, times) {
            let line = "  " + String(repeating: " ", count: column - time.count) + time + "  " + VisibleText.name(host.host)
            lines.append(form.own(line, cutToColumns: max(1, width - 1)))
        }
        if running.count > shown.count { lines.append("  and \(running.count - shown.count) more") }
        return lines.map { $0 + "\n" }.joined()
    }
}
