import BridgeSSH
import ErrorCore
import Logging

/// Reports the outcome of a copy: the JSON object or the banners, and the exit status.
struct CopyConclusion: Sendable {
    let plan: CopyPlan
    let log: StageLog
    let records: RunRecords
    /// Whether a person has watched the progress.
    let isWatched: Bool

    private var style: OutputStyle { plan.run.output }
    private var isSilent: Bool { style.quiet || style.json }

    func publish(_ outcome: CopyOutcome) async -> SSHExitStatus {
        if style.json { Console.standardOutput(plan.report(outcome).json) }
        if !isSilent {
            // Shown also with --quiet: a file that is left out or not verified is not what the person asked for.
            for notice in outcome.result?.notices ?? [] { Console.note(TerminalText.escape(notice)) }
        }
        let failures = (outcome.result?.failures ?? []) + (outcome.error.map { [$0] } ?? [])
        await show(failures)
        let summary = CopySummary(outcome)
        if !isSilent, isWatched || summary.isNeeded { Console.note(summary.text) }
        guard let last = failures.last else {
            log.line("copied \(outcome.progress.files) files, \(outcome.progress.bytes) bytes")
            records.logger.info("copied", metadata: metadata(outcome))
            return outcome.isComplete ? .success : .fileFailure
        }
        if !isSilent {
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return last.exitStatus(style.convention)
    }

    /// Failures of one kind share a banner.
    private func show(_ failures: [SSHError]) async {
        var groups: [FailureGroup] = []
        var places: [FailureGroup.Key: Int] = [:]
        for error in failures {
            await records.record(error)
            guard records.shows(error) else { continue }
            let key = FailureGroup.Key(code: error.code, remedy: error.remedyText, alternatives: error.alternatives)
            if let place = places[key] {
                groups[place].add(error.userMessage)
            } else {
                places[key] = groups.count
                groups.append(FailureGroup(error: error))
            }
        }
        for group in groups {
            FailureBanner.show(group.error, and: group.otherMessages, showsEvidence: style.verbosity > 1)
        }
    }

    private func metadata(_ outcome: CopyOutcome) -> Logger.Metadata {
        [
            "ssh_host": .string(plan.run.endpoint.host), "files": .stringConvertible(outcome.progress.files),
            "bytes": .stringConvertible(outcome.progress.bytes), "elapsed_seconds": .stringConvertible(outcome.durationSeconds),
        ]
    }
}

/// Failures that differ only in the file that they name.
private struct FailureGroup {
    struct Key: Hashable {
        let code: SSHError.Code
        let remedy: RemedyText
        let alternatives: [String]
    }

    /// The maximum number of messages in one banner.
    private static let maximumCount = 20

    /// The first failure of the group.
    let error: SSHError
    private var messages: [String] = []
    private var others = 0

    init(error: SSHError) { self.error = error }

    mutating func add(_ message: String) {
        if messages.count < Self.maximumCount - 1 { messages.append(message) } else { others += 1 }
    }

    /// The messages of the others, for one banner.
    var otherMessages: [String] { others > 0 ? messages + ["and \(others) more; --json lists them."] : messages }
}

/// The line at the end of a copy: `3 files, 1.2 GB in 9 s`.
struct CopySummary {
    private let files: Int
    private let bytes: UInt64
    private let resumedBytes: UInt64
    private let seconds: Double
    /// Files that are missing from the copy: counts by kind.
    private let missing: [String]
    /// Whether the line adds information: more than one thing went wrong, or some files were copied.
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
