import BridgeSSH
import ErrorCore
import Logging

/// Says the last word on a copy: the JSON object or the banners, and the exit status.
struct CopyConclusion {
    let plan: CopyPlan
    let log: StageLog
    let records: RunRecords

    private var style: OutputStyle { plan.run.output }

    func publish(_ outcome: CopyOutcome) async -> ExitStatus {
        if style.json { Console.standardOutput(line(outcome)) }
        if !style.quiet, !style.json {
            // What is not verified or left out is not what was asked for, so that nobody should miss it.
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

    /// `bridge-ssh-copy/1`: see docs/json-schema-copy.json.
    private func line(_ outcome: CopyOutcome) -> [UInt8] {
        let result = outcome.result
        let endpoint = plan.run.endpoint
        let failures = result?.failures ?? []
        let error = outcome.error ?? failures.first
        let object = JSONValue.members([
            "schema": .string("bridge-ssh-copy/1"),
            "direction": .string(plan.isUpload ? "upload" : "download"),
            "host": .string(endpoint.host), "user": .string(endpoint.user), "port": .integer(endpoint.port),
            "sources": .array(plan.sources.map { .string($0) }), "target": .string(plan.destination),
            "outcome": .string(error == nil ? "succeeded" : "failed"),
            "files": .integer(result?.files ?? outcome.progress.files),
            "directories": .integer(result?.directories ?? 0),
            "symbolicLinks": .integer(result?.symbolicLinks ?? 0),
            "bytes": .integer(Int(clamping: result?.bytes ?? outcome.progress.bytes)),
            "resumedBytes": .integer(Int(clamping: result?.resumedBytes ?? 0)),
            "verifiedFiles": .integer(result?.verifiedFiles ?? 0),
            "notices": .array((result?.notices ?? []).map { .string($0) }),
            "durationSeconds": .number(outcome.durationSeconds),
            "timings": RunReport.Timings(outcome.timings).json,
            "error": error?.json ?? .null,
            "failures": .array(failures.map(\.json)),
        ])
        return object.bytes + [UInt8(ascii: "\n")]
    }
}
