internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One event loop for a process that does one thing: connections live there anyway, and the tasks that wait for them need no
/// thread of their own.
package enum OneLoop {
    /// Runs tasks on the event loop. Blocking work must not run there.
    ///
    /// The first use makes it the only loop of the process; it must come before any connection.
    package static let executor: any TaskExecutor = {
        NIOSingletons.groupLoopCountSuggestion = 1
        return LoopExecutor.of(MultiThreadedEventLoopGroup.singleton.next())
    }()
}
