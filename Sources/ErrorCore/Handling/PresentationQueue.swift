import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decides which error is shown: the most severe, and the oldest of equally severe ones. A value without time or I/O.
///
/// An error that equals a waiting one is added to its count. While a recovery runs, its error gives way to the others: the person
/// has already answered it.
struct PresentationQueue: Sendable {
    /// The greatest number of waiting errors. Beyond it, the least severe and newest are dropped.
    static let limit = 50
    /// The greatest number of equal errors whose actions are kept. Beyond it, the oldest actions are dropped.
    static let actionLimit = 100

    private struct Entry: Sendable {
        var presentation: ErrorPresentation
        /// The actions of the equal errors, the oldest first.
        var actions: [RecoveryActions]
    }

    /// By severity, then by age.
    private var entries: [Entry] = []

    /// All waiting errors, the shown one first.
    var waiting: [ErrorPresentation] {
        entries.map(\.presentation).filter { !$0.isRecovering } + entries.map(\.presentation).filter(\.isRecovering)
    }

    var current: ErrorPresentation? {
        (entries.first { !$0.presentation.isRecovering } ?? entries.first)?.presentation
    }

    /// Inserts an error by severity, or adds it to the count of an equal one.
    mutating func add(_ presentation: ErrorPresentation) {
        let actions = RecoveryActions(of: presentation.options)
        // Do not join an error while its recovery runs: that recovery closes only the errors it started with.
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

    /// Starts a recovery. Returns the actions of the equal errors for this option, the oldest first; nil if the option is not
    /// offered or another is running.
    mutating func begin(_ option: ErrorRecoveryOption.ID, in id: UUID) -> [ErrorRecoveryOption.Action]? {
        guard let index = entries.firstIndex(where: { $0.presentation.id == id }), !entries[index].presentation.isRecovering
        else { return nil }
        let actions = entries[index].actions.compactMap { $0[option] }
        guard let latest = actions.last else { return nil }
        entries[index].presentation.isRecovering = true
        return option.concernsAll ? actions : [latest]
    }

    /// Ends a recovery that failed for some of the errors, given by index into the actions from ``begin(_:in:)``. The other
    /// errors are done, and their actions do not run again.
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
    /// The actions of bound options.
    fileprivate init(of options: [ErrorRecoveryOption]) {
        self.init()
        for option in options { self[option.id] = option.action }
    }
}

extension ErrorRecoveryOption.ID {
    /// Whether the option applies to each of several equal errors. Opening settings and choosing a file happen only once.
    fileprivate var concernsAll: Bool { self != .openSettings && self != .checkSettings && self != .browse }
}

/// The observers of an ``ErrorHandler``. They are locked, because synchronous calls use them too.
final class ErrorObservers: Sendable {
    private let observers = Mutex<[(id: UUID, observer: ErrorHandler.Observer)]>([])

    func add(_ id: UUID, _ observer: @escaping ErrorHandler.Observer) {
        observers.withLock { $0.append((id, observer)) }
    }

    func remove(_ id: UUID) {
        observers.withLock { $0.removeAll { $0.id == id } }
    }

    func notify(_ occurrence: ErrorOccurrence) {
        // Call the observers outside the lock: an observer may add or remove one.
        for (_, observer) in observers.withLock({ $0 }) { observer(occurrence) }
    }
}
