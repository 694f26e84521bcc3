import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite("The receive window, without any I/O")
struct ReceiveWindowTests {
    private static let far = Duration.milliseconds(100)
    private static let mebibyte = 1 << 20

    /// A round trip of 100 ms.
    private func path(_ rate: Double) -> SimulatedPath { SimulatedPath(roundTrip: Self.far, rate: rate, step: .milliseconds(1)) }

    @Test(
        "the window grows to the capacity of the path, and no further",
        arguments: [(10e6, 2), (14e6, 2), (18e6, 4), (50e6, 8), (110e6, 16), (250e6, 32), (2e9, 32)] as [(Double, Int)])
    func growth(rate: Double, mebibytes: Int) {
        var path = path(rate)
        path.run(until: 1 << 30)
        #expect(path.window.size == mebibytes << 20)
        // The window doubles at most once in two round trips, and no longer after about the first second.
        let whole = min(rate, Double(path.window.size) / 0.1)
        let longest = Duration.seconds(Double(1 << 30) / whole * 1.15 + 1)
        #expect(path.start.duration(to: path.now) < longest)
        #expect(path.granted - path.read <= path.window.size + ReceiveWindow.packet)
    }

    @Test("an adjustment allows a whole window, and the packet that is being read")
    func amount() {
        var window = ReceiveWindow(roundTrip: Self.far)
        let latest = ReceiveWindow.smallest / 4 * 3 + 2 * ReceiveWindow.packet
        #expect(window.adjustment(latest, unread: { 0 }) == nil)
        for remaining in [latest - 1, latest / 2, 0] {
            #expect(
                window.adjustment(remaining, unread: { 0 }) == ReceiveWindow.smallest + ReceiveWindow.packet - remaining)
        }
    }

    @Test("on a fast network the window does not grow, with any amount of data", arguments: [20.0, 100, 400, 1200])
    func nextDoor(megabytes: Double) {
        var path = SimulatedPath(roundTrip: .microseconds(100), rate: megabytes * 1e6, step: .microseconds(20))
        path.run(until: 512 << 20, atMost: .seconds(4))
        #expect(path.window.growths == 0)
        #expect(path.adjustments >= path.read / (ReceiveWindow.smallest / 4) - 4)
    }

    @Test("a slow reader slows the server down and does not make the window grow", arguments: [1e6, 5e6, 15e6])
    func slowReader(reader: Double) {
        var path = path(1e9)
        path.reader = reader
        path.run(atMost: .seconds(30))
        #expect(path.window.growths == 0)
        #expect(path.mostUnread <= ReceiveWindow.smallest + ReceiveWindow.packet)
        #expect(path.mostUnread > ReceiveWindow.smallest / 2)
    }

    @Test("a reader that seldom reads, and then everything, does not make the window grow")
    func readerInBursts() {
        var path = path(1e9)
        for _ in 0..<12 {
            path.reader = 0
            path.run(atMost: .seconds(2))
            path.reader = .infinity
            path.run(atMost: .milliseconds(60))
        }
        #expect(path.window.growths == 0)
        #expect(path.read > 20 << 20)
    }

    @Test(
        "a server with no more to send does not wait for the window, even if both end together",
        arguments: [(512 << 10, 1000), (512 << 10, 60), (1 << 20, 150), (1 << 20, 400), (100, 1)])
    func slowServer(portion: Int, milliseconds: Int) {
        var path = path(1e9)
        path.portion = (portion, .milliseconds(milliseconds))
        path.run(until: 64 << 20, atMost: .seconds(120))
        #expect(path.read > 1 << 20)
        #expect(path.window.growths == 0)
    }

    @Test(
        "bytes one round trip after an adjustment were waiting for it; much later ones were not",
        arguments: [(100, 1), (150, 1), (500, 0)])
    func oneAdjustment(milliseconds: Int, growths: Int) {
        let start = MonotonicInstant.now
        var window = ReceiveWindow(roundTrip: Self.far)
        window.granted(behind: 2 << 20, at: start)
        window.read(1 << 20, isDrained: true) { start }
        window.read(2 << 20, isDrained: true) { start + .milliseconds(2) }
        window.read((2 << 20) + 1, isDrained: true) { start + .milliseconds(milliseconds) }
        #expect(window.growths == growths)
    }

    @Test("on a local network only a busy machine causes a wait", arguments: [(1, 0), (3, 0), (4, 1)])
    func busyMachine(milliseconds: Int, growths: Int) {
        let start = MonotonicInstant.now
        var window = ReceiveWindow(roundTrip: .milliseconds(milliseconds))
        window.granted(behind: 2 << 20, at: start)
        window.read(2 << 20, isDrained: true) { start }
        window.read((2 << 20) + 1, isDrained: true) { start + .milliseconds(milliseconds) }
        #expect(window.growths == growths)
    }

    @Test("bytes that waited for the reader did not wait for an adjustment")
    func notDrained() {
        let start = MonotonicInstant.now
        var window = ReceiveWindow(roundTrip: Self.far)
        window.granted(behind: 2 << 20, at: start)
        window.read(2 << 20, isDrained: false) { start + .milliseconds(2) }
        window.read((2 << 20) + 1, isDrained: true) { start + Self.far }
        #expect(window.growths == 0)
    }

    @Test("the unread bytes of a reader that became slow are subtracted; the window grows again when needed")
    func readerBecomesSlow() {
        var path = path(1e9)
        path.run(until: 512 << 20)
        #expect(path.window.size == ReceiveWindow.largest)
        path.reader = 0
        path.run(atMost: .seconds(1))
        // All the data that the window allows has arrived, and is unread.
        let (granted, unread) = (path.granted, path.received - path.read)
        #expect(path.received == granted)
        #expect(unread <= ReceiveWindow.largest + ReceiveWindow.packet)
        path.reader = 2e6
        path.run(until: path.read + unread - ReceiveWindow.smallest)
        #expect(path.granted == granted)
        #expect(path.window.size == ReceiveWindow.smallest)
        path.run(atMost: .seconds(20))
        #expect(path.granted > granted)
        #expect(path.received - path.read <= ReceiveWindow.smallest + ReceiveWindow.packet)
        path.reader = .infinity
        path.run(until: path.read + 512 << 20)
        #expect(path.window.size == ReceiveWindow.largest)
    }

    @Test("on any path the window stays within its bounds and is adjusted before libssh2 would do it")
    func anyPath() {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<40 {
            let roundTrip = Double.random(in: 0.2...300, using: &generator)
            var path = SimulatedPath(
                roundTrip: .milliseconds(roundTrip), rate: .random(in: 1e5...1e9, using: &generator), step: .milliseconds(1))
            for _ in 0..<8 {
                path.reader = Bool.random(using: &generator) ? .infinity : .random(in: 0...5e7, using: &generator)
                path.run(atMost: .milliseconds(Int.random(in: 50...1500, using: &generator)))
                #expect(path.window.size >= ReceiveWindow.smallest && path.window.size <= ReceiveWindow.largest)
                #expect(path.granted - path.read <= ReceiveWindow.largest + ReceiveWindow.packet)
            }
            // libssh2's channel.c adjusts the window below three quarters of it plus the length of a read.
            #expect(path.leastRemaining >= ReceiveWindow.smallest / 4 * 3 + 2 * ReceiveWindow.packet)
        }
    }
}
