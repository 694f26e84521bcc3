internal import DequeModule

/// Decides which hosts may be offered a password, so that a wrong one does not lock a thousand accounts.
///
/// Until one host has accepted the password, it is offered to one host at a time. Three refusals end its use for all hosts;
/// later, too, if the refusals outnumber the acceptances. An offer that was not accepted by the end of the attempt counts as
/// refused: a server that disconnects instead of answering has still counted the try (sshd_config(5), MaxAuthTries). A host that
/// accepted the password may get it again; no other host is offered it twice.
struct PasswordQuarantine {
    static let maximumRefusals = 3

    private enum OfferState {
        case offered
        case accepted
        /// Offered again to a host that accepted it before; only an answer changes that.
        case offeredAgain
        case refused
    }

    private(set) var refusals = 0
    private(set) var acceptances = 0
    private var holder: Int?
    private var queue = Deque<Int>()
    private var waitingHosts: Set<Int> = []
    private var offerStates: [Int: OfferState] = [:]

    var isEnded: Bool { refusals >= Self.maximumRefusals && refusals > acceptances }

    /// A host wants the password.
    ///
    /// - Returns: whether it is offered; nil if the host has to wait for its turn.
    mutating func wanted(by host: Int) -> PasswordTurn? {
        switch offerStates[host] {
        case .accepted, .offeredAgain:
            offerStates[host] = .offeredAgain
            return .offered
        case .offered, .refused: return .refusedHere
        case nil: break
        }
        if isEnded { return .refusedElsewhere }
        if acceptances == 0, holder != nil {
            if waitingHosts.insert(host).inserted { queue.append(host) }
            return nil
        }
        offer(to: host)
        return .offered
    }

    private mutating func offer(to host: Int) {
        offerStates[host] = .offered
        if acceptances == 0 { holder = host }
    }

    /// A server has answered.
    ///
    /// - Returns: the hosts that waited, and whether each may be offered it now.
    mutating func answered(by host: Int, accepted: Bool) -> [(host: Int, turn: PasswordTurn)] {
        guard let offer = offerStates[host], offer == .offered || offer == .offeredAgain else { return [] }
        offerStates[host] = accepted ? .accepted : .refused
        if !accepted { refusals += 1 } else if offer == .offered { acceptances += 1 }
        return released(by: host)
    }

    /// A host that was about to get the password did not.
    mutating func unused(by host: Int) -> [(host: Int, turn: PasswordTurn)] {
        switch offerStates[host] {
        case .offered: offerStates[host] = nil
        case .offeredAgain: offerStates[host] = .accepted
        case .accepted, .refused, nil: return []
        }
        return released(by: host)
    }

    /// A host's attempt is over, with or without an answer.
    mutating func left(by host: Int) -> [(host: Int, turn: PasswordTurn)] {
        waitingHosts.remove(host)
        switch offerStates[host] {
        case .offered: return answered(by: host, accepted: false)
        case .offeredAgain: offerStates[host] = .accepted
        case .accepted, .refused, nil: break
        }
        return released(by: host)
    }

    private mutating func released(by host: Int) -> [(host: Int, turn: PasswordTurn)] {
        guard holder == host || isEnded else { return [] }
        if holder == host { holder = nil }
        return next()
    }

    private mutating func next() -> [(host: Int, turn: PasswordTurn)] {
        guard holder == nil else { return [] }
        if isEnded || acceptances > 0 {
            // Also right after the refusals that end its use: every waiting host gets its decision now.
            let turn = isEnded ? PasswordTurn.refusedElsewhere : .offered
            let waiting = queue.filter { waitingHosts.remove($0) != nil }
            queue = []
            if turn == .offered { for host in waiting { offer(to: host) } }
            return waiting.map { ($0, turn) }
        }
        while let host = queue.popFirst() {
            guard waitingHosts.remove(host) != nil else { continue }
            offer(to: host)
            return [(host, .offered)]
        }
        return []
    }
}
