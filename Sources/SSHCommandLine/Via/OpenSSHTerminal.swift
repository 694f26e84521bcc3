import BridgeSSH
import CProcessGuard
import SSHRun
import Synchronization

/// A local pseudo-terminal between bridge-ssh and ssh. ssh takes the modes and the size of the remote terminal from it, and
/// makes it raw, so that all bytes pass unaltered (sshtty.c: enter_raw_mode).
final class OpenSSHTerminal: Sendable {
    private let owned: OwnedDescriptor
    private let other: Mutex<OwnedDescriptor?>
    /// ptsname(3) has one buffer for all threads.
    private static let opening = Mutex(())

    /// This process's end.
    var ours: Int32 { owned.number }
    /// The end for ssh; nil once it was closed here.
    var theirs: Int32? { other.withLock { $0?.number } }

    /// - Throws: `UsageProblem` if the system has no terminal left.
    init(_ options: SSHPTYOptions) throws {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        let problem = Self.opening.withLock { _ in bridge_open_terminal(&ours, &theirs) }
        guard problem == 0 else {
            throw UsageProblem(
                field: "--tty", problem: "no local terminal can be made for ssh: \(String(cString: strerror(problem)))")
        }
        owned = OwnedDescriptor(ours)
        other = Mutex(OwnedDescriptor(theirs))
        var modes = termios()
        if tcgetattr(0, &modes) == 0 { _ = tcsetattr(theirs, TCSANOW, &modes) }
        resize(columns: options.columns, rows: options.rows)
    }

    /// Closes the end for ssh, which has its own copy: then the terminal ends when ssh ends.
    func closeTheirs() { other.withLock { $0 = nil } }

    func resize(columns: Int, rows: Int) {
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(clamping: columns), UInt16(clamping: rows))
        _ = ioctl(ours, UInt(TIOCSWINSZ), &size)
    }
}
