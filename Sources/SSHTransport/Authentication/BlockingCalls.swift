internal import NIOPosix

/// Runs a lent call somewhere that may block.
package protocol LentCallRunner {
    func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value
}

/// Runs calls that may block, off the event loop.
package struct BlockingCalls: LentCallRunner, Sendable {
    package init() {}

    package func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        // In a task of its own: the pool does not begin the work of a cancelled one, and no call of libssh2 may be left out. A
        // cancellation reaches the call by `interrupt`.
        await Task {
            do {
                return try await NIOThreadPool.singleton.runIfActive { call() }
            } catch {
                preconditionFailure("the process's own pool of threads is never shut down")
            }
        }.value
    }
}
