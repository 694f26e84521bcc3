import Synchronization
import Testing

@testable import SSHTransport

/// The callers in the order in which they were served.
private final class Served: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func note(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// Decides who may open a channel, without real channels.
@Suite("The slots of a connection") struct ChannelSlotsTests {
    private func id(_ number: Int) -> ChannelID { ChannelID(rawValue: number) }

    /// Opens this many channels.
    private func filled(_ count: Int, _ slots: ChannelSlots = ChannelSlots()) -> ChannelSlots {
        for number in 0..<count {
            #expect(slots.take(id(number)) == .taken)
            slots.opened(id(number))
        }
        return slots
    }

    @Test("one channel is opened at a time, because the answer shows the limit") func oneAtATime() {
        let slots = ChannelSlots()
        #expect(slots.take(id(1)) == .taken)
        #expect(slots.take(id(2)) == .soon)
        slots.opened(id(1))
        #expect(slots.take(id(2)) == .taken)
    }

    @Test("a refusal while other channels are open means a limit; a refusal alone does not") func refusal() {
        let slots = filled(3)
        #expect(slots.take(id(9)) == .taken)
        #expect(slots.refused(id(9)))
        #expect(slots.limit == 3)
        #expect(slots.take(id(9)) == .full)
        slots.free(id(0))
        #expect(slots.take(id(9)) == .taken)
        #expect(!ChannelSlots().refused(id(1)))
    }

    @Test("a learnt limit is forgotten when no channel is left; a given one is not") func forgotten() {
        let learnt = filled(1)
        _ = learnt.take(id(1))
        _ = learnt.refused(id(1))
        learnt.free(id(0))
        #expect(learnt.limit == nil)
        let given = ChannelSlots()
        given.bound(to: 2) {}
        _ = filled(2, given)
        #expect(given.take(id(7)) == .full)
        for number in 0..<2 { given.free(id(number)) }
        #expect(given.limit == 2)
    }

    @Test("other callers learn of a free slot as soon as this side closes a channel") func newsOfFreeSlot() {
        let slots = ChannelSlots()
        let news = Served()
        slots.bound(to: 2) { news.note(slots.inUse.active) }
        _ = filled(2, slots)
        slots.leave(id(0))
        #expect(news.all == [1])
        #expect(slots.take(id(9)) == .soon)
        slots.leave(id(1))
        #expect(news.all == [1], "it was not full any more")
        for number in 0..<2 { slots.free(id(number)) }
        #expect(slots.take(id(9)) == .taken)
    }

    @Test("other callers learn of a free slot as soon as a waiting caller gives up") func newsOfWithdrawal() async {
        let slots = ChannelSlots()
        let news = Served()
        slots.bound(to: 2) { news.note(slots.inUse.active) }
        #expect(slots.take(id(1)) == .taken)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await withCheckedContinuation { slots.wait(id(2), isFirst: false, $0) } }
            while !slots.isFull { await Task.yield() }
            slots.withdraw(id(2))
            await group.waitForAll()
        }
        #expect(news.all.last == 1 && !slots.isFull)
    }

    @Test("a channel that the server has not closed yet counts; one that a command holds may count for long")
    func leaving() {
        let slots = ChannelSlots()
        let changes = Served()
        slots.bound(to: 2) { changes.note(0) }
        _ = filled(2, slots)
        slots.leave(id(0))
        #expect(slots.inUse == (1, 0))
        #expect(slots.take(id(7)) == .soon)
        slots.linger(id(0))
        #expect(slots.inUse == (1, 1))
        #expect(slots.take(id(7)) == .full)
        #expect(changes.all.count == 2)
        slots.free(id(0))
        #expect(changes.all.count == 3)
        #expect(slots.take(id(7)) == .taken)
        // Slot 0 was already freed, so nothing changes.
        slots.linger(id(0))
        #expect(slots.inUse == (2, 0))
    }

    @Test("waiting callers are served in order; one that had its turn goes first, and one that gives up leaves")
    func order() async {
        let slots = filled(1)
        slots.bound(to: 1) {}
        let served = Served()
        await withTaskGroup(of: Void.self) { group in
            for (number, isFirst) in [(1, false), (2, false), (3, true)] {
                let waits = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    await withCheckedContinuation { continuation in
                        slots.wait(id(number), isFirst: isFirst, continuation)
                        waits.continuation.finish()
                    }
                    guard slots.isHeld(id(number)) else { return }
                    served.note(number)
                    slots.opened(id(number))
                    slots.free(id(number))
                }
                for await _ in waits.stream {}
            }
            slots.withdraw(id(1))
            slots.free(id(0))
        }
        #expect(served.all == [3, 2])
    }

    @Test("the end of the connection ends all waiting") func end() async {
        let slots = filled(1)
        slots.bound(to: 1) {}
        async let waiting: Void = withCheckedContinuation { slots.wait(id(1), isFirst: false, $0) }
        slots.end()
        await waiting
        #expect(slots.isOver)
    }
}
