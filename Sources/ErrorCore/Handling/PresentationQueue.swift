import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which of several errors is shown: the most severe, and of equally severe ones the first. A value without time or I/O.
///
/// An error that is equal to one that waits is counted there. One that is being recovered from gives way to the others: its
/// buttons have been answered.
struct PresentationQueue: Sendable {
    /// The greatest number that wait; of more, the least severe and latest are dropped.
    static let limit = 50
    /// The greatest number of equal errors whose actions are kept; of more, the oldest actions are dropped.
    static let actionLimit = 100

    private struct Entry: Sendable {
        var presentation: ErrorPresentation
        /// The actions of the equal errors, the oldest first.
        var actions: [RecoveryActions]
    }

    /// By severity, then by age.
    private var entries: [Entry] = []

    /// All that wait, what is shown first.
    var waiting: [ErrorPresentation] {
        entries.map(\.presentation).filter { !$0.isRecovering } + entries.map(\.presentation).filter(\.isRecovering)
    }

    var current: ErrorPresentation? {
        (entries.first { !$0.presentation.isRecovering } ?? entries.first)?.presentation
    }

    /// Puts an error in its place.
    mutating func add(_ presentation: ErrorPresentation) {
        let actions = RecoveryActions(of: presentation.options)
        // One that is at work is not joined: it closes what was there when its option was chosen.
        if let index = entries.firstIndex(where: {
            !$0.presentation.isRecovering && $0.presentation.isEqualInView(to: presentation)
        }) {
            entries[index].presentation.count += 1
            entries[index].actions = (entries[index].actions + [actions]).suffix(Self.actionLimit)
            return
        }
        let index = entries.firstIndex { $0.presentation.severity < presentation.severity } ?? entries.endIndex
        entries.insert(Entry(presentation: presentation, actions: [actions]), at: index)
        if entries.count > Self.limit { entries.removeLast() }
    }

    mutating func remove(_ id: UUID) {
        entries.removeAll { $0.presentation.id == id }
    }

    mutating func update(_ id: UUID, _ change: (inout ErrorPresentation) -> Void) {
        guard let index = entries.firstIndex(where: { $0.presentation.id == id }) else { return }
        change(&entries[index].presentation)
    }

    /// Begins a recovery: the actions of an option for the equal errors, the oldest first. nil for an option that is not
    /// offered, and while another is at work.
    mutating func begin(_ option: ErrorRecoveryOption.ID, in id: UUID) -> [ErrorRecoveryOption.Action]? {
        guard let index = entries.firstIndex(where: { $0.presentation.id == id }), !entries[index].presentation.isRecovering
        else { return nil }
        let actions = entries[index].actions.compactMap { $0[option] }
        guard let latest = actions.last else { return nil }
        entries[index].presentation.isRecovering = true
        return option.concernsAll ? actions : [latest]
    }

    /// Ends a recovery that failed for some of the errors, by their place among the actions that ``begin(_:in:)`` gave. The
    /// others are dealt with, and not done again.
    mutating func end(_ option: ErrorRecoveryOption.ID, in id: UUID, failed: [Int], failure: String?) {
        guard let index = entries.firstIndex(where: { $0.presentation.id == id }) else { return }
        if option.concernsAll {
            let answering = entries[index].actions.filter { $0[option] != nil }
            entries[index].actions = failed.compactMap { answering.indices.contains($0) ? answering[$0] : nil }
            entries[index].presentation.count = max(1, failed.count)
        }
        entries[index].presentation.isRecovering = false
        if let failure { entries[index].presentation.recoveryFailure = failure }
    }

    subscript(id: UUID) -> ErrorPresentation? {
        entries.first { $0.presentation.id == id }?.presentation
    }
}

extension RecoveryActions {
    /// The actions that options are bound to.
    fileprivate init(of options: [ErrorRecoveryOption]) {
        self.init()
        for option in options { self[option.id] = option.action }
    }
}

extension ErrorRecoveryOption.ID {
    /// Whether choosing it for equal errors is meant for each of them. Settings are opened and a file is chosen once.
    fileprivate var concernsAll: Bool { self != .openSettings && self != .checkSettings && self != .browse }
}

/// The callbacks of an ``ErrorHandler``, which a synchronous call reaches too.
final class ErrorObservers: Sendable {
    private let observers = Mutex<[(id: UUID, observer: ErrorHandler.Observer)]>([])

    func add(_ id: UUID, _ observer: @escaping ErrorHandler.Observer) {
        observers.withLock { $0.append((id, observer)) }
    }

    func remove(_ id: UUID) {
        observers.withLock { $0.removeAll { $0.id == id } }
    }

    func notify(_ occurrence: ErrorOccurrence) {
        // Called outside of the lock: an observer may add or stop one.
        for (_, observer) in observers.withLock({ $0 }) { observer(occurrence) }
    }
}
