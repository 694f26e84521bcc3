internal import Synchronization

/// Whether any of the command's input was taken that cannot be read a second time: then no other attempt could be given it.
package final class InputUse: Sendable {
    private let taken = Mutex(false)

    package init() {}

    package var isTaken: Bool { taken.withLock { $0 } }

    package func took() { taken.withLock { $0 = true } }
}
