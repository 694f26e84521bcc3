internal import Synchronization

extension KeptBudget {
    /// What holds a host's output once its command has ended; the room is free when all have let it go.
    package final class Use: Sendable {
        private let share: Share
        private let budget: KeptBudget
        private let holders: Mutex<Int>

        package init(of share: Share, in budget: KeptBudget, holders: Int) {
            self.share = share
            share.hasEnded.withLock { $0 = true }
            self.budget = budget
            self.holders = Mutex(holders)
        }

        /// One of the holders lets it go.
        package func end() {
            let isLast = holders.withLock { holders in
                holders -= 1
                return holders == 0
            }
            if isLast { budget.end(share) }
        }
    }
}
