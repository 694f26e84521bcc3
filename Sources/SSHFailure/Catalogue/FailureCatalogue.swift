package import ErrorCore

/// Every failure code and its properties, independent of the evidence: one row per code, the table of the failure contract.
package enum FailureCatalogue {
    /// One code's row.
    package struct Row: Sendable, Hashable {
        /// The code.
        package let code: SSHError.Code
        /// The case of `AppError` that it becomes.
        package let appCase: AppCase
        /// The stage in its name.
        package let stage: Stage
        /// Who has to act.
        package let category: ErrorCategory
        /// Its severity.
        package let severity: ErrorSeverity
        /// Whether a retry can help; for `…disconnected` the server's description decides instead.
        package let retry: RetryAdvice
        /// The exit status of the command line when no remote status arrived.
        package let exitStatus: ExitStatus
        /// One to four words.
        package let title: String
        /// One sentence that holds for every failure of this code.
        package let meaning: String

        init(
            _ code: SSHError.Code, _ appCase: AppCase, _ stage: Stage, _ category: ErrorCategory,
            _ severity: ErrorSeverity, _ retry: RetryAdvice, _ exitStatus: ExitStatus, _ title: String, _ meaning: String
        ) {
            self.code = code
            self.appCase = appCase
            self.stage = stage
            self.category = category
            self.severity = severity
            self.retry = retry
            self.exitStatus = exitStatus
            self.title = title
            self.meaning = meaning
        }
    }

    /// The cases of `AppError` that an `SSHError` can become; the raw value is the case's name.
    package enum AppCase: String, Sendable, Hashable, CaseIterable {
        case dnsError, validationError, networkUnavailable, fileReadError, cancelled, internalError
        case sshConnectionFailed, sshTimeout, sshHostKeyMismatch, sshKeyInvalid, sshAuthenticationFailed, sshCommandFailed
        case fileNotFound, fileWriteError, filePermissionDenied, insufficientDiskSpace, featureUnavailable
    }

    /// All rows, in the order of a run.
    package static let rows: [Row] = connectionRows + accessRows + sessionRows + fileRows

    private static let byCode = Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The row of a code; for a code that this version does not know, the row of an unclassified failure.
    package static func row(_ code: SSHError.Code) -> Row {
        byCode[code] ?? unknownCode
    }

    /// The properties of a code from another version: nothing is known, so nothing is promised.
    private static let unknownCode = Row(
        SSHError.Code(rawValue: "ssh.local.unknown"), .internalError, .local, .internal, .error, .never, .unclassified,
        "SSH Failure", "An SSH failure that this version does not know.")
}
