import BridgeSSH
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import SSHTransport

/// When a session acknowledges arrived bytes at once, so that a server with Nagle's algorithm on does not wait.
@Suite struct AcknowledgementTests {
    private let transport = CountingTransport()
    private let identification = ByteBuffer(string: "SSH-2.0-Server\r\n")

    @Test("an acknowledgement is sent if nothing is answered") func comesWhereNothingIsAnswered() async throws {
        let session = try Session(transport: transport) { _ in }
        await session.bring(identification)
        #expect(transport.counts == .init(writes: 0, acknowledgements: 1))
        await session.close()
    }

    /// The answer carries it.
    @Test("no acknowledgement is sent with an answer") func doesNotComeBesideAnAnswer() async throws {
        let session = try Session(transport: transport) { _ in }
        async let handshake = Result { try await session.handshake(SSHAlgorithmPreferences()) }
        while transport.counts.writes == 0 { await Task.yield() }
        await session.bring(identification)
        #expect(transport.counts == .init(writes: 2, acknowledgements: 0))
        await session.bring(ByteBuffer(bytes: [0, 0, 0]))
        #expect(transport.counts == .init(writes: 2, acknowledgements: 1))
        await session.close()
        let outcome = await handshake
        #expect(throws: Fault.self) { try outcome.get() }
    }

    /// So does the answer of a reader that waited for the bytes.
    @Test("no acknowledgement is sent if a resumed task answers") func doesNotComeWhereWhoIsResumedAnswers() async throws {
        let session = try Session(transport: transport) { _ in }
        let (waiting, waits) = AsyncStream<Void>.makeStream()
        let answer = Task(executorPreference: session.executor) { try await session.answerArrival { waits.finish() } }
        for await _ in waiting {}
        await session.bring(identification)
        #expect(transport.counts == .init(writes: 1, acknowledgements: 0))
        try await answer.value
        await session.close()
    }

    /// By then OpenSSH's sshd has turned it off, and the kernel knows better when to acknowledge bulk data.
    @Test("acknowledgements end once a program runs") func endsOnceAProgramRuns() async throws {
        let session = try Session(transport: transport) { _ in }
        await session.programHasStarted()
        await session.bring(identification)
        #expect(transport.counts == .init(writes: 0, acknowledgements: 0))
        await session.close()
    }
}

extension Session {
    /// Brings bytes, and returns when all tasks that they caused on the loop have run.
    fileprivate func bring(_ bytes: ByteBuffer) async {
        arrived(bytes)
        arrivalCompleted()
        try? await eventLoop.submit {}.get()
    }

    /// - Parameter waits: is called before the session can do anything else than wait.
    fileprivate func answerArrival(_ waits: () -> Void) async throws {
        waits()
        try await arrival()
        _ = [1].withUnsafeBytes { wire.write($0) }
        pump()
    }

    fileprivate func programHasStarted() { programStarted() }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: @Sendable () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// Carries no bytes, and counts the calls.
private final class CountingTransport: ByteTransport {
    struct Counts: Equatable {
        var writes = 0
        var acknowledgements = 0
    }

    let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let closed: EventLoopPromise<Void>
    private let state = Mutex(Counts())

    init() { closed = eventLoop.makePromise() }

    var counts: Counts { state.withLock { $0 } }
    var closeFuture: EventLoopFuture<Void> { closed.futureResult }
    var isWritable: Bool { true }
    var unsentCount: Int { 0 }
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { proceed() }
    func attach(_ client: any ByteTransportClient) {}
    func read() {}
    func write(_ bytes: ByteBuffer) { state.withLock { $0.writes += 1 } }
    func acknowledge() { state.withLock { $0.acknowledgements += 1 } }
    func close() { closed.succeed() }
}
