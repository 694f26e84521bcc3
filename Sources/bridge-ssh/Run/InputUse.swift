import Synchronization

/// Whether any of the command's input was taken that cannot be read a second time: then no other attempt could be given it.
final class InputUse: Sendable {
    private let taken = Mutex(false)

    var isTaken: Bool { taken.withLock { $0 } }

    func took() { taken.withLock { $0 = true } }
}
