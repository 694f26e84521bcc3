#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Job control of a prompt: a process in the background must not show one, for its answer would go to another program.
struct Foreground {
    let terminal: Int32
    /// Rung to give up waiting.
    let wake: WakePipe
    /// Rung whenever the process continues.
    let continued: WakePipe

    /// Lets the process be stopped from this thread by ``wait()``; Dispatch blocks all signals in its threads.
    ///
    /// SIGTTIN stays blocked: a read in the background fails with EIO then. One that stops the process would go on waiting when the
    /// process is in the foreground again, without a prompt and with echo on.
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

    /// Returns once this process is in the terminal's foreground, and stops the process until then, as the terminal itself would.
    ///
    /// Changing the modes in the background would stop it too. But the system repeats that call by itself when the process continues,
    /// and so stops it again before a signal that came with SIGCONT, as of the shell's `kill`, could end it.
    ///
    /// - Returns: whether it was in the background.
    @discardableResult func wait() -> Bool {
        // Without job control nothing stops it.
        guard !ProcessSetup.isIgnored(SIGTTOU) else { return false }
        var hasWaited = false
        while isInBackground {
            hasWaited = true
            // A signal that ends the run came before the one that continued it, and gives up the waiting a moment later. A process that
            // stops before that is not ended by the shell's `kill`.
            if SignalWatch.isEnding, ring(of: [wake], within: Self.moment) { break }
            pthread_kill(pthread_self(), SIGTTOU)
            if ring(of: [wake, continued], within: -1) { break }
            continued.reset()
        }
        return hasWaited
    }

    /// Milliseconds that a run on a busy machine may take to end a prompt.
    private static let moment: Int32 = 5000

    /// Waits for one of the pipes.
    ///
    /// - Returns: whether the first was rung.
    private func ring(of pipes: [WakePipe], within milliseconds: Int32) -> Bool {
        var watched = pipes.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
        while poll(&watched, nfds_t(watched.count), milliseconds) < 0, errno == EINTR {}
        return watched[0].revents != 0
    }

    /// Whether the terminal would stop this process. Not in a group that is orphaned: nothing could continue it.
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
        // Does nothing in the foreground; fails with EINTR in the background, and with EIO in an orphaned group.
        return tcdrain(terminal) != 0 && errno == EINTR
    }
}
