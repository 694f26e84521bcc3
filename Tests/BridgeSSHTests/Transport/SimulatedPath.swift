import BridgeSSH

@testable import SSHTransport

/// A server, a path and a reader in simulated time, for a ``ReceiveWindow`` to open.
struct SimulatedPath {
    typealias Instant = MonotonicInstant

    let roundTrip: Duration
    /// The capacity of the path, in bytes per second.
    var rate: Double
    /// The speed of the reader, in bytes per second.
    var reader = Double.infinity
    /// The size of the server's portions of data, and the time between them; nil if all data is available from the
    /// beginning.
    var portion: (count: Int, every: Duration)?

    private(set) var window: ReceiveWindow
    let start = Instant.now
    private(set) var now: Instant
    private let step: Duration
    private(set) var granted = ReceiveWindow.smallest
    private(set) var received = 0
    private(set) var read = 0
    /// The most bytes that ever waited for the reader.
    private(set) var mostUnread = 0
    /// The number of window adjustments.
    private(set) var adjustments = 0
    /// The smallest remaining window of the server at the time of a read.
    private(set) var leastRemaining = Int.max
    private var made = 0
    private var portions = 0
    private var sent = 0
    private var allowed = ReceiveWindow.smallest
    private var data = Flight()
    private var grants = Flight()
    private var readerRest = 0.0

    init(roundTrip: Duration, rate: Double, step: Duration) {
        self.roundTrip = roundTrip
        self.rate = rate
        self.step = step
        now = start
        // Opening a channel takes a round trip, and the server a while besides.
        window = ReceiveWindow(roundTrip: roundTrip + .milliseconds(2))
    }

    /// The bytes in transit, in order.
    private struct Flight {
        private var items: [(at: Instant, count: Int)] = []
        private var next = 0

        mutating func add(_ count: Int, at: Instant) { items.append((at, count)) }

        mutating func arrived(by now: Instant) -> Int {
            var count = 0
            while next < items.count, items[next].at <= now {
                count += items[next].count
                next += 1
            }
            return count
        }
    }

    /// Continues until enough has been read, or the time is over.
    mutating func run(until count: Int = .max, atMost limit: Duration = .seconds(60)) {
        let end = now + limit
        while read < count, now < end {
            now += step
            serve()
            take()
        }
    }

    private mutating func serve() {
        allowed += grants.arrived(by: now)
        if let portion {
            while start + portion.every * portions <= now {
                made += portion.count
                portions += 1
            }
        } else {
            made = .max
        }
        let count = min(Int(rate * step.seconds), allowed - sent, made - sent)
        guard count > 0 else { return }
        sent += count
        data.add(count, at: now + roundTrip / 2)
    }

    private mutating func take() {
        received += data.arrived(by: now)
        mostUnread = max(mostUnread, received - read)
        readerRest = min(readerRest + reader * step.seconds, max(reader * step.seconds, Double(ReceiveWindow.packet)))
        while received > read, readerRest >= Double(min(received - read, ReceiveWindow.packet)) {
            let remaining = granted - read
            if let more = window.adjustment(remaining, unread: { received - read }) {
                window.granted(behind: granted, at: now)
                granted += more
                adjustments += 1
                grants.add(more, at: now + roundTrip / 2)
            }
            leastRemaining = min(leastRemaining, granted - read)
            let count = min(received - read, ReceiveWindow.packet)
            read += count
            readerRest -= Double(count)
        }
        let now = now
        window.read(read, isDrained: read == received) { now }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension MonotonicInstant {
    static func + (moment: MonotonicInstant, duration: Duration) -> MonotonicInstant { moment.advanced(by: duration) }
    static func += (moment: inout MonotonicInstant, duration: Duration) { moment = moment + duration }
}
