/// Why an operation of a session failed, before it is classified: the seed of `Evidence`.
package struct Fault: Error, Sendable, Hashable {
    package var event: Evidence.Event
    /// The stage of the failure, if it is not the session's.
    package var stage: Stage?
    package var library: LibraryCall?
    /// Whether it is the fault of an earlier hop, which ended this session with it.
    package var isOfEarlierHop = false

    package init(_ event: Evidence.Event, stage: Stage? = nil, library: LibraryCall? = nil) {
        self.event = event
        self.stage = stage
        self.library = library
    }

    static func library(_ call: LibraryCall) -> Fault { Fault(.libraryFailed, library: call) }
    package static let cancelled = Fault(.cancelled(signal: nil))
}
