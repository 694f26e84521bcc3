import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Single keys that a person presses at the terminal while a run goes on. They are not shown; ^C and ^Z stay signals.
///
/// In the background the terminal is another program's: it is neither read nor changed until the process is in the foreground.
package final class RunKeys: Sendable {
    private let descriptor: Int32
    private let pressed: @Sendable (UInt8) -> Void
    private let queue = DispatchQueue(label: "keys")
    private let wake = Mutex<WakePipe?>(nil)

    /// How often it is looked whether the process has come to the foreground: no signal says so.
    private static let interval: Int32 = 250  // milliseconds

    /// Nil where no person is at a terminal that is standard input too.
    ///
    /// - Parameter pressed: gets each key, on a thread of its own.
    package init?(_ pressed: @escaping @Sendable (UInt8) -> Void) {
        guard isatty(0) == 1 else { return nil }
        descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return nil }
        self.pressed = pressed
    }

    deinit { close(descriptor) }

    /// Takes keys from now on.
    package func start() {
        let pipe = WakePipe()
        wake.withLock { $0 = pipe }
        queue.async { [self] in watch(until: pipe) }
    }

    /// Takes no more keys; the terminal is as it was before when this returns.
    package func stop() async {
        guard let pipe = wake.withLock({ $0.take() }) else { return }
        pipe.ring()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func watch(until end: WakePipe) {
        let continued = WakePipe()
        SignalWatch.ringing(continued) {
            var isChanged = false
            defer { if isChanged { TerminalGuard.restore(descriptor) } }
            while true {
                let isOurs = tcgetpgrp(descriptor) == getpgrp()
                if isOurs, !isChanged { isChanged = change() }
                // After a stop a shell has put its own modes back.
                if isOurs { _ = TerminalGuard.renew(descriptor) }
                var watched = [end.readEnd, continued.readEnd, isOurs ? descriptor : -1].map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                let count = poll(&watched, nfds_t(watched.count), isOurs ? -1 : Self.interval)
                guard count > 0 else { continue }
                if watched[0].revents != 0 { return }
                if watched[1].revents != 0 { continued.reset() }
                // Its SIGHUP ends the run.
                if watched[2].revents & Int16(POLLHUP | POLLERR) != 0 { return }
                if watched[2].revents != 0 { read() }
            }
        }
    }

    private func change() -> Bool {
        TerminalGuard.change(descriptor, for: .keys) { attributes in
            attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            attributes.c_lflag |= tcflag_t(ISIG)
            withUnsafeMutableBytes(of: &attributes.c_cc) {
                $0[Int(VMIN)] = 1
                $0[Int(VTIME)] = 0
            }
        }
    }

    private func read() {
        // The stop or the change of hands may have come since.
        guard tcgetpgrp(descriptor) == getpgrp(), TerminalGuard.isInForce(descriptor) else { return }
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            let count = readBytes(descriptor, buffer.baseAddress, buffer.count)
            for index in 0..<max(0, count) { pressed(buffer[index]) }
        }
    }
}
