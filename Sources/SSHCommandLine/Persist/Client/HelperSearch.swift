import BridgeSSH

/// Looks for the helper that keeps a connection, and removes the remains of a dead one.
struct HelperSearch {
    enum Finding {
        /// It is there, and waits for a request.
        case helper(FrameSocket, HelperStatus)
        /// There is none, and this run holds the lock and so has to start one.
        case none(OwnedDescriptor)
        /// One is in the way and cannot be used.
        case unusable(String)
    }

    let files: HelperFiles

    /// A helper does nothing that takes time before it answers.
    private static let patience = 5
    private static let pause = Duration.milliseconds(5)

    func find() async throws -> Finding {
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        repeat {
            switch files.connect(within: Self.patience) {
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
                case .answered: await Self.sendAway(files)
                case .silent: return .unusable("it does not answer")
                case .gone: break
                }
            }
            // Another run is about to start a helper, or a helper is about to leave.
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < deadline
        return .unusable("it neither answers nor lets go of its place")
    }

    enum Answer {
        case answered(HelperStatus)
        case silent
        case gone
    }

    static func greet(_ socket: FrameSocket, _ hello: Hello) async -> Answer {
        guard await socket.send(.hello, hello) else { return .gone }
        do {
            guard let frame = try await socket.receive(within: Double(patience)), frame.kind == .welcome else { return .gone }
            // One of another version may say more than we know of.
            return .answered((try? frame.value(HelperStatus.self)) ?? .blank)
        } catch FrameSocket.Failure.late {
            return .silent
        } catch {
            return .gone
        }
    }

    /// Asks a helper of another build to leave.
    private static func sendAway(_ files: HelperFiles) async {
        guard case .socket(let socket) = files.connect(within: patience) else { return }
        _ = await greet(socket, Hello(purpose: .stop))
    }
}
