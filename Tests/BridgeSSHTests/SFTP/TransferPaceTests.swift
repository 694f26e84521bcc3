import BridgeSSH
import Testing

@testable import SSHFileTransfer

@Suite("The pace of transfers, without any I/O")
struct TransferPaceTests {
    private static let part = 255 << 10
    private static let first = 4 << 20

    /// Sends parts in sequence over a path, as many in flight as allowed.
    ///
    /// - Parameters:
    ///   - window: the limit of the channel on bytes in flight.
    ///   - disk: the speed of the disk, in bytes per second, one part at a time.
    private func limit(
        roundTrip: Double, rate: Double, window: Double = .infinity, disk: Double = .infinity, parts: Int = 4000,
        largest: Int = 32 << 20
    ) -> Int {
        var pace = TransferPace(Self.first, upTo: largest)
        let start = ContinuousClock.now
        let rate = min(rate, window / roundTrip)
        var (now, wireFree, diskFree) = (0.0, 0.0, 0.0)
        var underWay: [(began: Double, ends: Double)] = []
        for _ in 0..<parts {
            while (underWay.count + 1) * Self.part <= pace.limit {
                wireFree = max(now, wireFree) + Double(Self.part) / rate
                diskFree = max(diskFree, wireFree + roundTrip) + Double(Self.part) / disk
                underWay.append((now, diskFree))
            }
            let next = underWay.removeFirst()
            now = next.ends
            _ = pace.noteMoved(Self.part, start + .seconds(next.began), start + .seconds(now), isWanting: true)
        }
        return pace.limit
    }

    @Test(
        "the amount in flight grows to the capacity of a slow path, and no further",
        arguments: [(10e6, 4), (25e6, 4), (50e6, 8), (100e6, 16), (300e6, 32), (2e9, 32)] as [(Double, Int)])
    func distance(rate: Double, mebibytes: Int) {
        #expect(limit(roundTrip: 0.1, rate: rate) == mebibytes << 20)
    }

    @Test("on a fast network the amount in flight does not grow", arguments: [50e6, 500e6, 2e9])
    func nextDoor(rate: Double) {
        #expect(limit(roundTrip: 0.0002, rate: rate) == Self.first)
    }

    @Test("neither a narrow window nor a slow disk makes the amount grow")
    func others() {
        #expect(limit(roundTrip: 0.1, rate: 2e9, window: Double(2 << 20)) == Self.first)
        #expect(limit(roundTrip: 0.1, rate: 2e9, disk: 20e6) == Self.first)
        #expect(limit(roundTrip: 0.1, rate: 2e9, largest: 1) == Self.first)
    }

    @Test("transfers without waiting data do not make the amount grow")
    func nothingWaiting() {
        var pace = TransferPace(Self.first, upTo: 32 << 20)
        let start = ContinuousClock.now
        for _ in 0..<1000 { #expect(pace.noteMoved(Self.part, start, start + .milliseconds(100), isWanting: false) == 0) }
        #expect(pace.limit == Self.first)
    }
}
