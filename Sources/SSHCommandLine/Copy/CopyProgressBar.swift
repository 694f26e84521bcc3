import BridgeSSH
import ErrorCore
import Synchronization

/// One line on standard error that shows a copy's progress, for a person at a terminal.
final class CopyProgressBar: Sendable {
    private struct State {
        var progress = SFTPProgress()
        /// When copying began. The time for connecting and for typing does not count towards the speed.
        var start: ContinuousClock.Instant?
        var hasDrawn = false
    }
    private let state = Mutex(State())
    let isShown: Bool

    init(style: OutputStyle) {
        isShown = !style.quiet && !style.json && isatty(2) == 1
    }

    var progress: SFTPProgress { state.withLock { $0.progress } }

    /// Seconds since copying began.
    var seconds: Double { state.withLock { $0.start?.duration(to: .now).inSeconds ?? 0 } }

    /// Marks the start of copying, also over another connection.
    func begin() {
        state.withLock { state in
            state.progress = SFTPProgress()
            state.start = state.start ?? .now
        }
    }

    /// Takes a report. Reports of files that are copied at the same time arrive in any order.
    func update(_ progress: SFTPProgress) { state.withLock { $0.progress.advance(to: progress) } }

    /// Redraws the line five times a second until the task is cancelled.
    func run() async {
        guard isShown, TerminalForm.of(2).mayRedraw else { return }
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            let line = CopyProgressLine.text(
                progress, seconds: seconds, width: LocalTerminal.width - 1, isASCII: !TerminalForm.speaksUTF8)
            state.withLock { $0.hasDrawn = true }
            Console.standardError(ProgressLine.drawn(line))
        }
    }

    /// Clears the line, so that later output begins on a clean one.
    func clear() {
        if state.withLock({ $0.hasDrawn }) { Console.standardError(ProgressLine.erased) }
    }
}

extension SFTPProgress {
    /// Merges a report that may be older than earlier ones: no value ever decreases.
    mutating func advance(to other: SFTPProgress) {
        if other.bytes >= bytes { path = other.path }
        bytes = max(bytes, other.bytes)
        resumedBytes = max(resumedBytes, other.resumedBytes)
        totalBytes = max(totalBytes, other.totalBytes)
        files = max(files, other.files)
        totalFiles = max(totalFiles, other.totalFiles)
        isTotalKnown = isTotalKnown || other.isTotalKnown
    }
}

/// The text of the progress line.
enum CopyProgressLine {
    /// ` 45 %  12.3 MB/s  0:12 left  17/2000 files  name`, cut to `width` columns. While a directory is still being listed the
    /// line shows the amount copied instead of the percentage, which would decrease.
    ///
    /// - Parameter isASCII: whether only ASCII may be shown; escapes of other characters are wider than the characters.
    static func text(_ progress: SFTPProgress, seconds: Double, width: Int, isASCII: Bool = false) -> String {
        var parts: [String] = []
        let rate = seconds > 0 ? Double(progress.bytes - min(progress.bytes, progress.resumedBytes)) / seconds : 0
        if progress.isTotalKnown, progress.totalBytes > 0 {
            let percent = Int(min(100, Double(progress.bytes) / Double(progress.totalBytes) * 100))
            parts.append(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent) %")
        } else if progress.bytes > 0 {
            parts.append(amount(Double(progress.bytes)))
        }
        parts.append("\(amount(rate))/s")
        if rate > 0, progress.isTotalKnown, progress.totalBytes >= progress.bytes {
            parts.append("\(clock(Double(progress.totalBytes - progress.bytes) / rate)) left")
        }
        if progress.totalFiles > 1 {
            parts.append("\(progress.files)/\(progress.totalFiles)\(progress.isTotalKnown ? "" : "+") files")
        }
        let path = TerminalText.escape(progress.path)
        parts.append(isASCII ? TerminalText.ascii(path) : path)
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

    /// Seconds with one decimal, rounded up, so that a wait never looks shorter than it is.
    static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration.inSeconds * 10).rounded(.up))
        return "\(tenths / 10).\(tenths % 10)"
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
