import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite("The queue of calls") struct CallQueueTests {
    private static let fault = Fault(.streamEnded, stage: .session)

    @Test("exclusive calls are made one at a time, in the order of their requests") func order() {
        let queue = CallQueue()
        let made = Log()
        var isReady = false
        for name in ["first", "second"] {
            _ = queue.add(on: nil, exclusive: true) {
                made.add(name)
                return isReady ? .success(0) : .waiting
            }
        }
        #expect(queue.makeCalls(while: { true }, conclude: finish) == false)
        #expect(made.names == ["first"])
        isReady = true
        #expect(queue.makeCalls(while: { true }, conclude: finish))
        #expect(made.names == ["first", "first", "second"])
        #expect(queue.isEmpty)
    }

    @Test("a started exclusive call is completed without its caller, and its result is discarded")
    func abandoned() {
        let queue = CallQueue()
        var (isReady, discards, results) = (false, 0, 0)
        let call = queue.add(
            on: ChannelID(rawValue: 1), exclusive: true, discard: { discards += 1 }, completion: { _ in results += 1 },
            { isReady ? .success(7) : .waiting })
        _ = queue.makeCalls(while: { true }, conclude: finish)
        queue.abandon(call.id)
        #expect(queue.abandonAll(on: ChannelID(rawValue: 1)) == false)
        #expect(queue.count == 1)
        isReady = true
        #expect(queue.makeCalls(while: { true }, conclude: finish))
        #expect((queue.count, discards, results) == (0, 1, 0))
        #expect(queue.abandonAll(on: ChannelID(rawValue: 1)))
    }

    @Test("a settled call lets its caller continue, and keeps its place until it has ended") func settled() {
        let queue = CallQueue()
        let made = Log()
        var (isReady, isSettled, results) = (false, false, 0)
        _ = queue.add(
            on: ChannelID(rawValue: 1), exclusive: true, isSettled: { isSettled }, completion: { _ in results += 1 },
            { isReady ? .success(7) : .waiting })
        _ = queue.add(on: nil, exclusive: true) {
            made.add("second")
            return .success(0)
        }
        #expect(queue.makeCalls(while: { true }, conclude: finish) == false)
        #expect(results == 0)
        isSettled = true
        for _ in 0..<2 { #expect(queue.makeCalls(while: { true }, conclude: finish) == false) }
        #expect(results == 1)
        #expect(made.names == [])
        #expect(queue.abandonAll(on: ChannelID(rawValue: 1)) == false)
        isReady = true
        #expect(queue.makeCalls(while: { true }, conclude: finish))
        #expect((queue.count, results) == (0, 1))
        #expect(made.names == ["second"])
    }

    @Test("no call is started for a cancelled caller") func neverBegun() {
        let queue = CallQueue()
        let made = Log()
        _ = queue.add(on: nil, exclusive: true) { .waiting }
        let second = queue.add(on: nil, exclusive: true) {
            made.add("second")
            return .success(0)
        }
        queue.abandon(second.id)
        #expect(queue.count == 1)
        #expect(made.names == [])
    }

    @Test("a late start ends, unless it only waits for an earlier call that is still wanted") func late() {
        let (one, other) = (ChannelID(rawValue: 1), ChannelID(rawValue: 2))
        let queue = CallQueue()
        var outcome: Result<Int, Fault>?
        let first = queue.add(on: nil, opening: one, exclusive: true) { .waiting }
        _ = queue.add(on: nil, opening: other, exclusive: true, completion: { outcome = $0 }) { .waiting }
        _ = queue.makeCalls(while: { true }, conclude: finish)
        #expect(queue.isShared(with: other))
        #expect(queue.endLateStart(other, Self.fault))
        #expect(queue.lateness(of: other) == nil)
        queue.abandon(first.id)
        #expect(!queue.isShared(with: other))
        #expect(queue.endLateStart(other, Self.fault) == false)
        #expect(queue.lateness(of: other) == Self.fault)
        // The other call had not begun, and its caller has got the fault. Only a call that libssh2 has begun is left.
        #expect((queue.count, outcome == nil) == (1, true))
        queue.startHasEnded(other)
        #expect(queue.lateness(of: other) == nil)
    }

    @Test("the session's end ends every call, including calls added during it") func end() {
        let queue = CallQueue()
        let ended = Log()
        for index in 0..<4 {
            _ = queue.add(
                on: nil, exclusive: index < 2,
                completion: { result in
                    ended.add("\(result)")
                    _ = queue.add(on: nil, completion: { ended.add("\($0)") }) { .waiting }
                }, { .waiting })
        }
        queue.endAll(with: Self.fault)
        #expect(queue.isEmpty)
        #expect(ended.names == Array(repeating: "\(Result<Int, Fault>.failure(Self.fault))", count: 8))
    }

    /// Random orders of asking, answering, abandoning, pumping and ending.
    @Test("in every order of events each call ends once, and exclusive ones never overlap", arguments: 0..<200)
    func everyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let queue = CallQueue()
        let world = World()
        for _ in 0..<Int.random(in: 1..<60, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: world.ask(queue, exclusive: Bool.random(using: &random))
            case 3: world.calls.randomElement(using: &random).map { world.abandon($0, in: queue) }
            case 4, 5: world.calls.randomElement(using: &random)?.isReady = true
            default: _ = queue.makeCalls(while: { true }, conclude: finish)
            }
            #expect(world.exclusiveUnderWay <= 1, "seed \(seed)")
        }
        for call in world.calls { call.isReady = true }
        if seed.isMultiple(of: 2) {
            queue.endAll(with: Self.fault)
        } else {
            _ = queue.makeCalls(while: { true }, conclude: finish)
        }
        #expect(queue.isEmpty, "seed \(seed)")
        for call in world.calls {
            #expect(call.results == (call.isAbandoned ? 0 : 1), "seed \(seed)")
            #expect(call.discards <= (call.isAbandoned ? 1 : 0), "seed \(seed)")
            #expect(!call.wasMadeLate, "seed \(seed)")
        }
        #expect(world.begun == world.begun.sorted(), "seed \(seed)")
    }
}

