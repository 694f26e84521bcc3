/// Why an operation of a session failed, before anybody has judged it: the seed of `Evidence`.
package struct Fault: Error, Sendable, Hashable {
    package var event: Evidence.Event
    /// Where, if it is not where the session was.
    package var stage: Stage?
    package var library: LibraryCall?
    /// Whether it is the fault of the hop before, which took this session with it.
    package var isOfEarlierHop = false

    package init(_ event: Evidence.Event, stage: Stage? = nil, library: LibraryCall? = nil) {
        self.event = event
        self.stage = stage
        self.library = library
    }

    static func library(_ call: LibraryCall) -> Fault { Fault(.libraryFailed, library: call) }
    package static let cancelled = Fault(.cancelled(signal: nil))
}
