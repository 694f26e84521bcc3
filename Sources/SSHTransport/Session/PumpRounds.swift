/// When the pump goes round once more. Pure.
///
/// It runs once at a time: what is asked for meanwhile is another round. libssh2 1.11 may say EAGAIN with bytes still to be had: two
/// rounds without progress prove that it is meant.
struct PumpRounds {
    private(set) var isRunning = false
    private var isAskedAgain = false
    private var idleRounds = 0
    private var consumed = 0
    private var held = 0

    private static let mostIdleRounds = 2

    /// - Returns: whether the caller is to go round; false if the pump runs already; it then goes round once more.
    mutating func begin() -> Bool {
        isAskedAgain = true
        guard !isRunning else { return false }
        isRunning = true
        idleRounds = 0
        return true
    }

    /// A round begins.
    ///
    /// - Parameters:
    ///   - consumed: how many bytes libssh2 has taken in all.
    ///   - held: how many it holds.
    mutating func beginRound(consumed: Int, held: Int) {
        isAskedAgain = false
        self.consumed = consumed
        self.held = held
    }

    /// There is more to do than this round can.
    mutating func askAgain() { isAskedAgain = true }

    /// A round has ended.
    ///
    /// - Parameters:
    ///   - consumed: how many bytes libssh2 has taken in all.
    ///   - held: how many it holds: it gets on with packets that it has taken before, without taking more.
    ///   - remaining: how many it has not taken.
    /// - Returns: whether there is another.
    mutating func endRound(consumed: Int, held: Int, remaining: Int) -> Bool {
        if consumed != self.consumed || isAskedAgain || (remaining > 0 && held != self.held) {
            idleRounds = 0
            return true
        }
        idleRounds += 1
        return remaining > 0 && idleRounds < Self.mostIdleRounds
    }

    mutating func end() { isRunning = false }
}
