import Synchronization

/// An object that is not kept. A `weak let` would do from Swift 6.3 on.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var object: Object?
    }

    private let reference: Mutex<Reference>

    init(_ object: Object?) {
        reference = Mutex(Reference(object: object))
    }

    var object: Object? { reference.withLock { $0.object } }
}
