import Synchronization

/// Changes terminal modes, and records the original modes so that any code can restore them.
enum TerminalGuard {
    /// The purpose of a change.
    enum Purpose {
        /// A terminal session, whose keys go to the command.
        case session
        /// One question, whose thread calls ``renew(_:)`` after a stop.
        case prompt
        /// Single keys during a run. In the background the terminal is not touched.
        case keys
    }

    private struct ModeChange {
        let descriptor: Int32
        let before: termios
        let after: termios
        let use: Purpose
        var isRaw: Bool { use == .session }

        /// Whether the modes may be restored: false if another program has the terminal.
        var isOurs: Bool { use != .keys || tcgetpgrp(descriptor) == getpgrp() }
    }
    private static let changes = Mutex<[ModeChange]>([])

    /// Whether a terminal is raw, so that a line feed does not return the carriage.
    static var isRaw: Bool { changes.withLock { $0.contains(where: \.isRaw) } }

    /// Changes a terminal until `restore` is called.
    ///
    /// - Returns: false if it is not a terminal.
    static func change(_ descriptor: Int32, for use: Purpose, _ edit: (inout termios) -> Void) -> Bool {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return false }
        var after = before
        edit(&after)
        let change = ModeChange(descriptor: descriptor, before: before, after: after, use: use)
        changes.withLock { $0.append(change) }
        guard !isSame(before, after) else { return true }
        // Discard what was typed before a prompt, but keep what was typed before a raw session.
        return tcsetattr(descriptor, use == .session ? TCSADRAIN : TCSAFLUSH, &after) == 0
    }

    /// Changes a prompt's terminal again after a stop.
    ///
    /// - Returns: false if the modes were still in force, so that the prompt is still valid.
    static func renew(_ descriptor: Int32) -> Bool {
        guard let change = changes.withLock({ $0.last { $0.descriptor == descriptor } }) else { return false }
        if isSame(change.before, change.after) { return true }
        guard !isModified(descriptor) else { return false }
        put(change.after, on: descriptor, discardingInput: true)
        return true
    }

    /// Whether a prompt's terminal is as ``change(_:for:_:)`` made it.
    static func isModified(_ descriptor: Int32) -> Bool {
        var current = termios()
        guard let change = changes.withLock({ $0.last { $0.descriptor == descriptor } }), tcgetattr(descriptor, &current) == 0
        else { return true }
        return isSame(current, change.after)
    }

    private static func isSame(_ one: termios, _ other: termios) -> Bool {
        one.c_lflag == other.c_lflag && one.c_iflag == other.c_iflag
    }

    /// Restores all modes, the last change first.
    static func restore() {
        let pending = changes.withLock { changes in
            defer { changes = [] }
            return changes
        }
        for change in pending.reversed() where change.isOurs { put(change.before, on: change.descriptor) }
    }

    /// Restores the modes while the process is stopped.
    static func suspend() {
        for change in changes.withLock({ $0 }).reversed() where change.isOurs { put(change.before, on: change.descriptor) }
    }

    /// Changes the modes again that `suspend`, or a shell, has restored. Does nothing in the background, where another program
    /// has the terminal.
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

    /// Sets the modes, also from the background, where that would otherwise stop the process (termios(3), SIGTTOU).
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
