import BridgeSSH

/// The line at the end of a copy: `3 files, 1.2 GB in 9 s`.
struct CopySummary {
    private let files: Int
    private let bytes: UInt64
    private let resumedBytes: UInt64
    private let seconds: Double
    /// What is missing, each kind with its count.
    private let missing: [String]
    /// Whether it says what nothing else does: the counts, where more than one thing went wrong or some went well.
    let isNeeded: Bool

    init(_ outcome: CopyOutcome) {
        let result = outcome.result ?? SFTPCopyResult()
        files = outcome.result?.files ?? outcome.progress.files
        bytes = outcome.result?.bytes ?? outcome.progress.bytes
        resumedBytes = result.resumedBytes
        seconds = outcome.copySeconds
        missing = [
            (result.failureCount, "failed"), (result.leftOut, "left out"), (result.unverifiedFiles, "not verified"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        isNeeded = result.leftOut + result.unverifiedFiles > 0 || result.failureCount > (files > 0 ? 0 : 1)
    }

    var text: String {
        var text = "\(files) file\(files == 1 ? "" : "s"), \(CopyProgressLine.amount(Double(bytes))) in \(Self.time(seconds))"
        if resumedBytes > 0 { text += ", \(CopyProgressLine.amount(Double(resumedBytes))) were there already" }
        return ([text] + missing).joined(separator: "; ")
    }

    /// `0.4 s`, `9 s`, `1:12:03`.
    private static func time(_ seconds: Double) -> String {
        if seconds < 9.95 { return "\(Double((seconds * 10).rounded()) / 10) s" }
        if seconds < 59.5 { return "\(Int(seconds.rounded())) s" }
        return CopyProgressLine.clock(seconds.rounded())
    }
}
