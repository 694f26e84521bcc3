import BridgeSSH
import ErrorCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One line on standard error that shows a copy's progress, for a person at a terminal.
final class CopyProgressBar: Sendable {
    private let state = Mutex(SFTPProgress())
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let hasDrawn = Mutex(false)

    init(style: OutputStyle) {
        isShown = !style.quiet && !style.json && isatty(2) == 1
    }

    var progress: SFTPProgress { state.withLock { $0 } }

    func update(_ progress: SFTPProgress) {
        // Progress reports of files in transit at the same time may arrive in any order.
        state.withLock { if progress.bytes >= $0.bytes || progress.files >= $0.files { $0 = progress } }
    }

    /// Draws it five times a second, until it is cancelled.
    func run() async {
        guard isShown else { return }
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            let line = CopyProgressLine.text(
                progress, seconds: start.duration(to: .now).inSeconds, width: LocalTerminal.width - 1)
            hasDrawn.withLock { $0 = true }
            Console.standardError("\r" + line + "\u{1B}[K")
        }
    }

    /// Clears the line, so that later output begins on a clean one.
    func clear() {
        if hasDrawn.withLock({ $0 }) { Console.standardError("\r\u{1B}[K") }
    }
}

/// The text of the progress line.
enum CopyProgressLine {
    /// ` 45 %  12.3 MB/s  0:12 left  17/2000 files  name`, cut to `width` columns.
    static func text(_ progress: SFTPProgress, seconds: Double, width: Int) -> String {
        var parts: [String] = []
        if progress.totalBytes > 0 {
            let percent = Int(min(100, Double(progress.bytes) / Double(progress.totalBytes) * 100))
            parts.append(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent) %")
        }
        let rate = seconds > 0 ? Double(progress.bytes) / seconds : 0
        parts.append("\(amount(rate))/s")
        if rate > 0, progress.totalBytes >= progress.bytes {
            parts.append("\(clock(Double(progress.totalBytes - progress.bytes) / rate)) left")
        }
        if progress.totalFiles > 1 { parts.append("\(progress.files)/\(progress.totalFiles) files") }
        parts.append(TerminalText.escape(progress.path))
        var line = parts.joined(separator: "  ")
        while TerminalText.columns(line) > max(1, width) { line.removeLast() }
        return line
    }

    /// `12.3 MB`, in powers of ten.
    static func amount(_ bytes: Double) -> String {
        var (value, unit) = (bytes, 0)
        let units = ["B", "kB", "MB", "GB", "TB"]
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return (unit == 0 || tenths >= 1000 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)") + " " + units[unit]
    }

    /// `0:12`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        guard seconds < 359_999 else { return "-:--" }
        let whole = Int(seconds.rounded(.up))
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }
}
