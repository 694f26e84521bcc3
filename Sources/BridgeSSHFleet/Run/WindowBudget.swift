import BridgeSSH

/// The memory that running hosts' receive windows draw from: what servers may send ahead of us, over all hosts.
///
/// Few hosts have wide windows and many hosts narrow ones. The narrowest is kept free for each host that may still run beside those
/// that do; of what is left beyond that a host gets its part, and an eighth at most, so that those that come later find some too.
struct WindowBudget {
    private static let widest = 2 << 20
    private static let narrowest = SSHConnection.LeastWindow.bytes
    private var left: Int
    private var expected: Int

    /// - Parameter hosts: how many may run at once.
    init(limit: Int, hosts: Int) {
        left = limit
        expected = hosts
    }

    /// What a window may hold in memory: a quarter of it is read ahead of the reader and a quarter is with the reader while the window
    /// is opened again, by a packet more than its size.
    private static func cost(_ window: Int) -> Int { window + window / 2 + narrowest }
    private static func window(costing cost: Int) -> Int { (cost - narrowest) / 3 * 2 }

    /// - Parameter parallel: how many hosts run at once as things are.
    /// - Returns: a window for one host; it is to be given back.
    mutating func take(parallel: Int, running: Int) -> Int {
        let others = max(0, expected - running - 1)
        let free = left - others * Self.cost(Self.narrowest)
        let part = free / max(8, parallel - running)
        let window = min(Self.widest, max(Self.narrowest, Self.window(costing: part)))
        left -= Self.cost(window)
        return window
    }

    mutating func give(_ window: Int) { left += Self.cost(window) }
}
