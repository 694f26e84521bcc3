import Synchronization

/// Terminal modes as a pseudo-terminal request carries them (RFC 4254 section 8).
enum TerminalModes {
    /// Opcodes and indices of the control characters.
    private static let characters: [(opcode: UInt8, index: Int32)] = [
        (1, VINTR), (2, VQUIT), (3, VERASE), (4, VKILL), (5, VEOF), (6, VEOL), (7, VEOL2), (8, VSTART), (9, VSTOP), (10, VSUSP),
        (12, VREPRINT), (13, VWERASE), (14, VLNEXT), (18, VDISCARD),
    ]
    private static let input: [(opcode: UInt8, flag: Int32)] = [
        (30, IGNPAR), (31, PARMRK), (32, INPCK), (33, ISTRIP), (34, INLCR), (35, IGNCR), (36, ICRNL), (38, IXON), (39, IXANY),
        (40, IXOFF), (41, IMAXBEL), (42, IUTF8),
    ]
    private static let local: [(opcode: UInt8, flag: Int32)] = [
        (50, ISIG), (51, ICANON), (53, ECHO), (54, ECHOE), (55, ECHOK), (56, ECHONL), (57, NOFLSH), (58, TOSTOP), (59, IEXTEN),
        (60, ECHOCTL), (61, ECHOKE), (62, PENDIN),
    ]
    private static let output: [(opcode: UInt8, flag: Int32)] = [
        (70, OPOST), (72, ONLCR), (73, OCRNL), (74, ONOCR), (75, ONLRET),
    ]
    private static let control: [(opcode: UInt8, flag: Int32)] = [(92, PARENB), (93, PARODD)]
    private static let end: UInt8 = 0

    /// The maximum length of TERM and modes together that libssh2 accepts.
    static let maximumRequestLength = 256

    /// - Parameter limit: the maximum length in bytes. The least important modes are dropped first.
    static func encode(_ attributes: termios, atMost limit: Int = maximumRequestLength) -> [UInt8] {
        let entry = 5
        return Array(entries(attributes).prefix(max(0, limit - 1) / entry * entry)) + [end]
    }

    /// Opcodes with their values: first the visible modes, last those of a serial line.
    private static func entries(_ attributes: termios) -> [UInt8] {
        var attributes = attributes
        var encoded: [UInt8] = []
        withUnsafeBytes(of: attributes.c_cc) { values in
            for (opcode, index) in characters {
                let value = values[Int(index)]
                // A disabled character is 255 on the wire; locally its value depends on the system.
                append(opcode, value == disabled ? 255 : UInt32(value), to: &encoded)
            }
        }
        append(input, attributes.c_iflag, to: &encoded)
        append(local, attributes.c_lflag, to: &encoded)
        append(output, attributes.c_oflag, to: &encoded)
        append(90, attributes.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS7) ? 1 : 0, to: &encoded)
        append(91, attributes.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8) ? 1 : 0, to: &encoded)
        append(128, bitsPerSecond(cfgetispeed(&attributes)), to: &encoded)
        append(129, bitsPerSecond(cfgetospeed(&attributes)), to: &encoded)
        append(control, attributes.c_cflag, to: &encoded)
        return encoded
    }

    private static var disabled: UInt8 {
        #if canImport(Darwin)
            255
        #else
            0
        #endif
    }

    private static func append(_ table: [(opcode: UInt8, flag: Int32)], _ flags: tcflag_t, to encoded: inout [UInt8]) {
        for (opcode, flag) in table { append(opcode, flags & tcflag_t(flag) != 0 ? 1 : 0, to: &encoded) }
    }

    private static func append(_ opcode: UInt8, _ value: UInt32, to encoded: inout [UInt8]) {
        encoded.append(opcode)
        withUnsafeBytes(of: value.bigEndian) { encoded.append(contentsOf: $0) }
    }

    /// POSIX leaves the constants' values open; on Linux they are codes.
    static func bitsPerSecond(_ speed: speed_t) -> UInt32 {
        #if canImport(Darwin)
            UInt32(truncatingIfNeeded: speed)
        #else
            speeds.first { speed_t($0.0) == speed }?.1 ?? 38400
        #endif
    }

    #if !canImport(Darwin)
        private static let speeds: [(Int32, UInt32)] = [
            (B0, 0), (B50, 50), (B75, 75), (B110, 110), (B134, 134), (B150, 150), (B200, 200), (B300, 300), (B600, 600),
            (B1200, 1200), (B1800, 1800), (B2400, 2400), (B4800, 4800), (B9600, 9600), (B19200, 19200), (B38400, 38400),
            (B57600, 57600), (B115200, 115_200), (B230400, 230_400), (B460800, 460_800), (B921600, 921_600),
        ]
    #endif
}

/// The terminal of this process's standard descriptors.
enum LocalTerminal {
    /// Columns and rows; nil if no standard descriptor is a terminal with a known size.
    static var size: (columns: Int, rows: Int)? {
        for descriptor: Int32 in [0, 1, 2] {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { continue }
            return (Int(size.ws_col), Int(size.ws_row))
        }
        return nil
    }

    /// The columns for bridge-ssh's own texts.
    static var width: Int { size?.columns ?? 80 }

    /// The encoded modes of standard input's terminal; empty if it is not a terminal.
    ///
    /// - Parameter terminal: the value of TERM in the same request.
    static func modes(for terminal: String) -> [UInt8] {
        var attributes = termios()
        guard tcgetattr(0, &attributes) == 0 else { return [] }
        return TerminalModes.encode(attributes, atMost: TerminalModes.maximumRequestLength - terminal.utf8.count)
    }

    /// Makes the terminal raw: every key goes to the command unchanged, ^C and ^Z too.
    static func makeRaw() -> Bool {
        TerminalGuard.change(0, for: .session) { cfmakeraw(&$0) }
    }
}

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
