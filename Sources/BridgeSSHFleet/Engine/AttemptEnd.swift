package import ErrorCore
package import SSHRun

/// What an attempt on a host came to, as far as the engine has to know.
package struct AttemptEnd: Sendable, Hashable {
    /// What may be the fault of more than this host.
    package enum Trouble: Sendable, Hashable {
        /// The server turned the connection away because it is busy.
        case serverBusy
        /// The server did not answer in time.
        case timedOut
        /// The cause is on this machine.
        case local(reason: String)
        /// This machine has run out of something, such as descriptors.
        case shortage(reason: String)
    }

    /// Never `skipped`.
    package var outcome: FleetHostOutcome
    /// The code of the failure.
    package var code: String?
    package var isElevationRefused = false
    package var retry = RetryAdvice.never
    package var trouble: Trouble?
    /// What the failure is to one who waits until the host lets us in.
    package var reason = LoginWait.Reason.other

    package init(
        _ outcome: FleetHostOutcome, code: String? = nil, isElevationRefused: Bool = false, retry: RetryAdvice = .never,
        trouble: Trouble? = nil, reason: LoginWait.Reason = .other
    ) {
        self.outcome = outcome
        self.code = code
        self.isElevationRefused = isElevationRefused
        self.retry = retry
        self.trouble = trouble
        self.reason = reason
    }

    /// Why the cause is on this machine; nil if it is not.
    var localReason: String? {
        switch trouble {
        case .local(let reason), .shortage(let reason): reason
        case .serverBusy, .timedOut, nil: nil
        }
    }
}
