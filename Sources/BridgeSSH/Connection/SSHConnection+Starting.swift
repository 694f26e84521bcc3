internal import NIOCore
internal import Synchronization

/// The deadline for starting a command, and logins that are closed.
extension SSHConnection {
    /// The exit status of sshd when it does not run the command because /etc/nologin exists and PAM is off (session.c,
    /// do_nologin).
    package static let nologin = 254

    /// The verdict on a command that sshd did not start because logins are closed. sshd reports this on the command's own
    /// streams, with an exit status. A command could do the same, so this runs another command that does nothing, and compares.
    ///
    /// - Returns: nil if the output is from the command itself.
    @inline(never)
    func loginsClosed(_ program: ChannelProgram, _ execution: SSHExecution) async -> SSHError? {
        var evidence = await execution.evidence
        guard let said = evidence.command?.standardErrorTail, AccountTexts.speaks(AccountTexts.closed, in: [said]) else {
            return nil
        }
        if program.text != "true" {
            // Line ends in an error's texts are normalised.
            let other = await closedLogins()?.evidence.command?.standardErrorTail
            guard other?.split(whereSeparator: \.isNewline) == said.split(whereSeparator: \.isNewline) else { return nil }
        }
        evidence.command?.progress = .refused
        return SSHFailureClassifier.classify(evidence)
    }

    /// Runs a command that does nothing.
    ///
    /// - Returns: why sshd does not run it if logins are closed; nil otherwise.
    func closedLogins() async -> SSHError? {
        var options = SSHCommandOptions()
        options.timeout = .seconds(10)
        do {
            _ = try await run("true", options: options)
            return nil
        } catch {
            return (error as? SSHError).flatMap { $0.code == .authLoginsClosed ? $0 : nil }
        }
    }

    /// Starts the deadline for opening a channel: the rest of the connection's deadline for the first channel, a new one for any
    /// other.
    ///
    /// - Returns: a function that ends the deadline.
    func beginDeadline(of id: ChannelID, on session: isolated Session) -> () -> Void {
        let first = firstDeadline.withLock { deadline in
            defer { deadline = nil }
            return deadline
        }
        let seconds = first?.seconds ?? configuration.timeouts.connect.boundedSeconds
        let late = Fault(.deadlinePassed(SSHDeadline(kind: .connect, seconds: seconds)), stage: .channel)
        let timer = StartTimer(id, seconds: seconds, late)
        if let first {
            first.resume()
            first.start { session.eventLoop.execute { session.assumeIsolated { timer.expire($0) } } }
        } else {
            timer.start(on: session)
        }
        return {
            first?.cancel()
            timer.stop(on: session)
            session.startHasEnded(id)
        }
    }
}

/// The timer of one start. It is confined to its session.
private final class StartTimer: Sendable {
    private let id: ChannelID
    private let seconds: Double
    private let late: Fault
    private let entry = Mutex<UInt64?>(nil)

    init(_ id: ChannelID, seconds: Double, _ late: Fault) {
        self.id = id
        self.seconds = seconds
        self.late = late
    }

    func start(on session: isolated Session) {
        let number = session.deadlines.add(after: .seconds(seconds)) { [self] in session.assumeIsolated { expire($0) } }
        entry.withLock { $0 = number }
    }

    func expire(_ session: isolated Session) {
        if session.endLateStart(id, late) { start(on: session) }
    }

    func stop(on session: isolated Session) {
        entry.withLock { $0.take() }.map { session.deadlines.remove($0) }
    }
}

/// Limits that a run on many hosts sets on each connection.
extension SSHConnection {
    /// Bounds how far servers may be ahead of the readers, for commands that start from now on.
    ///
    /// - Parameter bytes: per command, over both streams; at least 32 KiB.
    package func limitWindows(to bytes: Int) async {
        await session.limitWindows(.fixed(max(CommandWindow.minimum, bytes)))
    }

    /// The window of a command, in bytes, and the memory that it may need.
    package enum CommandWindow {
        /// The least window that ``limitWindows(to:)`` allows.
        package static let minimum = 32 << 10
        /// A window adjustment allows one packet more than the window's size.
        private static let packet = 32 << 10

        /// libssh2 holds the window and one packet; a quarter of the window is read ahead, and a quarter is with the reader.
        package static func memory(of window: Int) -> Int { window + window / 2 + packet }
        /// The largest window that needs at most this much memory. The result may be below ``minimum``.
        package static func window(in memory: Int) -> Int { (memory - packet) / 3 * 2 }
    }
}
