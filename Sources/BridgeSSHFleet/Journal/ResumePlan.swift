/// What a resumed run does with each host of the run: a pure function of the records.
package struct ResumePlan: Sendable, Equatable {
    /// Hosts that are run again only because a person says so.
    package enum Again: String, Sendable, CaseIterable {
        /// Those on which the command may have run.
        case unknown
        /// Those on which it ran and failed.
        case failed
    }

    /// The hosts to run, in the order of the run.
    package private(set) var begin: [String] = []
    /// Hosts on which the command ran.
    package private(set) var done: [String] = []
    /// Hosts on which it may have run: it is not sent there a second time.
    package private(set) var withheld: [String] = []

    /// - Parameter isIdempotent: whether the command may run twice on a host.
    package init(_ records: [HostRecord], isIdempotent: Bool = false, again: Set<Again> = []) {
        for record in records {
            switch record.outcome {
            case .skipped, .error: begin.append(record.host)
            case .ok: done.append(record.host)
            case .failed: if again.contains(.failed) { begin.append(record.host) } else { done.append(record.host) }
            case .unknown:
                if isIdempotent || again.contains(.unknown) { begin.append(record.host) } else { withheld.append(record.host) }
            }
        }
    }
}
