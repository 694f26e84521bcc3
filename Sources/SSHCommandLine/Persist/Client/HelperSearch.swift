import BridgeSSH
import CLocalSocket
import CProcessGuard
import Synchronization

/// Looks for the helper that keeps a connection, and removes the remains of a dead one.
struct HelperSearch {
    enum Finding {
        /// A helper that waits for a request.
        case helper(FrameSocket, HelperStatus)
        /// There is no helper. This run holds the lock, and has to start one.
        case none(OwnedDescriptor)
        /// A helper cannot be used, and blocks a new one.
        case unusable(String)
    }

    let files: HelperFiles

    /// Seconds to wait for an answer. A helper does nothing slow before it answers.
    private static let timeLimit = 5
    private static let pause = Duration.milliseconds(5)

    func find() async throws -> Finding {
        let deadline = ContinuousClock.now + .seconds(Self.timeLimit)
        repeat {
            switch files.connect(within: Self.timeLimit) {
            case .absent:
                do throws(HelperFiles.Problem) {
                    if let lock = try files.lock() { return .none(lock) }
                } catch {
                    return .unusable(error.text)
                }
            case .unusable(let why): return .unusable(why)
            case .socket(let socket):
                switch await Self.greet(socket, Hello()) {
                case .answered(let status) where status.isUnderstood: return .helper(socket, status)
                case .answered: await Self.askToLeave(files)
                case .silent: return .unusable("it does not answer")
                case .gone: break
                }
            }
            // Another run is about to start a helper, or a helper is about to leave.
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < deadline
        return .unusable("it neither answers nor releases its lock")
    }

    enum Answer {
        case answered(HelperStatus)
        case silent
        case gone
    }

    static func greet(_ socket: FrameSocket, _ hello: Hello) async -> Answer {
        guard await socket.send(.hello, hello) else { return .gone }
        do {
            guard let frame = try await socket.receive(within: Double(timeLimit)), frame.kind == .welcome else { return .gone }
            // The status of another version may have more fields.
            return .answered((try? frame.value(HelperStatus.self)) ?? .blank)
        } catch FrameSocket.Failure.late {
            return .silent
        } catch {
            return .gone
        }
    }

    /// Asks a helper of another build to leave.
    private static func askToLeave(_ files: HelperFiles) async {
        guard case .socket(let socket) = files.connect(within: timeLimit) else { return }
        _ = await greet(socket, Hello(purpose: .stop))
    }
}

/// Starts a helper: this executable in a new session, which inherits three descriptors and nothing else.
enum HelperLaunch {
    /// - Parameters:
    ///   - lock: the lock, which the helper takes over.
    ///   - record: the record for the lock file.
    ///   - executable: the path of the executable; nil if unknown.
    /// - Returns: the socket for the ``OpenRequest``; nil if the helper could not be started.
    static func start(
        _ files: HelperFiles, lock: OwnedDescriptor, _ record: HelperRecord, executable: String? = HelperProtocol.executable
    ) -> FrameSocket? {
        guard let path = executable, record.write(to: lock), let listener = files.listen(), let pair = SocketPair.make() else {
            files.remove()
            return nil
        }
        let problem = withArgumentVector(["bridge-ssh", HelperProtocol.subcommand, record.endpoint.description]) {
            var process: pid_t = 0
            let descriptors = [pair.peerEnd.number, listener.number, lock.number]
            return bridge_spawn_detached(
                path, $0, bridge_environment(), descriptors, Int32(descriptors.count), &process)
        }
        let socket = FrameSocket(descriptor: pair.ourEnd)
        guard problem == 0 else {
            files.remove()
            return nil
        }
        return socket
    }
}

/// Hangs up on a helper that was asked to end its command and does not report the end in time.
final class HelperEndTimeout: Sendable {
    private enum State {
        case idle
        case waiting(Task<Void, Never>)
        case over
    }

    static let time = RelayedSFTPChannel.endTimeout

    private let socket: FrameSocket
    private let state = Mutex(State.idle)

    init(_ socket: FrameSocket) {
        self.socket = socket
    }

    /// Starts the time limit; the request was sent.
    func begin() {
        state.withLock { state in
            guard case .idle = state else { return }
            state = .waiting(
                Task { [socket] in
                    guard (try? await Task.sleep(for: Self.time)) != nil else { return }
                    socket.hangUp()
                })
        }
    }

    /// Ends the time limit; the last frame has arrived.
    func end() {
        state.withLock { state in
            if case .waiting(let timer) = state { timer.cancel() }
            state = .over
        }
    }
}
