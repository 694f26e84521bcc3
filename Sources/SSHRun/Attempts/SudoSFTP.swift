package import BridgeSSH
internal import ErrorCore
internal import Synchronization

/// Copies as root: the host's SFTP server is started through sudo, not by sshd.
package struct SudoSFTP: Sendable {
    /// Runs a command line, whose standard error is the conversation with sudo.
    package typealias Carrier =
        @Sendable (_ command: String, SudoConversation, any OutputSink, _ timeout: Duration?) async throws -> RunOutcome.End

    private let endpoint: SSHEndpoint
    private let carry: Carrier
    /// Makes an SFTP client's transport of a channel.
    private let relay: @Sendable (any RelayedChannel) -> RelayedSFTP
    private let timeline: Timeline
    private let permit: any SudoPermit
    private let password: SudoPassword

    /// - Parameters:
    ///   - permit: decides whether the password may be sent to sudo.
    package init(on connection: SSHConnection, _ timeline: Timeline, _ permit: any SudoPermit, password: SudoPassword) {
        self.init(at: connection.endpoint, timeline, permit, password: password) {
            RelayedSFTP($0, on: connection)
        } carry: { command, conversation, output, timeout in
            var options = SSHCommandOptions()
            options.timeout = timeout
            let run = CommandRun(
                .command(command), options: options, input: conversation.standardInput,
                streams: .passing(output, conversation), waiting: nil,
                began: { _ in }, ended: {})
            return try await run.perform(on: connection)
        }
    }

    package init(
        at endpoint: SSHEndpoint, _ timeline: Timeline, _ permit: any SudoPermit, password: SudoPassword,
        relay: @escaping @Sendable (any RelayedChannel) -> RelayedSFTP, carry: @escaping Carrier
    ) {
        self.endpoint = endpoint
        self.carry = carry
        self.relay = relay
        self.timeline = timeline
        self.permit = permit
        self.password = password
    }

    /// Lends a client to `body`, and then ends the server, even after an error.
    ///
    /// - Throws: as `SSHConnection.withSFTP`; `ssh.sftp.permission-denied` with sudo's message if sudo refuses;
    ///   `ssh.channel.timed-out` if starting the server exceeds the time limit for connecting.
    package func withClient<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value {
        let bytes = ByteStream()
        let server = RootServer(sftp: self)
        let relayed = relay(server)
        server.start(reading: bytes, writingTo: relayed.pipe)
        // This limits only the start. Later the client ends the server, after it has removed an unfinished file.
        let deadline = Task { [password] in
            guard await Self.waitExcludingPrompts(relayed.startTimeLimit, of: password) else { return }
            server.isLate(relayed.startTimeLimit)
        }
        defer { deadline.cancel() }
        let begins = await withTaskCancellationHandler {
            await server.begins()
        } onCancel: {
            server.cancel()
        }
        deadline.cancel()
        guard begins else { throw await server.refusal() }
        return try await relayed.withClient(through: { bytes.add($0) }, body)
    }

    /// Waits for this many seconds, not counting the time in which a person is asked for the password.
    ///
    /// - Returns: false after a cancellation.
    private static func waitExcludingPrompts(_ seconds: Double, of password: SudoPassword) async -> Bool {
        let step = min(seconds, 0.25)
        var left = seconds
        while left > 0 {
            guard (try? await Task.sleep(for: .seconds(step))) != nil else { return false }
            if !password.isBeingAsked { left -= step }
        }
        return true
    }

    /// Runs a command as root.
    ///
    /// - Parameters:
    ///   - input: the command's input.
    ///   - isThrough: called when sudo has started the command.
    fileprivate func run(
        _ command: String, input: @escaping SudoConversation.Input, output: any OutputSink, timeout: Duration? = nil,
        isThrough: @escaping @Sendable () -> Void = {}
    ) async throws -> CommandEnd {
        let conversation = SudoConversation(
            permit, password: password, timeline.secrets, input: input, to: NoOutput(), isThrough: isThrough)
        let end = try await conversation.perform(at: endpoint) { conversation in
            try await carry(conversation.command(command), conversation, output, timeout)
        }
        return CommandEnd(end: end, note: conversation.note)
    }

    fileprivate struct CommandEnd {
        let end: RunOutcome.End
        /// Why sudo did not get the password; nil if it did, or needed none.
        let note: String?
    }

    /// Starts OpenSSH's SFTP server: at the path in sshd's configuration, which root may read, else at the paths used by Debian,
    /// Fedora, Arch and Alpine, BSD and macOS, Gentoo, and SUSE (`libexecdir` of their packages).
    static let server = """
        for f in $(sed -n 's/^[[:blank:]]*[Ss]ubsystem[[:blank:]]*sftp[[:blank:]]*\\(\\/[^[:blank:]]*\\).*/\\1/p' /etc/ssh/sshd_config 2>/dev/null) \
        /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/lib/ssh/sftp-server /usr/libexec/sftp-server \
        /usr/lib64/misc/sftp-server /usr/lib/misc/sftp-server /usr/libexec/ssh/sftp-server; do
        if [ -x "$f" ]; then exec "$f"; fi; done
        echo 'no sftp-server: it is neither where /etc/ssh/sshd_config names it nor in the usual places' >&2; exit 127
        """
}

