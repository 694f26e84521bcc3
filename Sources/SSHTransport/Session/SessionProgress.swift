/// How far a session has come, and what has ended it. Pure.
///
/// The first fault counts; later ones are its consequences. A fault has a stage. A user is authenticated once.
struct SessionProgress {
    /// The session's current stage, which a fault is attributed to.
    private(set) var stage = SSHStage.banner
    /// The first fault; the session is dead from then on.
    private(set) var fault: Fault?
    /// Whether there is a fault: checked all the time, so without a copy of it.
    private(set) var isDead = false
    /// Whether the user is authenticated.
    private(set) var isAuthenticated = false
    /// Whether the server has been asked to run something, and has begun to.
    ///
    /// Only then does OpenSSH's turn Nagle's algorithm off (packet.c: `ssh_packet_set_interactive`). Until then what it sends in
    /// two pieces, such as its host keys and the first channel, waits 40 ms in between for an acknowledgement that is delayed.
    private(set) var hasStartedProgram = false

    /// Whether the server has not been asked for the authentication service yet.
    var isOpening: Bool { stage == .banner || stage == .keyExchange }

    /// Enters a stage.
    ///
    /// - Returns: whether the user is authenticated with it.
    mutating func enter(_ stage: SSHStage) -> Bool {
        self.stage = stage
        guard stage == .channel, !isAuthenticated else { return false }
        isAuthenticated = true
        return true
    }

    mutating func programStarted() { hasStartedProgram = true }

    /// The session ends.
    ///
    /// - Returns: the fault with its stage; nil if the session had ended before.
    mutating func end(with fault: Fault) -> Fault? {
        guard !isDead else { return nil }
        var first = fault
        first.stage = fault.stage ?? stage
        self.fault = first
        isDead = true
        return first
    }
}
