import BridgeSSH
import ErrorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The parts of a host's result that have no column of their own, as JSON.
struct StoredResult: Codable {
    private struct StoredEndpoint: Codable {
        let host: String
        let port: Int
        let user: String
        let name: String
    }

    /// The counts of copied entries.
    private struct CopyCounts: Codable {
        let files: Int
        let directories: Int
        let symbolicLinks: Int
        let bytes: UInt64
        let failures: Int
        let leftOut: Int
        let unverified: Int

        init(_ result: SFTPCopyResult) {
            (files, directories, symbolicLinks, bytes) = (result.files, result.directories, result.symbolicLinks, result.bytes)
            (failures, leftOut, unverified) = (result.failureCount, result.leftOut, result.unverifiedFiles)
        }

        var isPossible: Bool {
            bytes <= 1 << 62
                && [files, directories, symbolicLinks, failures, leftOut, unverified].allSatisfy { (0...(1 << 40)).contains($0) }
        }

        var result: SFTPCopyResult {
            var result = SFTPCopyResult()
            (result.files, result.directories, result.symbolicLinks, result.bytes) = (files, directories, symbolicLinks, bytes)
            (result.failureCount, result.leftOut, result.unverifiedFiles) = (failures, leftOut, unverified)
            return result
        }
    }

    private let termination: SSHTermination?
    private let error: SSHError?
    private let place: StoredEndpoint?
    private let timings: SSHStageTimings
    private let copied: CopyCounts?

    /// - Parameters:
    ///   - keepsOutput: whether to keep texts that may quote the host's output.
    ///   - keepsCommand: whether to keep the text of the command.
    init(_ result: FleetHostResult, keepsOutput: Bool, keepsCommand: Bool = true) {
        termination = result.termination
        error = result.error.flatMap { keepsOutput ? $0.withoutOutput(keepsCommand: keepsCommand) : nil }
        place = result.endpoint.map { StoredEndpoint(host: $0.host, port: $0.port, user: $0.user, name: $0.name) }
        timings = result.timings
        copied = result.copied.map(CopyCounts.init)
    }

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// - Throws: also for impossible numbers.
    init(json: String) throws {
        self = try JSONDecoder().decode(StoredResult.self, from: Data(json.utf8))
        guard copied?.isPossible ?? true, place.map({ (0...65535).contains($0.port) }) ?? true else { throw ImpossibleNumbers() }
    }

    private struct ImpossibleNumbers: Error {}

    /// Restores the stored parts of a result.
    ///
    /// - Parameter code: the failure's code; used to make the error if nothing more of it was stored.
    func complete(_ result: inout FleetHostResult, code: String?) {
        result.termination = termination
        let mayHaveRun = result.outcome.commandMayHaveRun
        result.error = error ?? code.map { SSHError(.init(rawValue: $0), host: result.host, commandMayHaveRun: mayHaveRun) }
        result.endpoint = place.map { SSHEndpoint(unchecked: $0.host, port: $0.port, user: $0.user, name: $0.name) }
        result.timings = timings
        result.copied = copied?.result
    }
}

extension FleetHostOutcome {
    fileprivate var commandMayHaveRun: SSHError.CommandMayHaveRun {
        switch self {
        case .ok, .failed: .yes
        case .unknown: .unknown
        case .error, .skipped: .no
        }
    }
}

extension SSHError {
    /// The same failure without the command's output, which is stored elsewhere. Encoding it removes what looks like a secret.
    fileprivate func withoutOutput(keepsCommand: Bool) -> SSHError {
        let kept = keepsCommand ? self : withoutCommandText
        return SSHError(
            code: kept.code, message: kept.message, hint: kept.remedyText, confidence: kept.confidence,
            alternatives: kept.alternatives, retry: kept.retry, cause: kept.cause, evidence: kept.evidence)
    }

    /// The same failure without the text of the command and its options, which its remedies may repeat.
    fileprivate var withoutCommandText: SSHError {
        var evidence = evidence
        evidence.command?.command = ""
        var hint = remedyText
        if !evidence.options.isEmpty {
            evidence.options = []
            let other = SSHFailureClassifier.classify(evidence)
            hint = other.code == code ? other.remedyText : ""
        }
        return SSHError(
            code: code, message: message, hint: hint, confidence: confidence, alternatives: alternatives, retry: retry,
            cause: cause, evidence: evidence)
    }
}

extension FleetEvent {
    /// The same event for a report that must have no word of the command and the options.
    package var withoutCommandText: FleetEvent {
        guard case .ended(var result) = self else { return self }
        result.error = result.error?.withoutCommandText
        return .ended(result)
    }
}

/// What a resumed run does with each host of the run: a pure function of the records.
package struct ResumePlan: Sendable, Equatable {
    /// Hosts that are run again only if a person asks for it.
    package enum RepeatedOutcome: String, Sendable, CaseIterable {
        /// Hosts on which the command may have run.
        case unknown
        /// Hosts on which the command ran and failed.
        case failed
    }

    /// The hosts to run, in the order of the run.
    package private(set) var begin: [String] = []
    /// Those of `begin` on which the command ran or may have run, run again because a person asked for it.
    package private(set) var repeated: [String] = []
    /// Hosts on which the command ran.
    package private(set) var done: [String] = []
    /// Hosts on which the command may have run, and which do not get it a second time.
    package private(set) var withheld: [String] = []

    /// - Parameter isIdempotent: whether the command may run twice on a host.
    package init(_ records: [HostRecord], isIdempotent: Bool = false, again: Set<RepeatedOutcome> = []) {
        for record in records {
            switch record.outcome {
            case .skipped, .error: begin.append(record.host)
            case .ok: done.append(record.host)
            case .failed: if again.contains(.failed) { repeated.append(record.host) } else { done.append(record.host) }
            case .unknown:
                if isIdempotent || again.contains(.unknown) {
                    repeated.append(record.host)
                } else {
                    withheld.append(record.host)
                }
            }
            if repeated.last == record.host { begin.append(record.host) }
        }
    }
}