/// The SFTP server as a command.
private final class RootServer: RelayedChannel {
    private typealias Work = Task<SudoSFTP.CommandEnd, any Error>

    private let sftp: SudoSFTP
    private let work = Mutex<Work?>(nil)
    private let hasSpoken = Mutex(false)
    private let lateness = Mutex<Double?>(nil)
    private let started: AsyncStream<Void>
    private let hasStarted: AsyncStream<Void>.Continuation

    init(sftp: SudoSFTP) {
        self.sftp = sftp
        (started, hasStarted) = AsyncStream.makeStream(of: Void.self)
    }

    func start(reading bytes: SudoSFTP.ByteStream, writingTo pipe: SFTPPipe) {
        let (sftp, hasStarted) = (sftp, hasStarted)
        let sink = PipeSink(pipe) { [weak self] in self?.hasSpoken.withLock { $0 = true } }
        let work = Work {
            defer { hasStarted.finish() }
            do {
                let end = try await sftp.run(SudoSFTP.server, input: { await bytes.next() }, output: sink) { hasStarted.yield() }
                await pipe.ended()
                return end
            } catch {
                await pipe.ended()
                throw error
            }
        }
        self.work.withLock { $0 = work }
    }

    /// Waits until sudo has started the server.
    ///
    /// - Returns: false if sudo did not start it.
    func begins() async -> Bool {
        for await _ in started { return true }
        return false
    }

    /// Called if sudo has not started the server within this many seconds.
    func isLate(_ seconds: Double) {
        lateness.withLock { $0 = seconds }
        cancel()
    }

    func cancel() { work.withLock { $0 }?.cancel() }

    /// Why sudo did not start the server.
    func refusal() async -> any Error {
        if let seconds = lateness.withLock({ $0 }) {
            _ = try? await work.withLock({ $0 })?.value
            return sftp.late(seconds)
        }
        do {
            let end = try await work.withLock({ $0 })?.value
            switch end?.end {
            case .ended(_, let error): return await sftp.verdict(error, end?.note)
            case .failed(let error): return error.code == .channelExecDenied ? await sftp.verdict(nil, end?.note) : error
            case .outputClosed, .unforeseen, .cancelled, nil: return CancellationError()
            }
        } catch { return error }
    }

    func failure() async -> (error: SSHError?, exitStatus: Int?) {
        do {
            let end = try await work.withLock({ $0 })?.value
            switch end?.end {
            // Without any output, no SFTP server ran: only the search for one has ended.
            case .ended(_, let error) where !hasSpoken.withLock({ $0 }): return (await sftp.verdict(error, end?.note), nil)
            case .ended(.exited(let status), _): return (nil, status)
            case .failed(let error): return (error, nil)
            default: return (nil, nil)
            }
        } catch { return (error as? SSHError, nil) }
    }

    func leave() async {
        if Task.isCancelled { cancel() }
        guard let work = work.withLock({ $0 }) else { return }
        // The server's input has ended, so the server should end too. Otherwise it is cancelled.
        let timer = Task {
            guard (try? await Task.sleep(for: .seconds(5))) != nil else { return }
            work.cancel()
        }
        defer { timer.cancel() }
        _ = try? await work.value
    }

    /// Runs as root too: the files that root copied may be unreadable for other users.
    func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String {
        try await sftp.output(ofShellScript: script, outputLimit: outputLimit, timeLimit: timeLimit)
    }
}

