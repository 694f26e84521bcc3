import NIOCore
import SSHTestSupport

@testable import BridgeSSH
@testable import SSHConfig
@testable import SSHFailure
@testable import SSHFileTransfer
@testable import SSHKeys
@testable import SSHModel
@testable import SSHTranscripts
@testable import SSHTransport
@testable import SSHTrust

/// Carries bytes between a session and its server on request.
///
/// Unchecked, because the fuzzer, its loop and its sessions run on one thread, which uses this alone.
final class FuzzedWire: Carrier, @unchecked Sendable {
    let eventLoop: any EventLoop
    private let server: InMemoryServer
    private let closed: EventLoopPromise<Void>
    private var session: Session?
    private var wantsBytes = false
    private var toServer: [UInt8] = []
    private var toClient: ArraySlice<UInt8> = []

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
    func read() { wantsBytes = true }
    func write(_ bytes: ByteBuffer) { toServer += bytes.readableBytesView }
    func acknowledge() {}

    func attach(_ session: Session) {
        self.session = session
        session.assumeIsolated { $0.requestRead() }
    }

    func close() {
        session = nil
        closed.succeed()
    }

    // MARK: The driver's side

    /// Brings the server all that was written, and the client, if it reads, the next piece.
    ///
    /// - Returns: whether there was anything.
    func carry(pieceLength: Int) -> Bool {
        let written = toServer
        toServer = []
        // A client that has been led astray may be no longer understood.
        do { try server.receive(written) } catch { server.end() }
        guard let session, wantsBytes else { return !written.isEmpty }
        toClient += (try? server.takeOutput()) ?? []
        guard !toClient.isEmpty else { return !written.isEmpty }
        let buffer = ByteBuffer(bytes: toClient.prefix(pieceLength))
        toClient = toClient.dropFirst(pieceLength)
        wantsBytes = false
        session.assumeIsolated { session in
            session.arrived(buffer)
            session.arrivalCompleted()
        }
        return true
    }

    /// Ends the server's side of the stream.
    func end() { session?.assumeIsolated { $0.streamEnded(.closed) } }
}
