import Foundation
import NIOCore
import NIOPosix

extension Channel {
    /// Closes with a reset instead of an end (SO_LINGER with a time of 0, socket(7)).
    func reset() {
        if let socket = self as? any SocketOptionProvider {
            let closed = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            // On the channel's own event loop, which is where this is called, the option is set at once.
            closed.whenComplete { _ in self.close(promise: nil) }
        } else {
            close(promise: nil)
        }
    }
}
