import BridgeSSH
import NIOCore
import SSHTestSupport

@testable import SSHTransport

/// Carries bytes between a session and a server when the test says so.
///
/// Unchecked, because sessions use a carrier on its loop only, and so does the test.
final class SimulatedWire: Carrier, @unchecked Sendable {
    let eventLoop: any EventLoop
    private let server: InMemoryServer
    private let closed: EventLoopPromise<Void>
    private var session: Session?
    private var wantsBytes = false
    private var toServer: [UInt8] = []
    private var toClient: ArraySlice<UInt8> = []
    private var isOpen = true

    init(to server: InMemoryServer, on loop: SimulatedLoop) {
        self.server = server
        eventLoop = loop
        closed = loop.makePromise()
    }

    // MARK: The session's side

    var closeFuture: EventLoopFuture<Void> { closed.futureResult }
    var unsentCount: Int { 0 }
    var isWritable: Bool { true }
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { proceed() }

    func attach(_ session: Session) {
        self.session = session
        session.assumeIsolated { $0.requestRead() }
    }

    func read() { wantsBytes = true }
    func write(_ bytes: ByteBuffer) { toServer += bytes.readableBytesView }
    func acknowledge() {}

    func close() {
        guard isOpen else { return }
        isOpen = false
        session = nil
        server.end()
        closed.succeed()
    }

    // MARK: The test's side

    func carryToServer() throws {
        guard isOpen, !toServer.isEmpty else { return }
        let bytes = toServer
        toServer = []
        try server.receive(bytes)
    }

    /// Brings the client, if it reads, what the server has said, sometimes only the first of it; then the end.
    func carryToClient(_ random: inout SeededGenerator) throws {
        guard isOpen, wantsBytes, let session else { return }
        toClient += try server.takeOutput()
        if toClient.isEmpty {
            guard server.hasEnded, !server.isSilent else { return }
            session.assumeIsolated { $0.streamEnded(.closed) }
            return close()
        }
        let count = Bool.random(using: &random) ? toClient.count : Int.random(in: 1...toClient.count, using: &random)
        let buffer = ByteBuffer(bytes: toClient.prefix(count))
        toClient = toClient.dropFirst(count)
        wantsBytes = false
        session.assumeIsolated { session in
            session.arrived(buffer)
            session.arrivalCompleted()
        }
    }
}
