import BridgeSSH
import ErrorCore
import Logging

/// Reports the outcome of a copy: the JSON object or the banners, and the exit status.
struct CopyConclusion: Sendable {
    let plan: CopyPlan
    let log: StageLog
    let records: RunRecords

    private var style: OutputStyle { plan.run.output }

    func publish(_ outcome: CopyOutcome) async -> ExitStatus {
        if style.json { Console.standardOutput(CopyReport(plan, outcome).json) }
        if !style.quiet, !style.json {
            // What is not verified or left out is not what was asked for, so it must not be missed.
            for notice in outcome.result?.notices ?? [] { Console.note(TerminalText.escape(notice)) }
        }
        let failures = (outcome.result?.failures ?? []) + (outcome.error.map { [$0] } ?? [])
        for failure in failures { await tell(failure) }
        guard let last = failures.last else {
            log.line("copied \(outcome.progress.files) files, \(outcome.progress.bytes) bytes")
            records.logger.info("copied", metadata: metadata(outcome))
            return .success
        }
        if !style.quiet, !style.json {
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return last.exitStatus(style.convention)
    }

    private func tell(_ error: SSHError) async {
        let details = FailureBanner.details(of: error)
        let presentation = await records.handle(error, details: details)
        if let presentation {
            FailureBanner.show(presentation, of: error, showsEvidence: style.verbosity > 1)
        } else if error.code == .localCancelled, !style.json, !style.quiet {
            FailureBanner.show(ErrorPresentation(error, details: details), of: error, showsEvidence: style.verbosity > 1)
        }
    }

    private func metadata(_ outcome: CopyOutcome) -> Logger.Metadata {
        [
            "ssh_host": .string(plan.run.endpoint.host), "files": .stringConvertible(outcome.progress.files),
            "bytes": .stringConvertible(outcome.progress.bytes), "elapsed_seconds": .stringConvertible(outcome.durationSeconds),
        ]
    }
}
