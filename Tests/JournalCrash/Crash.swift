import BridgeSSHFleet
import Glibc
import Synchronization

/// Kills this process at the requested commit, in a way that no handler can prevent.
final class Crash: Sendable {
    private let moment: String?
    private let number: Int
    private let seen = Mutex(0)

    /// - Parameter words: `before` or `after`, and the number of the commit, from 1.
    init(_ words: ArraySlice<String>) {
        moment = words.first
        number = words.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    func see(_ seenMoment: SQLiteJournal.CommitMoment) {
        guard moment == "\(seenMoment)" else { return }
        let count = seen.withLock { count in
            count += 1
            return count
        }
        if count == number { kill(getpid(), SIGKILL) }
    }
}
