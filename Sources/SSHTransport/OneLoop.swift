internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One event loop for a process that does one thing: connections live there anyway, and what waits for them does not need a
/// thread of its own to be woken on.
package enum OneLoop {
    /// Runs tasks on the event loop. What blocks must not run there.
    ///
    /// The first use makes it the only loop of the process; it must come before any connection.
    package static let executor: any TaskExecutor = {
        NIOSingletons.groupLoopCountSuggestion = 1
        return LoopExecutor.of(MultiThreadedEventLoopGroup.singleton.next())
    }()
}
