/// Who may be offered a password, so that a wrong one does not lock a thousand accounts.
///
/// Until one host has accepted it, it is offered to one host at a time. Three refusals end its use for all, also later if they
/// outnumber the hosts that accepted it. No host is offered it twice.
struct PasswordQuarantine {
    static let mostRefusals = 3

    private(set) var refusals = 0
    private(set) var acceptances = 0
    private var holder: Int?
    private var queue = HostQueue()
    private var isWaiting: Set<Int> = []
    private var wasOffered: Set<Int> = []

    var isEnded: Bool { refusals >= Self.mostRefusals && refusals > acceptances }

    /// A host's server takes passwords.
    ///
    /// - Returns: whether it is offered; nil if the host has to wait for its turn.
    mutating func wanted(by host: Int) -> Bool? {
        guard !isEnded, !wasOffered.contains(host) else { return false }
        if acceptances == 0, holder != nil {
            if isWaiting.insert(host).inserted { queue.append(host) }
            return nil
        }
        offer(to: host)
        return true
    }

    private mutating func offer(to host: Int) {
        wasOffered.insert(host)
        if acceptances == 0 { holder = host }
    }

    /// A server has answered.
    ///
    /// - Returns: the hosts that waited, and whether each is offered it now.
    mutating func answered(by host: Int, accepted: Bool) -> [(host: Int, isOffered: Bool)] {
        guard wasOffered.contains(host) else { return [] }
        if accepted { acceptances += 1 } else { refusals += 1 }
        if holder == host { holder = nil }
        return next()
    }

    /// A host's attempt is over, whether there was an answer or not.
    mutating func left(by host: Int) -> [(host: Int, isOffered: Bool)] {
        isWaiting.remove(host)
        guard holder == host else { return [] }
        holder = nil
        return next()
    }

    private mutating func next() -> [(host: Int, isOffered: Bool)] {
        guard holder == nil else { return [] }
        if isEnded || acceptances > 0 {
            // Also after the first refusals: each of those that wait is decided for, now.
            let isOffered = !isEnded
            let waiting = queue.removeAll().filter { isWaiting.remove($0) != nil }
            if isOffered { for host in waiting { offer(to: host) } }
            return waiting.map { ($0, isOffered) }
        }
        while let host = queue.popFirst() {
            guard isWaiting.remove(host) != nil else { continue }
            offer(to: host)
            return [(host, true)]
        }
        return []
    }
}
