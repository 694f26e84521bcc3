import BridgeSSH

/// The memory that running hosts' receive windows draw from: what servers may send ahead of us, over all hosts.
///
/// Few hosts have wide windows and many hosts narrow ones. The narrowest is kept free for each host that may still run beside those
/// that do; of what is left beyond that a host gets its part, and an eighth at most, so that those that come later find some too.
struct WindowBudget {
    private typealias Window = SSHConnection.CommandWindow
    private static let widest = 2 << 20
    private var left: Int
    private let expected: Int

    /// - Parameter hosts: how many may run at once.
    init(limit: Int, hosts: Int) {
        left = limit
        expected = hosts
    }

    /// - Parameter parallel: how many hosts run at once as things are.
    /// - Returns: a window for one host; it is to be given back.
    mutating func take(parallel: Int, running: Int) -> Int {
        let others = max(0, expected - running - 1)
        let free = left - others * Window.memory(of: Window.least)
        let part = free / max(8, parallel - running)
        let window = min(Self.widest, max(Window.least, Window.window(in: part)))
        left -= Window.memory(of: window)
        return window
    }

    mutating func give(_ window: Int) { left += Window.memory(of: window) }
}
