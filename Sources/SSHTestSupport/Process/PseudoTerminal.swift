import Foundation
import Synchronization
import SystemPackage

/// The two sides of a pseudo-terminal, pty(7).
final class PseudoTerminal: Sendable {
    /// The side that the program gets.
    let inner: FileDescriptor
    /// The side that shows what the program prints and takes what is typed.
    let outer: FileDescriptor
    private let innerIsOpen = Mutex(true)

    init(columns: UInt16, rows: UInt16) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var outer: Int32 = -1
        var inner: Int32 = -1
        guard openpty(&outer, &inner, nil, nil, &size) == 0 else { throw Errno(rawValue: errno) }
        // swift-subprocess closes what a child is not meant to have; this is for any other code that starts one.
        for side in [outer, inner] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        self.outer = FileDescriptor(rawValue: outer)
        self.inner = FileDescriptor(rawValue: inner)
    }

    /// Closes the inner side, once: after that its number may be another's.
    func closeInner() {
        let wasOpen = innerIsOpen.withLock { open in
            defer { open = false }
            return open
        }
        if wasOpen { try? inner.close() }
    }
}
