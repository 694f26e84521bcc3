import BridgeSSH
import ErrorCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A helper that listens.
struct KnownHelper {
    let files: HelperFiles
    /// The content of its lock file; nil if that is empty.
    let record: HelperRecord?
    /// The process at the other end of its socket, 0 where the system does not say; nil for one that accepts no connection.
    var peer: Int?
    /// Nil for one that does not answer.
    var status: HelperStatus?
    /// Seconds for which ``stop()`` waits.
    private static let patience = 5
    private static let looks = 100 * patience

    /// The process, as far as it is known; else 0.
    var process: Int { record?.process ?? peer ?? 0 }

    /// Its own status, in a version of the protocol that we know.
    var ownWords: HelperStatus? { status.flatMap { $0.version == HelperProtocol.version ? $0 : nil } }

    /// Where it is connected to: by its own status, or else by its lock file.
    var identity: HelperRecord? { ownWords.map { HelperRecord(named: $0.named, endpoint: $0.endpoint) } ?? record }

    /// Whether a person who names a host may mean this one.
    func isMeant(by name: String) -> Bool { identity?.isMeant(by: name) ?? false }

    /// The message for a ``stop()`` that failed.
    var remains: String {
        let place = TerminalText.escape(identity?.endpoint.description ?? files.socket)
        let remedy =
            process > 1
            ? "end it with `kill -KILL \(process)`" : "find it with `fuser \(files.socket)` and end it with `kill -KILL`"
        return "the process that keeps the connection to \(place) has not gone within \(Self.patience) seconds: \(remedy)"
    }

    /// Ends it: in order if it answers, else by force. Returns once no run is sent to it any more.
    ///
    /// - Returns: false if runs are still sent to it after five seconds.
    func stop() async -> Bool {
        if status != nil, case .socket(let socket) = files.connect(within: 1) {
            if case .answered = await HelperSearch.greet(socket, Hello(purpose: .stop)) {
                // It hangs up when it has given up its place.
                do {
                    while try await socket.receive(within: Double(Self.patience)) != nil {}
                    return true
                } catch FrameSocket.Failure.late {
                    return false
                } catch {
                    // It went away while it spoke, or sent something unintelligible: whether it is gone shows below.
                }
            }
        }
        // It may have ended in the meantime, and its process number may be another's.
        if files.removeIfAbandoned() { return true }
        // Until the helper listens, the peer is the run that starts it: only who is also in the lock file is a helper.
        if let process = files.record()?.process, process > 1, peer == nil || peer == process {
            kill(pid_t(process), SIGKILL)
        }
        // Its lock ends with it, a moment later.
        for _ in 0..<Self.looks {
            if files.removeIfAbandoned() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
