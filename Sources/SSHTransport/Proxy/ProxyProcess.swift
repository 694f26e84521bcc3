internal import Dispatch
package import NIOCore
internal import NIOPosix
internal import Synchronization

/// The running child of a ``SSHProxyCommand``: started, its standard error read, ended and reaped.
package final class ProxyProcess: Sendable {
    private let command: SSHProxyCommand
    private let child: ChildProcess
    private let errors: ProxyErrorOutput
    private let eventLoop: any EventLoop
    /// Succeeds when the child has ended and is reaped.
    private let ended: EventLoopPromise<Void>
    /// Reads its standard error.
    private let errorChannel: any Channel

    /// How long the child may take to end: once after SIGHUP and the end of its connection, and once more after SIGTERM. It is
    /// short, because the run must end within a second of its deadline.
    private static let timeLimit = TimeAmount.milliseconds(400)
    /// The time that a command may take to end after it has closed its output. Most commands do both at once.
    private static let endTimeLimit = TimeAmount.milliseconds(2000)

    /// Starts the command.
    ///
    /// - Parameter onErrorLine: called with each line of its standard error.
    /// - Returns: the process, and the transport over its standard input and output.
    /// - Throws: `Fault` if it cannot be started.
    package static func start(
        _ command: SSHProxyCommand, on eventLoop: any EventLoop, onErrorLine: @escaping @Sendable (String) -> Void
    ) async throws -> (ProxyProcess, ChannelTransport) {
        let child: ChildProcess
        do {
            child = try ChildProcess.start(
                shell: command.shell, script: "exec \(command.command)", environment: command.environment)
        } catch {
            let seen = SSHProxyEvidence(command: command.command, standardError: "\(command.shell): \(error.text)")
            throw Fault(
                .proxyFailed(command: seen.command, exitStatus: nil, standardError: seen.standardError), stage: .connect)
        }
        do {
            return try await start(command, child, on: eventLoop, onErrorLine: onErrorLine)
        } catch {
            child.kill()
            child.reap()
            throw error
        }
    }

    private static func start(
        _ command: SSHProxyCommand, _ child: ChildProcess, on eventLoop: any EventLoop,
        onErrorLine: @escaping @Sendable (String) -> Void
    ) async throws -> (ProxyProcess, ChannelTransport) {
        let errors = ProxyErrorOutput(onErrorLine: onErrorLine)
        let handler = try await eventLoop.submit { NIOLoopBound(SessionHandler(), eventLoop: eventLoop) }.get()
        let channel = try await NIOPipeBootstrap(group: eventLoop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
            }
            .takingOwnershipOfDescriptors(input: child.output, output: child.input).get()
        let errorChannel = try await NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ProxyErrorHandler(errors: errors))
                }
            }
            .takingOwnershipOfDescriptor(input: child.errors).get()
        let process = ProxyProcess(command, child, errors, eventLoop, errorChannel)
        return (process, ChannelTransport(channel: channel, handler: handler))
    }

    private init(
        _ command: SSHProxyCommand, _ child: ChildProcess, _ errors: ProxyErrorOutput, _ eventLoop: any EventLoop,
        _ errorChannel: any Channel
    ) {
        self.command = command
        self.child = child
        self.errors = errors
        self.eventLoop = eventLoop
        self.errorChannel = errorChannel
        ended = eventLoop.makePromise()
        // On a separate thread: a proxy command may run for any time.
        DispatchQueue(label: "proxy command").async { [child, ended] in
            child.reap()
            ended.succeed()
        }
    }

    /// The known state of the process.
    package var evidence: SSHProxyEvidence {
        SSHProxyEvidence(command: command.command, exitStatus: child.exitStatus, standardError: errors.tail)
    }

    /// Waits briefly for the end of a command that has closed its output, and reads the rest of its standard error.
    ///
    /// Everything that it wrote before its end is in the pipe, so reading needs no further wait.
    package func settle() async {
        await wait(for: ended.futureResult, atMost: Self.endTimeLimit)
        try? await eventLoop.submit { self.takeRemainingErrors() }.get()
    }

    /// Reads the rest of its standard error from the pipe, which another process may hold open.
    private func takeRemainingErrors() {
        // The channel owns the descriptor, which is non-blocking, and uses it on this thread only.
        guard errorChannel.isActive else { return }
        var space = 1 << 20
        while space > 0, let bytes = child.readErrors(), !bytes.isEmpty {
            errors.take(bytes)
            space -= bytes.count
        }
    }

    /// Ends it and waits until it has ended. Its standard input and output are closed already.
    package func end() async {
        for number in ChildProcess.endingSignals {
            child.send(number)
            await wait(for: ended.futureResult, atMost: Self.timeLimit)
            if child.hasEnded { return }
        }
        child.kill()
        try? await ended.futureResult.get()
    }

    /// Cancelling the task does not shorten this: otherwise the child would be left behind.
    private func wait(for future: EventLoopFuture<Void>, atMost limit: TimeAmount) async {
        let done = eventLoop.makePromise(of: Void.self)
        future.whenComplete { _ in done.succeed() }
        let timer = eventLoop.scheduleTask(in: limit) { done.succeed() }
        try? await done.futureResult.get()
        timer.cancel()
    }
}

/// The standard error of a proxy command: its tail, and its lines for an observer.
final class ProxyErrorOutput: Sendable {
    private static let limit = 4096
    private let onErrorLine: @Sendable (String) -> Void
    private let bytes = Mutex<(tail: [UInt8], line: [UInt8])>(([], []))

    init(onErrorLine: @escaping @Sendable (String) -> Void) { self.onErrorLine = onErrorLine }

    var tail: String { bytes.withLock { String(decoding: $0.tail, as: UTF8.self) } }

    func take(_ new: some Collection<UInt8>) {
        let lines = bytes.withLock { state -> [[UInt8]] in
            state.tail = (state.tail + new).suffix(Self.limit)
            var lines: [[UInt8]] = []
            for byte in new {
                if byte != UInt8(ascii: "\n") { state.line.append(byte) }
                guard byte == UInt8(ascii: "\n") || state.line.count == Self.limit else { continue }
                lines.append(state.line)
                state.line = []
            }
            return lines
        }
        for line in lines where !line.isEmpty { onErrorLine(String(decoding: line, as: UTF8.self)) }
    }
}

/// Reads the pipe of a proxy command's standard error.
private final class ProxyErrorHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let errors: ProxyErrorOutput

    init(errors: ProxyErrorOutput) { self.errors = errors }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { errors.take(unwrapInboundIn(data).readableBytesView) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
