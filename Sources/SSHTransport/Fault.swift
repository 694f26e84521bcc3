/// Why an operation of a session failed, before it is classified: the seed of `SSHEvidence`.
///
/// The storage is behind a reference, because the frame of each async function that may throw a fault reserves space for
/// several.
package struct Fault: Error, Sendable, Hashable {
    private struct Storage: Sendable, Hashable {
        var event: SSHEvidence.Event
        var stage: SSHStage?
        var library: SSHLibraryCall?
        var isOfEarlierHop = false
    }
    private var storage: Boxed<Storage>

    package init(_ event: SSHEvidence.Event, stage: SSHStage? = nil, library: SSHLibraryCall? = nil) {
        storage = Boxed(Storage(event: event, stage: stage, library: library))
    }

    package var event: SSHEvidence.Event {
        get { storage.value.event }
        set { change { $0.event = newValue } }
    }

    /// The stage of the failure, if it differs from the session's stage.
    package var stage: SSHStage? {
        get { storage.value.stage }
        set { change { $0.stage = newValue } }
    }

    package var library: SSHLibraryCall? { storage.value.library }

    /// Whether an earlier hop failed and so ended this session.
    package var isOfEarlierHop: Bool {
        get { storage.value.isOfEarlierHop }
        set { change { $0.isOfEarlierHop = newValue } }
    }

    private mutating func change(_ change: (inout Storage) -> Void) {
        var changed = storage.value
        change(&changed)
        storage = Boxed(changed)
    }

    static func library(_ call: SSHLibraryCall) -> Fault { Fault(.libraryFailed, library: call) }
    package static let cancelled = Fault(.cancelled(signal: nil))
}
