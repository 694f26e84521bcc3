import BridgeSSH
import Dispatch

/// Job control for what is read from a terminal: a background process must not show a prompt, because another program would read
/// the answer, nor take its own input for ended.
struct TerminalForeground {
    let terminal: Int32
    /// Rung to end the wait.
    let wake: WakePipe
    /// Rung whenever the process continues.
    let continued: WakePipe

    /// Unblocks the signals that ``wait()`` stops the process with, for this thread; Dispatch blocks all signals in its
    /// threads.
    ///
    /// SIGTTIN stays blocked, so a read in the background fails with EIO. Otherwise a read would stop the process, and
    /// would continue to wait when the process is in the foreground again, without a prompt and with echo on.
    static func underJobControl<Result>(_ body: () throws -> Result) rethrows -> Result {
        var stopping = sigset_t()
        var previous = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTTOU)
        pthread_sigmask(SIG_UNBLOCK, &stopping, &previous)
        var reading = sigset_t()
        sigemptyset(&reading)
        sigaddset(&reading, SIGTTIN)
        pthread_sigmask(SIG_BLOCK, &reading, nil)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return try body()
    }

    /// Stops the process until it is in the terminal's foreground, as the terminal driver would.
    ///
    /// Changing the modes in the background would stop it too. But the system repeats that call when the process continues, and
    /// so stops the process again before a signal that came with SIGCONT, such as that of the shell's `kill`, could end it.
    ///
    /// - Returns: whether it was in the background.
    @discardableResult func wait() -> Bool {
        // Without job control nothing stops the process.
        guard !ProcessSetup.isIgnored(SIGTTOU) else { return false }
        var hasWaited = false
        while isInBackground {
            hasWaited = true
            // A signal that ends the run came with SIGCONT, and rings `wake` a moment later. Wait for that: if the process
            // stopped first, the shell's `kill` would not end it.
            if SignalWatch.isEnding, ring(of: [wake], within: Self.wakeInterval) { break }
            pthread_kill(pthread_self(), SIGTTOU)
            if ring(of: [wake, continued], within: -1) { break }
            continued.reset()
        }
        return hasWaited
    }

    /// Milliseconds in which a run, even on a busy machine, rings `wake`.
    private static let wakeInterval: Int32 = 5000

    /// Waits for one of the pipes.
    ///
    /// - Returns: whether the first was rung.
    private func ring(of pipes: [WakePipe], within milliseconds: Int32) -> Bool {
        var watched = pipes.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
        while poll(&watched, nfds_t(watched.count), milliseconds) < 0, errno == EINTR {}
        return watched[0].revents != 0
    }

    /// Whether the terminal would stop this process. False in an orphaned group, which nothing could continue.
    private var isInBackground: Bool {
        let group = tcgetpgrp(terminal)
        guard group >= 0, group != getpgrp() else { return false }
        var interrupting = sigaction()
        #if canImport(Darwin)
            interrupting.__sigaction_u.__sa_handler = { _ in }
        #else
            interrupting.__sigaction_handler.sa_handler = { _ in }
        #endif
        var previous = sigaction()
        sigaction(SIGTTOU, &interrupting, &previous)
        defer { sigaction(SIGTTOU, &previous, nil) }
        // tcdrain succeeds in the foreground, fails with EINTR in the background, and with EIO in an orphaned group.
        return tcdrain(terminal) != 0 && errno == EINTR
    }
}
