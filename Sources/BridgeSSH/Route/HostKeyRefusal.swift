import Synchronization

/// Whether a person was asked about a hop's host key and said no, which is another thing than no answer.
final class HostKeyRefusal: Sendable {
    private let said = Mutex(false)

    var isSaid: Bool { said.withLock { $0 } }

    func note() { said.withLock { $0 = true } }
}
