/// How a copy ended, before it is reported.
package struct CopyOutcome: Sendable {
    package var result: SFTPCopyResult?
    /// The error that ended it before everything was tried.
    package var error: SSHError?
    package var progress = SFTPProgress()
    package var timings = SSHStageTimings()
    /// Of all attempts, the waits between them included.
    package var durationSeconds = 0.0
    /// Since the first connection stood.
    package var copySeconds = 0.0
    package var attempts = 1

    package init(error: SSHError? = nil) { self.error = error }

    /// Whether everything was copied, and verified if that was asked for.
    package var isComplete: Bool { error == nil && (result?.isComplete ?? true) }
}

extension SFTPCopyResult {
    /// Whether everything was copied, and verified if that was asked for.
    package var isComplete: Bool { failureCount + leftOut + unverifiedFiles == 0 }
}
