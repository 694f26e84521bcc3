import BridgeSSH
import SSHRun
import Synchronization
import Testing

@testable import BridgeSSHFleet

@Suite("Receive windows of many hosts") struct WindowBudgetTests {
    static let minimumWindow = SSHConnection.CommandWindow.minimum

    /// The windows of this many concurrent hosts.
    private static func windows(memory: Int, expected: Int, parallel: Int) -> [Int] {
        var budget = WindowBudget(limit: MemoryShares(of: memory).windows, hosts: expected)
        return (0..<parallel).map { budget.take(parallel: parallel, running: $0) }
    }

    @Test(
        "the windows stay within their share of memory, for any number of hosts for which it suffices",
        arguments: [1, 2, 8, 31, 64, 256], [8 << 20, 64 << 20, 1 << 30])
    func within(hosts: Int, memory: Int) {
        let windows = Self.windows(memory: memory, expected: hosts, parallel: hosts)
        // A window takes up to its own size plus one packet in libssh2, a quarter of it as bytes read ahead, and a
        // quarter at the reader.
        let held = windows.reduce(0) { $0 + $1 * 3 / 2 + (32 << 10) }
        #expect(held <= MemoryShares(of: memory).windows || windows.allSatisfy { $0 == Self.minimumWindow })
        #expect(windows.allSatisfy { (Self.minimumWindow...(2 << 20)).contains($0) })
    }

    @Test("few hosts have wide windows, and equal hosts have equal ones")
    func few() {
        #expect(Self.windows(memory: 64 << 20, expected: 4, parallel: 4).allSatisfy { $0 > 1 << 20 })
        let windows = Self.windows(memory: 64 << 20, expected: 24, parallel: 24)
        #expect(windows[0] < 2 * windows[12])
    }

    @Test("a run that starts with 8 hosts reserves windows for all later ones")
    func growing() {
        var budget = WindowBudget(limit: MemoryShares(of: 64 << 20).windows, hosts: 256)
        var (windows, parallel) = ([Int](), 8)
        while windows.count < 256 {
            windows.append(budget.take(parallel: parallel, running: windows.count))
            if windows.count == parallel { parallel *= 2 }
        }
        #expect(windows.reduce(0) { $0 + $1 * 3 / 2 + (32 << 10) } <= MemoryShares(of: 64 << 20).windows)
    }

    @Test("the window of a host that has ended is used again by the next")
    func ofEndedHosts() async throws {
        let windows = Mutex<[Int]>([])
        let run = ScriptedRun(hosts: 20, memory: 8 << 20) { $0.parallel = 1 }
        _ = try await run.events { attempt in
            windows.withLock { $0.append(attempt.window) }
            await attempt.loggedIn()
            return .exited(0)
        }
        #expect(windows.withLock { $0.count == 20 && Set($0).count == 1 })
    }

    @Test("returned memory can be used again")
    func givingBack() {
        var budget = WindowBudget(limit: 24 << 20, hosts: 2)
        let first = budget.take(parallel: 2, running: 0)
        for _ in 0..<1000 {
            let window = budget.take(parallel: 2, running: 1)
            budget.give(window)
        }
        budget.give(first)
        #expect(budget.take(parallel: 2, running: 0) == first)
    }
}
