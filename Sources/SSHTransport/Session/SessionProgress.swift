/// The progress of a session, and the cause of its end. Pure.
///
/// The first fault counts; later ones are its consequences. A fault has a stage. A user is authenticated once.
struct SessionProgress {
    /// The session's current stage, which a fault is attributed to.
    private(set) var stage = SSHStage.banner
    /// The first fault, which ends the session.
    private(set) var fault: Fault?
    /// Whether there is a fault. This is checked often, so it avoids a copy of the fault.
    private(set) var isDead = false
    /// Whether the user is authenticated.
    private(set) var isAuthenticated = false
    /// Whether the server was asked to run a program, and has begun to.
    ///
    /// Only then does OpenSSH's server turn off Nagle's algorithm (packet.c: `ssh_packet_set_interactive`). Until then, if
    /// a server sends messages in two pieces, such as its host keys and the first channel, the second piece waits 40 ms
    /// for a delayed acknowledgement.
    private(set) var hasStartedProgram = false

    /// Whether the server has not been asked for the authentication service yet.
    var isOpening: Bool { stage == .banner || stage == .keyExchange }

    /// Enters a stage.
    ///
    /// - Returns: whether this stage means that the user is now authenticated.
    mutating func enter(_ stage: SSHStage) -> Bool {
        self.stage = stage
        guard stage == .channel, !isAuthenticated else { return false }
        isAuthenticated = true
        return true
    }

    mutating func programStarted() { hasStartedProgram = true }

    /// The session ends.
    ///
    /// - Returns: the fault with its stage; nil if the session had already ended.
    mutating func end(with fault: Fault) -> Fault? {
        guard !isDead else { return nil }
        var first = fault
        first.stage = fault.stage ?? stage
        self.fault = first
        isDead = true
        return first
    }
}

/// What a session observed while it was opened, and when bytes last came from the server. Pure.
struct SessionObservations {
    /// What was offered in key exchange.
    private(set) var offered: SSHAlgorithmLists?
    /// The negotiated algorithms, once key exchange is done.
    private(set) var agreed: SSHChosenAlgorithms?
    private(set) var hostKey: SSHHostKeyEvidence?
    /// The blobs of the host keys that the server announces after the login.
    private(set) var announcedKeys: [[UInt8]] = []
    /// Whether libssh2 had the server's host key when a call of key exchange failed.
    private var hostKeyCame = false
    /// When bytes came last, or the last credential was offered.
    private var lastActivity = MonotonicInstant.now

    mutating func offer(_ algorithms: SSHAlgorithmLists) { offered = algorithms }
    mutating func agree(on algorithms: SSHChosenAlgorithms) { agreed = algorithms }

    /// Key exchange has failed. This happens at most once in a session.
    mutating func keyExchangeFailed(hostKeyCame: Bool) { self.hostKeyCame = hostKeyCame }

    /// The server has announced its host keys. Its first notice counts.
    mutating func announced(_ keys: [[UInt8]]) { if announcedKeys.isEmpty { announcedKeys = keys } }

    /// The host key has been checked.
    mutating func judged(_ evidence: SSHHostKeyEvidence) { hostKey = evidence }

    /// Bytes have come, or a credential is about to be offered: the server's silence is measured from here.
    mutating func sign() { lastActivity = .now }

    func describe(_ evidence: inout SSHEvidence, awaitsAnswer: Bool) {
        evidence.clientAlgorithms = offered
        evidence.chosenAlgorithms = agreed
        evidence.hostKey = hostKey
        evidence.hostKeyReceived = hostKeyCame || hostKey != nil
        if awaitsAnswer { evidence.awaitedSeconds = lastActivity.seconds(to: .now) }
    }
}