/// The calls of one random order of events.
private final class World {
    final class Call {
        let isExclusive: Bool
        var id: UInt64 = 0
        var isReady = false
        var hasBegun = false
        var hasEnded = false
        var isAbandoned = false
        /// Whether it was made after its end, or begun after its caller was cancelled.
        var wasMadeLate = false
        var results = 0
        var discards = 0

        init(isExclusive: Bool) { self.isExclusive = isExclusive }

        func make() -> LibraryResult {
            wasMadeLate = wasMadeLate || hasEnded || (isAbandoned && !hasBegun)
            hasBegun = true
            hasEnded = isReady
            return isReady ? .success(0) : .waiting
        }
    }

    private(set) var calls: [Call] = []
    /// The numbers of the exclusive calls, in the order in which they were begun.
    private(set) var begun: [UInt64] = []
    var exclusiveUnderWay: Int { calls.count { $0.isExclusive && $0.hasBegun && !$0.hasEnded } }

    func ask(_ queue: CallQueue, exclusive: Bool) {
        let call = Call(isExclusive: exclusive)
        calls.append(call)
        call.id =
            queue.add(
                on: nil, exclusive: exclusive, discard: { call.discards += 1 }, completion: { _ in call.results += 1 },
                { [unowned self] in
                    if exclusive, !call.hasBegun { begun.append(call.id) }
                    return call.make()
                }
            ).id
    }

    func abandon(_ call: Call, in queue: CallQueue) {
        guard !call.isAbandoned, call.results == 0 else { return }
        call.isAbandoned = true
        queue.abandon(call.id)
    }
}

private final class Log {
    private(set) var names: [String] = []
    func add(_ name: String) { names.append(name) }
}

/// Finishes a call with its result, as a session does.
private func finish(_ call: PendingCall, _ result: LibraryResult) {
    if case .success(let count) = result { call.finish(.success(count)) }
}

extension LibraryResult {
    fileprivate static var waiting: LibraryResult { .again(LibraryFunction(name)) }
    private static var name: UnsafePointer<CChar> {
        let text: StaticString = "a function"
        return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
