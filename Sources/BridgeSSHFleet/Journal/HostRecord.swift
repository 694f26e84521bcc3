/// What a journal knows of one host.
package struct HostRecord: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// There is no record: the run never came to it.
        case none
        /// The command may have been sent, and no outcome was written.
        case armed
        case ended(FleetHostOutcome)
    }

    package var host: String
    package var state: State
    /// The code of the failure, where there is one.
    package var code: String?

    package init(_ host: String, _ state: State, code: String? = nil) {
        self.host = host
        self.state = state
        self.code = code
    }

    /// What became of the host as far as can be said.
    package var outcome: FleetHostOutcome {
        switch state {
        case .none: .skipped
        case .armed: .unknown
        case .ended(let outcome): outcome
        }
    }
}
