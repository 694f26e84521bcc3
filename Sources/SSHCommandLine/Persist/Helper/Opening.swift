import BridgeSSH
import Dispatch
import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Connects, with prompts and notices through the run that had the helper started, and then runs that run's command.
struct Opening {
    let request: OpenRequest
    let secrets: HandedSecrets
    let socket: FrameSocket
    let persistServer: PersistServer

    func perform() async {
        let person = RelayedPerson(socket)
        let timeline = Timeline(observer: person)
        let work = Task(executorPreference: OneLoop.executor) {
            let (password, passphrase) = secrets.take()
            let configuration = request.complete(
                password: password, passphrase: passphrase, asking: person)
            return try await SSHClient.connect(to: request.endpoint, configuration: configuration, timeline: timeline)
        }
        let listening = Task { await listen(person) { work.cancel() } }
        do {
            let connection = try await work.value
            // The working directory was the run's until now: a ProxyCommand and relative paths may need it.
            _ = chdir("/")
            persistServer.opened(connection)
            await socket.send(.ready, persistServer.trust)
            guard let frame = await listening.value else { return }
            await HelperSession(socket: socket, persistServer: persistServer).run(frame, first: (connection, timeline))
        } catch {
            timeline.end()
            // Before anything else, so that a run that tries again does not find this helper.
            persistServer.failedToOpen()
            let report = OutcomeReport(RunOutcome.End(error, signal: nil), timings: timeline.timings)
            await socket.send(.unopened, report)
            persistServer.leave()
        }
    }

    /// Takes the run's answers until it requests its command.
    ///
    /// - Returns: that frame; nil if the run went away.
    private func listen(_ person: RelayedPerson, _ giveUp: @Sendable () -> Void) async -> Frame? {
        while let frame = try? await socket.receive() {
            switch frame.kind {
            case .run: return frame
            case .cancel: giveUp()
            case .answer:
                guard let answer = try? frame.value(PersonAnswer.self), let secrets = await secrets(answer.secrets ?? 0) else {
                    giveUp()
                    return nil
                }
                person.answered(answer, secrets)
            default: break
            }
        }
        giveUp()
        leaveLater()
        return nil
    }

    /// Connecting that waits in a system call, for a pipe in place of a file, is not cancelled. Without the run that asked for it the
    /// helper would stay for ever.
    private func leaveLater() {
        DispatchQueue(label: "patience").asyncAfter(deadline: .now() + .seconds(5)) {
            let status = persistServer.status
            guard !status.isReady, status.runs == 0 else { return }
            request.files.remove()
            leave(with: .success)
        }
    }

    private func secrets(_ count: Int) async -> [SSHSecret]? {
        var secrets: [SSHSecret] = []
        while secrets.count < count {
            guard let secret = try? await socket.receive()?.secret else { return nil }
            secrets.append(secret)
        }
        return secrets
    }
}

/// A password and a passphrase that can be taken once, so that no copy is kept: their last holder overwrites them.
final class HandedSecrets: Sendable {
    private let secrets: Mutex<(password: SSHSecret, passphrase: SSHSecret)>

    init(password: SSHSecret, passphrase: SSHSecret) {
        secrets = Mutex((password, passphrase))
    }

    func take() -> (password: SSHSecret, passphrase: SSHSecret) {
        secrets.withLock { secrets in
            defer { secrets = (SSHSecret(""), SSHSecret("")) }
            return secrets
        }
    }
}
