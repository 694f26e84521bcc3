import BridgeSSH
import Dispatch

/// The main program of a helper: the process that keeps a connection. A run with `--persist` starts it if there is none.
enum HelperProgram {
    // The descriptors that the helper inherits.
    private static let opener: Int32 = 3
    private static let listener: Int32 = 4
    private static let lock: Int32 = 5

    /// Whether this process was started as a helper: the descriptors are open, and the opener's peer is this user.
    static var isOne: Bool {
        var kind = stat()
        return [opener, listener].allSatisfy { fstat($0, &kind) == 0 && kind.st_mode & S_IFMT == S_IFSOCK }
            && fcntl(lock, F_GETFD) >= 0
    }

    static func perform() async {
        for descriptor in [opener, listener, lock] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        // Before others see this process as their peer: `persist stop` kills only a process whose number is in the lock file.
        HelperRecord.note(process: getpid(), in: lock)
        _ = LocalSocket.listenSocket(listener)
        let socket = FrameSocket(descriptor: opener)
        let lock = OwnedDescriptor(lock)
        guard socket.peer?.user == geteuid(), let request = try? await request(from: socket) else { return }
        let persistServer = HelperServer(request.0, lock: lock)
        SignalWatch.start { number in
            if number != SIGWINCH { persistServer.leave() }
        }
        let accepted = AsyncStream.makeStream(of: FrameSocket.self)
        accept { accepted.continuation.yield($0) }
        await withDiscardingTaskGroup { group in
            group.addTask {
                await HelperFirstSession(request: request.0, secrets: request.1, socket: socket, persistServer: persistServer)
                    .perform()
            }
            for await socket in accepted.stream {
                group.addTask { await HelperSession(socket: socket, persistServer: persistServer).perform() }
            }
        }
    }

    private static func request(from socket: FrameSocket) async throws -> (OpenRequest, OneTimeSecrets)? {
        guard let frame = try await socket.receive(), frame.kind == .open else { return nil }
        let request = try frame.value(OpenRequest.self)
        guard let password = try await socket.receive()?.secret, let passphrase = try await socket.receive()?.secret else {
            return nil
        }
        return (request, OneTimeSecrets(password: password, passphrase: passphrase))
    }

    /// Accepts connections on a thread of its own, for the rest of the process's life.
    private static func accept(_ body: @escaping @Sendable (FrameSocket) -> Void) {
        DispatchQueue(label: "accept").async {
            while true {
                let descriptor = acceptConnection(listener)
                guard descriptor >= 0 else {
                    // Out of descriptors: accept waiting clients when others have left.
                    if errno != EINTR, errno != ECONNABORTED { usleep(20_000) }
                    continue
                }
                let socket = FrameSocket(descriptor: descriptor)
                // The directory already excludes other users, but root can enter it: check the peer's user too.
                if socket.peer?.user == geteuid() { body(socket) }
            }
        }
    }
}
