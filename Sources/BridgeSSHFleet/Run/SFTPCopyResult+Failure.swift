internal import BridgeSSH
internal import ErrorCore
internal import SSHRun
internal import Synchronization

extension SFTPCopyResult {
    /// How much of a list is kept for a host: there may be ten thousand of them.
    private static let kept = 100

    /// The same with lists that many hosts can have.
    var shortened: SFTPCopyResult {
        var result = self
        result.failures = Array(failures.prefix(Self.kept))
        result.notices = Array(notices.prefix(Self.kept))
        result.partialFiles = Array(partialFiles.prefix(Self.kept))
        return result
    }

    /// Why not all was copied, or could be verified: the first reason, and how often there was one. Nil where all was.
    func failure(at endpoint: SSHEndpoint) -> SSHError? {
        if let first = failures.first {
            guard failureCount > 1 else { return first }
            return SSHError(
                code: first.code, message: "\(failureCount) files could not be copied; the first: \(first.message)",
                hint: first.remedy, confidence: first.confidence, alternatives: first.alternatives, retry: first.retry,
                evidence: first.evidence)
        }
        let notice = notices.first ?? ""
        if leftOut > 0 {
            let count = leftOut == 1 ? "1 entry was" : "\(leftOut) entries were"
            return Self.incomplete(
                .sftpReadFailed, .readFailed, "\(count) not copied. \(notice)",
                "Leave it out of what is copied, or copy what it stands for by its own name.", endpoint)
        }
        guard unverifiedFiles > 0 else { return nil }
        let count = unverifiedFiles == 1 ? "1 file was" : "\(unverifiedFiles) files were"
        return Self.incomplete(
            .sftpUnsupported, .unsupported, "\(count) copied, but not verified. \(notice)",
            "Copy without `--checksum`, or to hosts that run commands.", endpoint)
    }

    private static func incomplete(
        _ code: SSHError.Code, _ reason: SSHFileProblem.Reason, _ message: String, _ hint: String, _ endpoint: SSHEndpoint
    ) -> SSHError {
        var evidence = SSHEvidence(
            local: .fileFailed(SSHFileProblem(reason, .remote, operation: "copy", detail: message)), endpoint: endpoint)
        evidence.stage = .sftp
        return SSHError(code: code, message: message, hint: hint, confidence: .exact, retry: .afterFix, evidence: evidence)
    }
}

/// What was copied before a failure.
final class KeptResult: Sendable {
    private let result = Mutex<SFTPCopyResult?>(nil)

    var value: SFTPCopyResult? { result.withLock { $0 } }
    func set(_ result: SFTPCopyResult) { self.result.withLock { $0 = result } }
}

extension SSHFileProblem {
    /// What is wrong with a local file, as the end of a sentence.
    var reasonText: String {
        if reason == .isDirectory { return "it is a directory; copy directories with --recursive (-r)" }
        return detail.isEmpty ? systemError.map { SystemError.text($0) } ?? "it cannot be used" : detail
    }
}

extension UsageProblem {
    /// A source that cannot be copied.
    init(source: String, _ problem: SSHFileProblem) {
        let place = problem.path == source || problem.path.isEmpty ? "" : "\(problem.path): "
        self.init(field: source, problem: "it cannot be copied, and no host was touched: \(place)\(problem.reasonText)")
    }
}
