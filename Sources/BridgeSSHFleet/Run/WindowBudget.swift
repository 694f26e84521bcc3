internal import BridgeSSH

/// The memory that running hosts' receive windows draw from: what servers may send ahead of us, over all hosts.
///
/// Each host takes an eighth of what is left, within bounds, so that few hosts have wide windows and many hosts narrow ones.
struct WindowBudget {
    private static let widest = 2 << 20
    private var left: Int

    init(limit: Int) { left = limit }

    /// - Returns: a window for one host; it is to be given back.
    mutating func take() -> Int {
        let window = min(Self.widest, max(SSHConnection.LeastWindow.bytes, left / 8))
        left -= window
        return window
    }

    mutating func give(_ window: Int) { left += window }
}
