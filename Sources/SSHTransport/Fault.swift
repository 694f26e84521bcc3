/// Why an operation of a session failed, before it is classified: the seed of `SSHEvidence`.
package struct Fault: Error, Sendable, Hashable {
    package var event: SSHEvidence.Event
    /// The stage of the failure, if it is not the session's.
    package var stage: SSHStage?
    package var library: SSHLibraryCall?
    /// Whether it is the fault of an earlier hop, which ended this session with it.
    package var isOfEarlierHop = false

    package init(_ event: SSHEvidence.Event, stage: SSHStage? = nil, library: SSHLibraryCall? = nil) {
        self.event = event
        self.stage = stage
        self.library = library
    }

    static func library(_ call: SSHLibraryCall) -> Fault { Fault(.libraryFailed, library: call) }
    package static let cancelled = Fault(.cancelled(signal: nil))
}
