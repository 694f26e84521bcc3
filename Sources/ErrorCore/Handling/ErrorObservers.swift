import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