extension SudoSFTP {
    fileprivate func output(ofShellScript script: String, outputLimit: Int, timeLimit: Duration) async throws -> String {
        let bytes = ByteStream()
        bytes.add(PathText.bytes(of: script))
        bytes.add(nil)
        let output = OutputCollector(.standardOutput, limit: outputLimit)
        switch try await run("sh", input: { await bytes.next() }, output: CollectingSink(output), timeout: timeLimit).end {
        case .ended(_, let error?), .failed(let error): throw error
        case .cancelled, .outputClosed, .unforeseen: throw CancellationError()
        case .ended(_, nil): return String(decoding: output.bytes, as: UTF8.self)
        }
    }

    /// The verdict on a command that ended before the SFTP server responded.
    ///
    /// - Parameters:
    ///   - error: the command's verdict; nil if it exited with status 0.
    ///   - note: why sudo did not get the password.
    fileprivate func verdict(_ error: SSHError?, _ note: String?) async -> SSHError {
        let command = error?.evidence.command
        // The cause of a command's failure is for runs. For a copy, the server could not be started.
        var evidence = error?.evidence ?? SSHEvidence(local: .commandEnded, endpoint: endpoint)
        (evidence.event, evidence.stage, evidence.command) = (.requestRefused(.subsystem), .sftp, nil)
        evidence.copy = SSHCopyEvidence(resumes: false)
        let said = command?.standardErrorTail.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
        let server = endpoint.label
        let unsaid = ", and did not say why"
        guard command?.exitStatus == 127, said.hasPrefix(": \(Self.missing)") else {
            return SSHError(
                code: .sftpPermissionDenied,
                message: "sudo on \(server) did not let the SFTP server run as root\(said.isEmpty ? unsaid : said)".ended,
                hint: note.map { RemedyText($0.sentence + ".") }
                    ?? "Check the password, and by \(run: "sudo -l", on: .server) there whether sudo allows sh to \(endpoint.user).",
                confidence: .likely, retry: .afterFix, cause: error?.cause, evidence: evidence)
        }
        return SSHError(
            code: .channelSubsystemMissing, message: "\(server) has no SFTP server that root could start\(said).",
            hint: """
                Install OpenSSH's sftp-server there, or copy without \(setting: .sudo, isQuoted: false) and move the files by \
                \(run: "bridge-ssh run --sudo", .placeholders).
                """,
            confidence: .exact, retry: .afterFix, evidence: evidence)
    }

    /// The verdict on a server that sudo did not start in time.
    fileprivate func late(_ seconds: Double) -> SSHError {
        var evidence = SSHEvidence(
            local: .deadlinePassed(SSHDeadline(kind: .connect, seconds: seconds)), stage: .channel, endpoint: endpoint)
        evidence.copy = SSHCopyEvidence(resumes: false)
        return SSHError(
            code: .channelTimedOut,
            message: "sudo on \(endpoint.label) let no SFTP server run within \(seconds.inSeconds).",
            hint: """
                See what sudo does there: \(run: "sudo id", on: .server) in a session of \(endpoint.user); \
                \(setting: .connectTimeout, isQuoted: false) sets the limit.
                """,
            confidence: .exact, retry: .backoff(),
            evidence: evidence)
    }

    private static let missing = "no sftp-server"
}

extension SudoSFTP {
    /// Passes bytes from one task to another. The amount is bounded by the SFTP client's requests.
    fileprivate final class ByteStream: Sendable {
        private let pieces: AsyncStream<[UInt8]>
        private let addPiece: AsyncStream<[UInt8]>.Continuation

        init() { (pieces, addPiece) = AsyncStream.makeStream(of: [UInt8].self) }

        /// - Parameter piece: nil marks the end.
        func add(_ piece: [UInt8]?) { if let piece { addPiece.yield(piece) } else { addPiece.finish() } }

        func next() async -> [UInt8]? {
            for await piece in pieces { return piece }
            return nil
        }
    }
}

/// Passes the server's output to the SFTP client.
private struct PipeSink: OutputSink {
    private let pipe: SFTPPipe
    private let arrived: @Sendable () -> Void

    init(_ pipe: SFTPPipe, arrived: @escaping @Sendable () -> Void) {
        self.pipe = pipe
        self.arrived = arrived
    }

    func write(_ chunk: SSHOutputChunk) async {
        arrived()
        await pipe.received(chunk)
    }

    func abandon() {}
    var isAbandoned: Bool { false }
    var idleTime: Duration? { .zero }
}
