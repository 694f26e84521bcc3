import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Records every terminal's modes before we change them, so that they can be restored from anywhere.
enum TerminalGuard {
    /// What a terminal's modes are changed for.
    enum Use {
        /// A session, whose keys go to the command.
        case session
        /// One question, whose thread calls ``renew(_:)`` after a stop.
        case prompt
        /// Single keys while a run goes on, also in the background, where the terminal is left alone.
        case keys
    }

    private struct Change {
        let descriptor: Int32
        let before: termios
        let after: termios
        let use: Use
        var isRaw: Bool { use == .session }

        /// Whether the modes may be put back: not where the terminal is another program's by now.
        var isOurs: Bool { use != .keys || tcgetpgrp(descriptor) == getpgrp() }
    }
    private static let changes = Mutex<[Change]>([])

    /// Whether a terminal is raw, so that a line feed does not return the carriage.
    static var isRaw: Bool { changes.withLock { $0.contains(where: \.isRaw) } }

    /// Changes a terminal until `restore` is called.
    ///
    /// - Returns: false if it is no terminal.
    static func change(_ descriptor: Int32, for use: Use, _ edit: (inout termios) -> Void) -> Bool {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return false }
        var after = before
        edit(&after)
        let change = Change(descriptor: descriptor, before: before, after: after, use: use)
        changes.withLock { $0.append(change) }
        guard !isSame(before, after) else { return true }
        // What was typed before the prompt is no answer to it; what is typed ahead of a raw session is.
        return tcsetattr(descriptor, use == .session ? TCSADRAIN : TCSAFLUSH, &after) == 0
    }

    /// Changes a prompt's terminal again after a stop.
    ///
    /// - Returns: false if nothing had been put back, so that the prompt still stands.
    static func renew(_ descriptor: Int32) -> Bool {
        guard let change = changes.withLock({ $0.last { $0.descriptor == descriptor } }) else { return false }
        if isSame(change.before, change.after) { return true }
        guard !isInForce(descriptor) else { return false }
        put(change.after, on: descriptor, discardingInput: true)
        return true
    }

    /// Whether a prompt's terminal is as ``change(_:for:_:)`` made it.
    static func isInForce(_ descriptor: Int32) -> Bool {
        var current = termios()
        guard let change = changes.withLock({ $0.last { $0.descriptor == descriptor } }), tcgetattr(descriptor, &current) == 0
        else { return true }
        return isSame(current, change.after)
    }

    private static func isSame(_ one: termios, _ other: termios) -> Bool {
        one.c_lflag == other.c_lflag && one.c_iflag == other.c_iflag
    }

    /// Restores what was changed, the last change first.
    static func restore() {
        let pending = changes.withLock { changes in
            defer { changes = [] }
            return changes
        }
        for change in pending.reversed() where change.isOurs { put(change.before, on: change.descriptor) }
    }

    /// Restores what was changed for as long as the process is stopped.
    static func suspend() {
        for change in changes.withLock({ $0 }).reversed() where change.isOurs { put(change.before, on: change.descriptor) }
    }

    /// Makes raw again what `suspend`, or a shell, has put back. In the background the terminal is another's, and stays as it is.
    static func resume() {
        for change in changes.withLock({ $0 }) where change.isRaw && tcgetpgrp(change.descriptor) == getpgrp() {
            put(change.after, on: change.descriptor)
        }
    }

    /// Restores one terminal.
    static func restore(_ descriptor: Int32) {
        let pending = changes.withLock { changes in
            defer { changes.removeAll { $0.descriptor == descriptor } }
            return changes.filter { $0.descriptor == descriptor }
        }
        for change in pending.reversed() where change.isOurs { put(change.before, on: change.descriptor) }
    }

    /// Also from the background, where changing a terminal would stop us (termios(3), SIGTTOU).
    private static func put(_ modes: termios, on descriptor: Int32, discardingInput: Bool = false) {
        var set = sigset_t()
        var previous = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &set, &previous)
        var modes = modes
        while tcsetattr(descriptor, discardingInput ? TCSAFLUSH : TCSADRAIN, &modes) != 0, errno == EINTR {}
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}
