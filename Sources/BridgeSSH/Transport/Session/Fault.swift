/// Why an operation of a session failed, before anybody has judged it: the seed of `Evidence`.
struct Fault: Error, Sendable, Hashable {
    var event: Evidence.Event
    /// Where, if it is not where the session was.
    var stage: Stage?
    var library: LibraryCall?
    /// Whether it is the fault of the hop before, which took this session with it.
    var isOfEarlierHop = false

    init(_ event: Evidence.Event, stage: Stage? = nil, library: LibraryCall? = nil) {
        self.event = event
        self.stage = stage
        self.library = library
    }

    static func library(_ call: LibraryCall) -> Fault { Fault(.libraryFailed, library: call) }
    static let cancelled = Fault(.cancelled(signal: nil))
}
