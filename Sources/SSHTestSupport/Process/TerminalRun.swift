import Foundation
import NIOCore
import NIOPosix
import Subprocess
import Synchronization
import SystemPackage

/// Runs a program on a pseudo-terminal of its own, as a person would.
public enum TerminalRun {
    /// Runs `executable` as the leader of a new session whose controlling terminal shows its output.
    ///
    /// In `body`, `standardOutput` is the screen including echo, and `write` types: `\r` is the return key, `\u{3}` is ^C.
    ///
    /// - Throws: ``MissingTool``, ``ProcessTimeout``, or what `body` throws.
    @discardableResult
    public static func run(
        _ executable: String, _ arguments: [String] = [], environment: ProcessEnvironment = .inherited,
        columns: UInt16 = 80, rows: UInt16 = 24, limit: Duration = .seconds(120),
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        // setsid(1) makes the terminal the controlling terminal, which posix_spawn cannot do, and then executes the program.
        let configuration = Configuration(
            executable: .path(FilePath(try MissingTool.locate("setsid"))),
            arguments: Arguments(["--ctty", try MissingTool.locate(executable)] + arguments), environment: environment.subprocess)
        let collector = ProcessOutputCollector(command: [executable] + arguments, limit: limit)
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        let screen = try await terminal.show(on: collector.output)
        collector.error.finish()
        do {
            let outcome = try await Subprocess.run(
                configuration, input: .fileDescriptor(terminal.inner, closeAfterSpawningProcess: false),
                output: .fileDescriptor(terminal.inner, closeAfterSpawningProcess: false),
                error: .fileDescriptor(terminal.inner, closeAfterSpawningProcess: false)
            ) { execution in
                // The screen ends when the last process closes the inner side. So this process closes it now.
                terminal.closeInner()
                let process = RunningProcess(
                    pid: execution.processIdentifier.value, standardOutput: collector.output, standardError: collector.error,
                    signalling: { try execution.send(signal: Signal(rawValue: $0)) },
                    writing: { try await screen.writeAndFlush(ByteBuffer(bytes: $0)) },
                    closing: {}, hangingUp: { try await screen.close() })
                let shown: ProcessOutputCollector.Source = { _, _ in try await screen.closeFuture.get() }
                try await collector.collect(process, sources: [shown], body: body)
            }
            return collector.result(outcome.terminationStatus)
        } catch {
            try? await screen.close()
            terminal.closeInner()
            throw error
        }
    }
}

/// The two sides of a pseudo-terminal, pty(7).
final class PseudoTerminal: Sendable {
    /// The side that the program gets.
    let inner: SystemPackage.FileDescriptor
    /// The side that receives the program's output and sends the typed input.
    let outer: SystemPackage.FileDescriptor
    private let innerIsOpen = Mutex(true)

    init(columns: UInt16, rows: UInt16) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var outer: Int32 = -1
        var inner: Int32 = -1
        guard openpty(&outer, &inner, nil, nil, &size) == 0 else { throw Errno(rawValue: errno) }
        // swift-subprocess closes these descriptors in its children. This is for other code that starts a process.
        for side in [outer, inner] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        self.outer = SystemPackage.FileDescriptor(rawValue: outer)
        self.inner = SystemPackage.FileDescriptor(rawValue: inner)
    }

    /// Closes the inner side once. Its descriptor number may be reused afterwards.
    func closeInner() {
        let wasOpen = innerIsOpen.withLock { open in
            defer { open = false }
            return open
        }
        if wasOpen { try? inner.close() }
    }
}

extension PseudoTerminal {
    /// Hands the outer side to a channel that copies all output to `transcript`.
    func show(on transcript: Transcript) async throws -> any Channel {
        do {
            return try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ScreenHandler(transcript: transcript))
                    }
                }
                .takingOwnershipOfDescriptor(inputOutput: outer.rawValue).get()
        } catch {
            try? outer.close()
            closeInner()
            throw error
        }
    }
}

private final class ScreenHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let transcript: Transcript

    init(transcript: Transcript) { self.transcript = transcript }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        transcript.append(unwrapInboundIn(data).readableBytesView)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Linux reports the end of a terminal as EIO.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { transcript.finish() }
}
